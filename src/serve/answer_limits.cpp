#include "serve/answer_limits.h"

#include <algorithm>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::int32_t candidate_named(const ModelHeader& header, AskedPart asked, const std::string& name) {
  if (asked == AskedPart::relation) return header.relations.require(name, "relation");
  if (asked != AskedPart::time) return header.entities.require(name, "entity");
  if (const auto row = header.times.find_row(name)) return *row;
  fail_request("{} is no time of this model", shown(name));
}

std::vector<std::int32_t> candidates_named(const ModelHeader& header, AskedPart asked,
                                           const std::vector<std::string>& names,
                                           const char* option) {
  std::vector<std::int32_t> ids;
  for (const std::string& name : names) {
    try {
      ids.push_back(candidate_named(header, asked, name));
    } catch (const Error& error) {
      throw error.of_option(option);
    }
  }
  std::ranges::sort(ids);
  return ids;
}

// Relations that train has of both entities, on the sides on which they stand.
std::vector<std::int32_t> seen_relations(const FactsAtHand& facts, const QuestionIds& question) {
  std::vector<std::int32_t> seen;
  for (std::int32_t r = 0; r < facts.data.relations.size(); ++r)
    if (facts.index.is_seen_with(r, Side::subject, question.subject) &&
        facts.index.is_seen_with(r, Side::object, question.object))
      seen.push_back(r);
  return seen;
}

std::vector<std::int32_t> seen_candidates(const FactsAtHand& facts, const QuestionIds& question) {
  if (question.asked == AskedPart::relation) return seen_relations(facts, question);
  const auto seen = facts.index.seen_with(
      question.relation, question.asked == AskedPart::subject ? Side::subject : Side::object);
  return {seen.begin(), seen.end()};
}

// Both ascending.
std::vector<std::int32_t> in_both(const std::vector<std::int32_t>& a,
                                  const std::vector<std::int32_t>& b) {
  std::vector<std::int32_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return both;
}

// A time or a relation that is a fact of these two already.
std::vector<std::int32_t> known_elsewhere(const FactsAtHand& facts, const QuestionIds& question,
                                          std::int32_t candidates, bool timed) {
  std::vector<std::int32_t> known;
  for (std::int32_t id = 0; id < candidates; ++id) {
    const bool relation = question.asked == AskedPart::relation;
    const auto fact = known_fact(facts, question.subject, relation ? id : question.relation,
                                 question.object, relation ? question.time : AskedTime{id}, timed);
    if (fact && fact->now) known.push_back(id);
  }
  return known;
}

}  // namespace

AnswerLimits::AnswerLimits(const StoredModel& model, const FactsAtHand* facts,
                           const QuestionIds& question, const PredictOptions& options) {
  const ModelHeader& header = model.header();
  const AskedPart asked = question.asked;
  if (asked == AskedPart::fact) return;
  if (!options.only.empty()) {
    limited_ = true;
    only_ = candidates_named(header, asked, options.only, "only");
  }
  if (options.seen_only && facts == nullptr)
    fail_request(About{.option = "type", .advice = worded("name the training data with $data")},
                 "which entities a relation was seen with is known from facts, and they are not "
                 "at hand");
  if (options.seen_only && asked != AskedPart::time) {
    auto seen = seen_candidates(*facts, question);
    only_ = limited_ ? in_both(only_, seen) : std::move(seen);
    limited_ = true;
  }
  not_ = candidates_named(header, asked, options.without, "without");
  if (options.known != KnownAnswers::hide || facts == nullptr) return;
  const bool timed = knows_time(model);
  const auto known = asked == AskedPart::relation
                         ? known_elsewhere(*facts, question, header.relations.size(), timed)
                     : asked == AskedPart::time
                         ? known_elsewhere(*facts, question, header.times.size(), timed)
                         : known_now(*facts, question, timed);
  not_.insert(not_.end(), known.begin(), known.end());
  std::ranges::sort(not_);
}

bool AnswerLimits::allows(std::int32_t id) const {
  return (!limited_ || std::ranges::binary_search(only_, id)) &&
         !std::ranges::binary_search(not_, id);
}

std::optional<std::size_t> AnswerLimits::most_refused() const {
  if (limited_) return {};
  return not_.size();
}

}  // namespace orrery
