#include "report/answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "orrery/report.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_answer(const Answer& answer, bool looked_up) {
  Json json = {{"name", answer.name}, {"score", answer.score}, {"probability", answer.probability}};
  if (!std::isnan(answer.calibrated)) json["calibrated"] = answer.calibrated;
  if (!looked_up) return json;
  json["known"] = nullptr;
  if (answer.known)
    json["known"] = {{"split", name_of(answer.known->split)},
                     {"now", answer.known->now},
                     {"time", answer.known->time}};
  json["seen"] = answer.seen;
  return json;
}

// Where an answer is a fact already: "train", "train, at 2014-04-26".
std::string known_in_words(const Answer& answer) {
  if (!answer.known) return {};
  const std::string split(name_of(answer.known->split));
  return answer.known->now ? split : fmt::format("{}, {}", split, answer.known->time);
}

std::string in_percent(double share) {
  return std::isnan(share) ? no_figure : fmt::format("{:.1f} %", 100 * share);
}

std::string question_in_words(const Question& question, const Answers& answers) {
  const auto part = [](const std::string& given) { return given.empty() ? "?" : printable(given); };
  const std::string time = answers.asked == "time" ? "?"
                           : answers.time.empty()  ? "any time"
                                                   : printable(answers.time);
  return fmt::format("({}, {}, {}, {})", part(question.subject), part(question.relation),
                     part(question.object), time);
}

std::string answer_table(const Answers& answers) {
  const auto any = [&](auto member) { return std::ranges::any_of(answers.best, member); };
  const bool calibrated = any([](const Answer& a) { return !std::isnan(a.calibrated); });
  const bool known = any([](const Answer& a) { return a.known.has_value(); });
  const bool unseen = answers.looked_up && any([](const Answer& a) { return !a.seen; });
  std::vector<std::string> head = {answers.asked == "fact" ? "object" : answers.asked, "score",
                                   "probability"};
  if (calibrated) head.emplace_back("calibrated");
  if (known) head.emplace_back("known");
  if (unseen) head.emplace_back("seen with relation");
  TextTable table(head);
  for (const Answer& answer : answers) {
    std::vector<std::string> row = {printable(answer.name), fmt::format("{:.3f}", answer.score),
                                    in_percent(answer.probability)};
    if (calibrated) row.push_back(in_percent(answer.calibrated));
    if (known) row.push_back(printable(known_in_words(answer)));
    if (unseen) row.emplace_back(answer.seen ? "yes" : "never");
    table.add(std::move(row));
  }
  return table.text();
}

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::vector<std::string> written;
  for (const std::string& field : fields) written.push_back(csv_field(field));
  return fmt::format("{}\n", fmt::join(written, ","));
}

}  // namespace

Json json_of(const Question& question, const Answers& answers) {
  Json json = {{"asked", answers.asked}};
  const auto add = [&](const char* name, const std::string& text) {
    if (!text.empty()) json[name] = text;
  };
  add("subject", question.subject);
  add("relation", question.relation);
  add("object", question.object);
  add("time", question.time);
  add("time_row", answers.time);
  add("note", answers.note);
  json["answers"] = Json::array();
  for (const Answer& answer : answers)
    json["answers"].push_back(json_of_answer(answer, answers.looked_up));
  if (!answers.curve.empty()) {
    json["curve"] = Json::array();
    for (const TimeScore& point : answers.curve)
      json["curve"].push_back(
          {{"time", point.time}, {"score", point.score}, {"probability", point.probability}});
  }
  if (answers.interval)
    json["interval"] = {{"start", answers.interval->start}, {"end", answers.interval->end}};
  return json;
}

std::string answers_text(const Question& question, const Answers& answers) {
  std::string text = question_in_words(question, answers) + "\n" + answer_table(answers);
  if (answers.interval)
    text += fmt::format("\nmost likely from {} to {}\n", answers.interval->start,
                        answers.interval->end);
  if (!answers.note.empty()) text += fmt::format("\nnote: {}\n", printable(answers.note));
  return text;
}

std::string answers_json(std::span<const Question> questions, std::span<const Answers> answers) {
  Json json = Json::array();
  for (std::size_t i = 0; i < answers.size(); ++i)
    json.push_back(json_of(questions[i], answers[i]));
  return (json.size() == 1 ? json.front() : json)
      .dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string answers_csv(std::span<const Question> questions, std::span<const Answers> answers) {
  std::string csv =
      csv_line({"question", "subject", "relation", "object", "time", "asked", "rank", "answer",
                "score", "probability", "calibrated", "known", "seen", "note"});
  for (std::size_t q = 0; q < answers.size(); ++q)
    for (std::size_t i = 0; i < answers[q].size(); ++i) {
      const Question& question = questions[q];
      const Answer& answer = answers[q][i];
      csv += csv_line({std::to_string(q + 1), question.subject, question.relation, question.object,
                       question.time, answers[q].asked, std::to_string(i + 1), answer.name,
                       fmt::format("{}", answer.score), fmt::format("{}", answer.probability),
                       std::isnan(answer.calibrated) ? "" : fmt::format("{}", answer.calibrated),
                       known_in_words(answer),
                       !answers[q].looked_up ? ""
                       : answer.seen         ? "yes"
                                             : "no",
                       answers[q].note});
    }
  return csv;
}

}  // namespace orrery
