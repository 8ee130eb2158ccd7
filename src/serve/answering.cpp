#include "serve/answering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace orrery {
namespace {

bool asks_subject(const Question& question) { return question.subject.empty(); }

// Models of starts and ends hold them apart: a date asks both, as the judge does. Others are asked
// for what holds then.
QueryPair queries_of(const StoredModel& model, const Question& question, bool timed) {
  const ModelHeader& header = model.header();
  const bool subject = asks_subject(question);
  if (subject == question.object.empty())
    fail_request(About{.option = subject ? "subject" : "object"},
                 "ask for one side: give either the subject or the object, and leave the other");
  if (timed && question.time.empty())
    fail_request(About{.option = "time", .advice = worded("give a date, with $time")},
                 "this model's answers depend on time");
  const std::int32_t given =
      header.entities.require(subject ? question.object : question.subject, "entity");
  const std::int32_t relation = header.relations.require(question.relation, "relation");
  const std::int32_t time = timed ? header.times.nearest_row(question.time) : 0;
  const RelationIds ids = header.relation_ids();
  const Query start{given, ids.id(relation, subject), time};
  if (!header.times.has_ends()) return {start, start, false};
  return {start, {given, ids.id(relation, subject, true), time}, true};
}

std::string time_of(const ModelHeader& header, const Question& question) {
  if (question.time.empty()) return {};
  return header.times.rows[static_cast<std::size_t>(header.times.nearest_row(question.time))].label;
}

// Empty where the date lies on a time of the model and is as fine as that.
std::string note_of(const Timeline& times, const std::string& asked) {
  return asked.empty() ? std::string() : times.note_on(asked, times.place_of(asked));
}

Answers named(const ModelHeader& header, const Question& question, const TopAnswers& top,
              bool timed) {
  Answers answers{.asked = asks_subject(question) ? "subject" : "object",
                  .time = time_of(header, question),
                  .note = timed ? note_of(header.times, question.time) : "",
                  .best = {}};
  for (const ScoredEntity& one : top.best)
    answers.best.push_back(
        {header.entities.name(one.entity), one.score, std::exp(one.score - top.log_sum)});
  return answers;
}

}  // namespace

bool knows_time(const StoredModel& model) {
  if (model.header().times.timeless()) return false;
  return model.plan().feature_count > 0 ||
         model.plan().variant->candidates == Candidates::each_time ||
         std::ranges::any_of(model.tables(), [](const TableSpec& table) {
           return table.of == RowOf::time || table.of == RowOf::window;
         });
}

std::vector<Answers> answer(const StoredModel& model, Asker& asker,
                            std::span<const Question> questions, const PredictOptions& options) {
  const bool timed = knows_time(model);
  std::vector<QueryPair> queries;
  queries.reserve(questions.size());
  for (const Question& question : questions) queries.push_back(queries_of(model, question, timed));
  std::vector<TopAnswers> top(questions.size());
  asker.top(queries, options.top, top);
  std::vector<Answers> answers;
  answers.reserve(questions.size());
  for (std::size_t i = 0; i < questions.size(); ++i)
    answers.push_back(named(model.header(), questions[i], top[i], timed));
  return answers;
}

}  // namespace orrery
