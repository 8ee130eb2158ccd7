#include "serve/history_terms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>

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

// The facts of two entities, either way round.
std::vector<KnownFact> facts_between(std::span<const KnownFact> facts, std::int32_t one,
                                     std::int32_t other) {
  std::vector<KnownFact> found;
  std::ranges::copy_if(facts, std::back_inserter(found), [&](const KnownFact& fact) {
    return (fact.subject == one && fact.object == other) ||
           (fact.subject == other && fact.object == one);
  });
  return found;
}

// Where a fact answers the question of a relation row, asked of one entity: the time rows in which
// it does.
std::optional<std::pair<std::int32_t, std::int32_t>> rows_of_answer(const ModelHeader& header,
                                                                    const KnownFact& fact,
                                                                    std::int32_t relation,
                                                                    std::int32_t asked) {
  const RelationIds ids = header.relation_ids();
  const bool reciprocal = ids.is_reciprocal(relation);
  if (fact.relation != ids.relation_of(relation)) return {};
  if ((reciprocal ? fact.object : fact.subject) != asked) return {};
  if (!ids.ends)  // an open side reaches to the model's first or last time
    return std::pair(fact.first == Moment::unknown ? 0 : fact.first,
                     fact.last == Moment::unknown ? header.times.size() - 1 : fact.last);
  const std::int32_t row =
      relation == ids.id(fact.relation, reciprocal, true) ? fact.last : fact.first;
  if (row == Moment::unknown) return {};
  return std::pair(row, row);
}

// When facts say that the answer was one at other times: "2012", or "2012 to 2015 (3 times)".
// Empty: they do not.
std::string other_times(const ModelHeader& header, std::span<const KnownFact> facts,
                        const Query& query) {
  std::int32_t first = header.times.size(), last = -1;
  int count = 0;
  for (const KnownFact& fact : facts) {
    const auto rows = rows_of_answer(header, fact, query.relation, query.subject);
    // That one is what is asked, whichever of its ends: see PairHistory.
    const bool holds_then = (fact.first == Moment::unknown || fact.first <= query.time) &&
                            (fact.last == Moment::unknown || query.time <= fact.last);
    if (!rows || holds_then) continue;
    first = std::min(first, rows->first);
    last = std::max(last, rows->second);
    ++count;
  }
  if (count == 0) return "";
  const auto label = [&](std::int32_t row) {
    return header.times.rows[static_cast<std::size_t>(row)].label;
  };
  if (first == last) return label(first);
  return fmt::format("{} to {}{}", label(first), label(last),
                     count > 1 ? fmt::format(" ({} times)", count) : "");
}

// Of the question and one of its answers.
struct Pair {
  Pair(const StoredModel& of_model, const Query& of_query, std::int32_t answer)
      : model(of_model),
        query(of_query),
        train(facts_between(model.header().history, query.subject, answer)),
        added(facts_between(model.header().added_history, query.subject, answer)) {}

  const StoredModel& model;
  const Query& query;
  std::vector<KnownFact> train, added;
};

// "train has it at 2012", "a fact that was added has it at 2015", or both.
std::string known_in_words(const Pair& pair) {
  const ModelHeader& header = pair.model.header();
  const std::string in_train = other_times(header, pair.train, pair.query);
  const std::string in_added = other_times(header, pair.added, pair.query);
  if (in_added.empty())
    return fmt::format("train has it at {}", in_train.empty() ? "another time" : in_train);
  if (in_train.empty()) return fmt::format("what was added has it at {}", in_added);
  return fmt::format("train has it at {}, what was added at {}", in_train, in_added);
}

// Whether these facts of the two say what a feature of the question is about.
bool say(const Pair& pair, const std::vector<KnownFact>& facts, std::int32_t weight,
         std::int32_t companion) {
  const ModelHeader& header = pair.model.header();
  if (companion >= 0)
    return std::ranges::any_of(facts, [&](const KnownFact& fact) {
      const auto rows = rows_of_answer(header, fact, companion, pair.query.subject);
      return rows && rows->first <= pair.query.time && pair.query.time <= rows->second;
    });
  const PairHistory alone(history_kind_named(header.options.history), facts, header.relation_ids(),
                          header.entities.size());
  std::vector<CandidateFeature> features;
  alone.append(pair.query, features);
  return std::ranges::find(features, weight, &CandidateFeature::weight) != features.end();
}

std::string who_says(const Pair& pair, std::int32_t weight, std::int32_t companion) {
  if (pair.added.empty() || !say(pair, pair.added, weight, companion)) return "train has";
  return say(pair, pair.train, weight, companion) ? "train and what was added have"
                                                  : "what was added has";
}

HistoryTerm term_of(const Pair& pair, const CandidateFeature& feature) {
  const ModelHeader& header = pair.model.header();
  const HistoryKind kind = history_kind_named(header.options.history);
  const std::int32_t place = feature.weight % features_per_relation(kind);
  HistoryTerm term{.feature = feature_names(kind)[static_cast<std::size_t>(place)],
                   .added = worth(pair.model, feature),
                   .sentence = {}};
  const std::string figure = signed_figure(term.added);
  if (term.feature.starts_with("known ")) {
    const bool by_distance = kind != HistoryKind::relation;
    term.sentence = fmt::format(
        "{}, and {}this relation {}: {}", known_in_words(pair),
        by_distance ? fmt::format("{} ", term.feature.substr(std::string("known ").size())) : "",
        term.added < 0 ? "does not repeat" : "repeats", figure);
    return term;
  }
  const std::int32_t nth = companion_at(kind, place);
  const std::int32_t companion =
      nth < 0
          ? -1
          : pair.model.history()->companions(pair.query.relation)[static_cast<std::size_t>(nth)];
  term.sentence = fmt::format(
      "{} them with {}: {}", who_says(pair, feature.weight, companion),
      nth < 0 ? term.feature : companion_in_words(header, pair.query.relation, companion), figure);
  return term;
}

HistoryTerm lifetime_term(const ModelHeader& header, std::int32_t answer, double added) {
  const bool grown = std::ranges::any_of(header.added_history, [&](const KnownFact& fact) {
    return fact.subject == answer || fact.object == answer;
  });
  return {
      .feature = feature_names(HistoryKind::lifetime).back(),
      .added = added,
      .sentence = fmt::format("its other facts in train{} lie around that time as those of such "
                              "answers do: {}",
                              grown ? " and those that were added" : "", signed_figure(added))};
}

}  // namespace

std::string companion_in_words(const ModelHeader& header, std::int32_t relation,
                               std::int32_t companion) {
  const RelationIds ids = header.relation_ids();
  const std::int32_t other = ids.relation_of(companion);
  const bool reciprocal = ids.is_reciprocal(companion);
  const char* event = "";
  if (ids.ends)
    event = companion == ids.id(other, reciprocal, true) ? "the end of " : "the start of ";
  return fmt::format("{}'{}'{}, at that time", event, header.relations.name(other),
                     reciprocal == ids.is_reciprocal(relation) ? "" : " the other way round");
}

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
    const Pair pair(model, query, answer);
    for (const CandidateFeature& feature : features_of(model, query, answer))
      if (std::abs(worth(model, feature)) >= least_shown) terms.push_back(term_of(pair, feature));
    if (const double added = model.added_by_lifetime(query, answer); std::abs(added) >= least_shown)
      terms.push_back(lifetime_term(model.header(), answer, added));
  };
  append(queries.first);
  if (queries.paired) append(queries.second);
  std::ranges::stable_sort(terms, std::greater{},
                           [](const HistoryTerm& term) { return std::abs(term.added); });
  return terms;
}

}  // namespace orrery
