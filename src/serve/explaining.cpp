#include "serve/explaining.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/probe.h"
#include "serve/asked_fact.h"
#include "serve/history_terms.h"
#include "serve/influence.h"
#include "serve/neighbours.h"
#include "serve/related_facts.h"

namespace orrery {
namespace {

constexpr std::size_t times_at_once = 256;

struct RankPlace {
  std::int64_t rank = 1, filtered_rank = 1;
};
// Of equal scores the worst place, as everywhere in evaluations.
RankPlace place_among(std::span<const float> scores, std::int32_t answer,
                      const std::vector<std::int32_t>& known) {
  RankPlace place;
  const float own = scores[static_cast<std::size_t>(answer)];
  for (std::size_t e = 0; e < scores.size(); ++e) {
    const auto entity = static_cast<std::int32_t>(e);
    if (entity == answer || scores[e] < own) continue;
    ++place.rank;
    if (!std::ranges::binary_search(known, entity)) ++place.filtered_rank;
  }
  return place;
}

void append_attention(Probe& probe, const Query& query, const char* event,
                      std::vector<AttentionWeight>& weights) {
  for (const NamedGate& gate : probe.attention(query))
    weights.push_back({std::string(gate.view), std::string(gate.part), event, gate.weight});
}

ExplainedSide explained_side(const StoredModel& model, Asker& asker, Probe& probe,
                             const TemporalGraph& data, const AskedFact& fact,
                             Direction direction) {
  const QueryPair queries = queries_at(model.header(), fact, direction, fact.time);
  const std::int32_t answer = fact.answer(direction);
  std::vector<float> scores(static_cast<std::size_t>(model.header().entities.size()));
  asker.score({&queries, 1}, scores);
  TopAnswers top;  // refuses scores that are no numbers
  asker.top({&queries, 1}, 1, {&top, 1});
  const auto known = known_answers(data, fact, direction);
  const bool own_is_known = std::ranges::binary_search(known, answer);
  const RankPlace place = place_among(scores, answer, known);
  ExplainedSide side;
  side.asked = direction == Direction::object ? "object" : "subject";
  side.score = scores[static_cast<std::size_t>(answer)];
  side.probability = std::exp(side.score - top.log_sum);
  side.rank = place.rank;
  side.filtered_rank = place.filtered_rank;
  side.known_others = static_cast<std::int64_t>(known.size()) - (own_is_known ? 1 : 0);
  side.entities = static_cast<std::int64_t>(scores.size());
  append_attention(probe, queries.first, queries.paired ? "start" : "", side.attention);
  if (queries.paired) append_attention(probe, queries.second, "end", side.attention);
  side.history = history_terms(model, queries, answer);
  return side;
}

std::vector<TimeScore> curve_of(const StoredModel& model, Asker& asker, Probe& probe,
                                const AskedFact& fact) {
  std::vector<TimeScore> curve;
  if (!fact.timed) return curve;
  const ModelHeader& header = model.header();
  const auto times = static_cast<std::size_t>(header.times.size());
  const std::int32_t answer = fact.object;
  for (std::size_t first = 0; first < times; first += times_at_once) {
    std::vector<QueryPair> queries;
    for (std::size_t t = first; t < std::min(times, first + times_at_once); ++t)
      queries.push_back(queries_at(header, fact, Direction::object, static_cast<std::int32_t>(t)));
    std::vector<TopAnswers> top(queries.size());
    asker.top(queries, 1, top);
    const auto score_of = [&](const Query& query) {
      return probe.scores(query, {&answer, 1}).front() + history_of_answer(model, query, answer);
    };
    for (std::size_t i = 0; i < queries.size(); ++i) {
      double score = score_of(queries[i].first);
      if (queries[i].paired) score += score_of(queries[i].second);
      curve.push_back({header.times.rows[first + i].label, score,
                       std::min(1.0, std::exp(score - top[i].log_sum))});
    }
  }
  return curve;
}

InfluentialFact named(const TemporalGraph& data, const RelatedFact& related, double influence) {
  const Fact& fact = related.fact;
  InfluentialFact one;
  one.subject = data.entities.name(fact.subject);
  one.relation = data.relations.name(fact.relation);
  one.object = data.entities.name(fact.object);
  const std::string& date = data.times.moment_names[static_cast<std::size_t>(fact.when)];
  const auto tab = date.find('\t');
  one.time = date.substr(0, tab);
  if (tab != std::string::npos) one.end = date.substr(tab + 1);
  one.link = related.link;
  one.influence = influence;
  return one;
}

// The strongest of one sign.
std::vector<InfluentialFact> strongest(const TemporalGraph& data,
                                       std::span<const RelatedFact> facts,
                                       const std::vector<double>& influence, double sign,
                                       std::size_t top) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < facts.size(); ++i)
    if (sign * influence[i] > 0) order.push_back(i);
  std::ranges::stable_sort(order, std::greater{},
                           [&](std::size_t i) { return sign * influence[i]; });
  if (order.size() > top) order.resize(top);
  std::vector<InfluentialFact> found;
  for (const std::size_t i : order) found.push_back(named(data, facts[i], influence[i]));
  return found;
}

void add_influences(const StoredModel& model, Asker& asker, const TemporalGraph& data,
                    const AskedFact& fact, const ExplainOptions& options, int threads,
                    Explanation& explanation) {
  ExplainOptions looked_at = options;
  looked_at.most_facts = most_influences(model, options.most_facts);
  const RelatedFacts related = related_facts(data, fact, looked_at);
  explanation.related_facts = related.all;
  explanation.compared_facts = related.nearest.size();
  if (data.split(Split::train).empty())
    explanation.influence_note = "the data has no training facts";
  else if (related.all == 0)
    explanation.influence_note =
        options.any_link ? "none has its subject or its object" : "none has two of its parts";
  else if (looked_at.most_facts == 0)
    explanation.influence_note =
        "the model's core tensor is too large for gradients of single facts";
  if (related.nearest.empty()) return;
  const auto influence = influences(model, asker, fact, related.nearest, threads);
  explanation.supporting = strongest(data, related.nearest, influence, 1, options.top);
  explanation.opposing = strongest(data, related.nearest, influence, -1, options.top);
}

}  // namespace

Explanation explain_fact(const StoredModel& model, Asker& asker, const TemporalGraph& data,
                         const Question& question, const ExplainOptions& options, int threads) {
  const AskedFact fact = asked_fact(model, question, options.untrained);
  Explanation explanation;
  explanation.fact = question;
  if (fact.timed)
    explanation.time = model.header().times.rows[static_cast<std::size_t>(fact.time)].label;
  explanation.note = fact.note;
  explanation.known = find_fact(data, fact);
  const auto probe = probe_of(model);
  explanation.object = explained_side(model, asker, *probe, data, fact, Direction::object);
  explanation.subject = explained_side(model, asker, *probe, data, fact, Direction::subject);
  explanation.curve = curve_of(model, asker, *probe, fact);
  add_influences(model, asker, data, fact, options, threads, explanation);
  explanation.near_subject = nearest_entities(model, fact.subject, options.neighbours);
  explanation.near_object = nearest_entities(model, fact.object, options.neighbours);
  return explanation;
}

}  // namespace orrery
