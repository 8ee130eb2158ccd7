#include "serve/history_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace orrery {
namespace {

constexpr double least_shown = 0.005;  // what is less is rounded to nothing

std::vector<CandidateFeature> features_of(const StoredModel& model, const Query& query,
                                          std::int32_t answer) {
  std::vector<CandidateFeature> features;
  if (model.plan().feature_count == 0) return features;
  model.plan().features->append(query, features);
  std::erase_if(features, [&](const CandidateFeature& one) { return one.entity != answer; });
  return features;
}

// The learned numbers are the last table.
double worth(const StoredModel& model, const CandidateFeature& feature) {
  return model.rows(model.tables().size() - 1)[static_cast<std::size_t>(feature.weight)];
}

std::string signed_figure(double value) {
  return fmt::format("{}{:.1f}", value < 0 ? "−" : "+", std::abs(value));
}

// When train says that the answer was one at other times: "2012", or "2012 to 2015 (3 times)".
std::string other_times(const StoredModel& model, const Query& query, std::int32_t answer) {
  const ModelHeader& header = model.header();
  const RelationIds ids = header.relation_ids();
  const bool reciprocal = ids.is_reciprocal(query.relation);
  const std::int32_t subject = reciprocal ? answer : query.subject;
  const std::int32_t object = reciprocal ? query.subject : answer;
  const std::int32_t relation = ids.relation_of(query.relation);
  const bool of_end =
      header.times.has_ends() && query.relation == ids.id(relation, reciprocal, true);
  std::int32_t first = header.times.size(), last = -1;
  int count = 0;
  for (const KnownFact& fact : header.history) {
    if (fact.subject != subject || fact.relation != relation || fact.object != object) continue;
    std::int32_t from = fact.first, to = fact.last;
    if (header.times.has_ends()) from = to = of_end ? fact.last : fact.first;
    if (!header.times.has_ends() && from == Moment::unknown) from = 0;
    if (!header.times.has_ends() && to == Moment::unknown) to = header.times.size() - 1;
    if (from == Moment::unknown || (from <= query.time && query.time <= to)) continue;
    first = std::min(first, from);
    last = std::max(last, to);
    ++count;
  }
  if (count == 0) return "another time";
  const auto label = [&](std::int32_t row) {
    return header.times.rows[static_cast<std::size_t>(row)].label;
  };
  if (first == last) return label(first);
  return fmt::format("{} to {}{}", label(first), label(last),
                     count > 1 ? fmt::format(" ({} times)", count) : "");
}

HistoryTerm term_of(const StoredModel& model, const Query& query, std::int32_t answer,
                    const CandidateFeature& feature) {
  const HistoryKind kind = history_kind_named(model.header().options.history);
  const auto place = static_cast<std::size_t>(feature.weight % features_per_relation(kind));
  HistoryTerm term{
      .feature = feature_names(kind)[place], .added = worth(model, feature), .sentence = {}};
  const std::string figure = signed_figure(term.added);
  if (term.feature.starts_with("known ")) {
    const bool by_distance = kind != HistoryKind::relation;
    term.sentence = fmt::format(
        "train has it at {}, and {}this relation {}: {}", other_times(model, query, answer),
        by_distance ? fmt::format("{} ", term.feature.substr(std::string("known ").size())) : "",
        term.added < 0 ? "does not repeat" : "repeats", figure);
  } else {
    term.sentence = fmt::format("train has them with {}: {}", term.feature, figure);
  }
  return term;
}

HistoryTerm lifetime_term(double added) {
  return {.feature = feature_names(HistoryKind::lifetime).back(),
          .added = added,
          .sentence = fmt::format("its other facts in train lie around that time as those of such "
                                  "answers do: {}",
                                  signed_figure(added))};
}

}  // namespace

double history_of_answer(const StoredModel& model, const Query& query, std::int32_t answer) {
  double added = 0;
  for (const CandidateFeature& feature : features_of(model, query, answer))
    added += worth(model, feature);
  return added + model.added_by_lifetime(query, answer);
}

std::vector<HistoryTerm> history_terms(const StoredModel& model, const QueryPair& queries,
                                       std::int32_t answer) {
  std::vector<HistoryTerm> terms;
  const auto append = [&](const Query& query) {
    for (const CandidateFeature& feature : features_of(model, query, answer))
      if (std::abs(worth(model, feature)) >= least_shown)
        terms.push_back(term_of(model, query, answer, feature));
    if (const double added = model.added_by_lifetime(query, answer); std::abs(added) >= least_shown)
      terms.push_back(lifetime_term(added));
  };
  append(queries.first);
  if (queries.paired) append(queries.second);
  std::ranges::stable_sort(terms, std::greater{},
                           [](const HistoryTerm& term) { return std::abs(term.added); });
  return terms;
}

}  // namespace orrery
