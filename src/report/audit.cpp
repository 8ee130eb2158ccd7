// Implausible facts, for people and for programs.
#include "orrery/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "orrery/report.h"
#include "page/csv_line.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::span<const AuditedFact> first_of(const Audit& audit, std::size_t most) {
  const std::span<const AuditedFact> all = audit.facts;
  return most == 0 ? all : all.first(std::min(most, all.size()));
}

// An interval's two sides; of a point the second is empty.
std::pair<std::string, std::string> sides_of(std::string_view time) {
  const auto tab = time.find('\t');
  if (tab == std::string_view::npos) return {std::string(time), {}};
  return {std::string(time.substr(0, tab)), std::string(time.substr(tab + 1))};
}

std::string shown_time(std::string_view time) {
  const auto [start, end] = sides_of(time);
  return printable(end.empty() ? start : start + " to " + end);
}

std::string shown_answers(const AuditedFact& fact) {
  std::string words;
  for (const LikelierAnswer& one : fact.likelier)
    words += fmt::format("{}{} ({:.2f})", words.empty() ? "" : ", ", printable(one.name),
                         one.probability);
  return words;
}

std::string text_of(const AuditedFact& fact, std::size_t number) {
  const std::string indent(12, ' ');
  std::string text = fmt::format("{:>4}  {:.3f} ({}, {}, {}, {})\n", number, fact.plausibility,
                                 printable(fact.subject), printable(fact.relation),
                                 printable(fact.object), shown_time(fact.time));
  text += fmt::format("{}ranks: object {}, subject {}{}\n", indent, grouped(fact.object_rank),
                      grouped(fact.subject_rank),
                      fact.trained_on ? "; the model was trained on it"
                      : fact.judged() ? ""
                                      : "; nothing else is known of one of its names");
  if (!fact.replaced.empty())
    text += fmt::format("{}made false; here stood {}\n", indent, printable(fact.replaced));
  if (!fact.likelier.empty())
    text += fmt::format("{}likelier {}: {}\n", indent, fact.weaker, shown_answers(fact));
  if (!fact.likelier_time.empty())
    text += fmt::format("{}likelier time: {}\n", indent, shown_time(fact.likelier_time));
  return text;
}

Json json_of(const AuditedFact& fact) {
  const auto [start, end] = sides_of(fact.time);
  Json json = {{"subject", fact.subject},
               {"relation", fact.relation},
               {"object", fact.object},
               {"time", start}};
  if (!end.empty()) json["end"] = end;
  json.update({{"plausibility", fact.plausibility},
               {"doubt", fact.doubt},
               {"object_rank", fact.object_rank},
               {"subject_rank", fact.subject_rank},
               {"weaker", fact.weaker},
               {"likelier", Json::array()}});
  for (const LikelierAnswer& one : fact.likelier)
    json["likelier"].push_back({{"name", one.name}, {"probability", one.probability}});
  if (!fact.likelier_time.empty()) {
    const auto [likely_start, likely_end] = sides_of(fact.likelier_time);
    json["likelier_time"] = {{"start", likely_start}, {"end", likely_end}};
  }
  const auto count = [](std::int64_t facts) { return facts < 0 ? Json(nullptr) : Json(facts); };
  json["subject_facts"] = count(fact.subject_facts);
  json["object_facts"] = count(fact.object_facts);
  json["trained_on"] = fact.trained_on;
  if (!fact.replaced.empty()) json["replaced"] = fact.replaced;
  return json;
}

}  // namespace

std::string audit_text(const Audit& audit, std::size_t most) {
  const auto shown = first_of(audit, most);
  std::string text = fmt::format(
      "{} judged{}; the most implausible first, with {}\n\n", counted(audit.facts.size(), "fact"),
      audit.folds > 0 ? fmt::format(" in {}", counted(audit.folds, "fold")) : "",
      audit.calibrated ? "the probability that it is true against drawn false ones"
                       : "its softmax probability, which is not calibrated");
  if (audit.corrupted > 0)
    text += fmt::format(
        "drill: of {} that were made false, {} are among the first tenth ({:.0f} %)\n\n",
        counted(audit.corrupted, "fact"), grouped(audit.found),
        100 * static_cast<double>(audit.found) / static_cast<double>(audit.corrupted));
  for (std::size_t i = 0; i < shown.size(); ++i) text += text_of(shown[i], i + 1);
  if (shown.size() < audit.facts.size())
    text += fmt::format("\n{} more\n", grouped(audit.facts.size() - shown.size()));
  for (const std::string& note : audit.notes) text += fmt::format("\nnote: {}\n", printable(note));
  return text;
}

std::string audit_json(const Audit& audit, std::size_t most) {
  Json json = {{"judged", audit.facts.size()},   {"folds", audit.folds},
               {"calibrated", audit.calibrated}, {"interrupted", audit.interrupted},
               {"corrupted", audit.corrupted},   {"found", audit.found},
               {"notes", audit.notes},           {"facts", Json::array()}};
  for (const AuditedFact& fact : first_of(audit, most)) json["facts"].push_back(json_of(fact));
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string audit_csv(const Audit& audit) {
  std::string text = csv_line({"subject", "relation", "object", "time", "end", "plausibility",
                               "doubt", "object_rank", "subject_rank", "weaker", "likelier",
                               "likelier_probability", "likelier_start", "likelier_end",
                               "subject_facts", "object_facts", "trained_on", "replaced"});
  const auto number = [](double value) { return fmt::format("{:.6g}", value); };
  const auto count = [](std::int64_t facts) {
    return facts < 0 ? std::string() : fmt::format("{}", facts);
  };
  for (const AuditedFact& fact : audit.facts) {
    const auto [start, end] = sides_of(fact.time);
    const auto [likely_start, likely_end] = sides_of(fact.likelier_time);
    const LikelierAnswer* best = fact.likelier.empty() ? nullptr : &fact.likelier.front();
    text += csv_line({fact.subject, fact.relation, fact.object, start, end,
                      number(fact.plausibility), number(fact.doubt), count(fact.object_rank),
                      count(fact.subject_rank), fact.weaker, best == nullptr ? "" : best->name,
                      best == nullptr ? "" : number(best->probability), likely_start, likely_end,
                      count(fact.subject_facts), count(fact.object_facts),
                      fact.trained_on ? "yes" : "no", fact.replaced});
  }
  return text;
}

}  // namespace orrery
