#include "judge/fit_when.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/random.h"
#include "data/filter_index.h"
#include "judge/choice_fit.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

constexpr std::uint64_t fact_key = 0x7768656e66616374, time_key = 0x7768656e74696d65;
constexpr std::size_t least_facts = 50;
constexpr std::int32_t least_times = 8, most_times = 200'000;
// Times of a choice: the true one and others that are drawn.
constexpr std::size_t times_of_choice = 32;
constexpr std::uint64_t draws_of_time = 4;  // of each, until one is another time
// Activity costs little; the model's part costs two questions a time.
constexpr std::size_t most_facts_of_activity = 2000;
constexpr std::size_t least_facts_of_model = 30, most_facts_of_model = 500;
constexpr double shrinkage = 3;

std::size_t facts_for_model(std::size_t at_hand, std::int32_t entities) {
  constexpr std::size_t most_scores = std::size_t{1} << 31;
  const std::size_t payable =
      most_scores / (2 * times_of_choice * static_cast<std::size_t>(entities));
  return std::min(at_hand, std::clamp(payable, least_facts_of_model, most_facts_of_model));
}

std::vector<Fact> drawn_facts(const TemporalGraph& data, Split split, std::size_t most) {
  const auto& facts = data.split(split);
  const RandomPermutation shuffled(facts.size(), fact_key);
  std::vector<Fact> drawn;
  for (std::size_t i = 0; i < std::min(facts.size(), most); ++i)
    drawn.push_back(facts[static_cast<std::size_t>(shuffled(i))]);
  return drawn;
}

// Times at which the same three are known, up to a split; ascending.
std::vector<std::int32_t> known_times(const FactIndex& index, const Fact& fact, Split last) {
  std::vector<std::int32_t> times;
  for (const auto& entry : index.facts_of(fact.subject, Side::subject, fact.relation))
    if (entry.other == fact.object && entry.split <= last) times.push_back(entry.when);
  std::ranges::sort(times);
  return times;
}

// The true time first, then others at which the fact is not known to be.
std::vector<std::int32_t> drawn_times(const TemporalGraph& data, const FactIndex& index,
                                      const Fact& fact, std::uint64_t place) {
  const auto known = known_times(index, fact, Split::valid);
  std::vector<std::int32_t> times = {fact.when};
  for (std::size_t i = 1; i < times_of_choice; ++i)
    for (std::uint64_t draw = 0; draw < draws_of_time; ++draw) {
      const std::uint64_t counter = (place * times_of_choice + i) * draws_of_time + draw;
      const auto time = static_cast<std::int32_t>(
          random_below(time_key, counter, static_cast<std::uint32_t>(data.times.size())));
      if (time == fact.when || std::ranges::binary_search(known, time)) continue;
      times.push_back(time);
      break;
    }
  return times;
}

// A model's log-odds of a fact's object and subject at some times, added; other answers that are
// known then are left out.
std::vector<double> plausibility(Asker& asker, const TemporalGraph& data, const FilterIndex& filter,
                                 const Fact& fact, std::span<const std::int32_t> times) {
  const auto entities = static_cast<std::size_t>(data.entities.size());
  const RelationIds ids = data.relation_ids();
  std::vector<double> sums(times.size());
  std::vector<float> scores;
  for (const Direction asked : {Direction::object, Direction::subject}) {
    const bool reciprocal = asked == Direction::subject;
    const std::int32_t answer = reciprocal ? fact.subject : fact.object;
    const std::size_t at_once = questions_in_hand(entities);
    for (std::size_t begin = 0; begin < times.size(); begin += at_once) {
      const auto some = times.subspan(begin, std::min(at_once, times.size() - begin));
      std::vector<QueryPair> queries;
      for (const std::int32_t time : some) {
        const Query query{reciprocal ? fact.object : fact.subject,
                          ids.id(fact.relation, reciprocal, false), time};
        queries.push_back({query, query, false});
      }
      scores.resize(some.size() * entities);
      asker.score(queries, scores);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const auto known =
            filter.known_answers({fact.subject, fact.relation, fact.object, some[i]}, asked);
        std::vector<std::int32_t> left_out(known.begin(), known.end());
        const auto place = std::ranges::lower_bound(left_out, answer);
        if (place == left_out.end() || *place != answer) left_out.insert(place, answer);
        const ScoreRow row(std::span<const float>(scores).subspan(i * entities, entities),
                           left_out);
        sums[begin + i] += row.log_odds(answer);
      }
    }
  }
  return sums;
}

TemporalGraph without_test(const TemporalGraph& data) {
  TemporalGraph graph = data;
  graph.facts[static_cast<std::size_t>(Split::test)].clear();
  return graph;
}

std::vector<ChoiceSet<Activity::features>> activity_choices(const TemporalGraph& data,
                                                            const FactIndex& index,
                                                            std::span<const Fact> facts) {
  std::vector<ChoiceSet<Activity::features>> choices;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const Fact& fact = facts[i];
    const Activity activity(index, data.times.size(), fact.subject, fact.relation, fact.object);
    choices.emplace_back();
    for (const std::int32_t time : drawn_times(data, index, fact, i))
      choices.back().push_back(activity.at(time));
  }
  return choices;
}

double rank_of(std::span<const double> values, std::int32_t time,
               std::span<const std::int32_t> left_out) {
  const double own = values[static_cast<std::size_t>(time)];
  double rank = 1;
  for (std::size_t t = 0; t < values.size(); ++t) {
    const auto other = static_cast<std::int32_t>(t);
    if (other == time || std::ranges::binary_search(left_out, other)) continue;
    rank += values[t] > own ? 1 : values[t] == own ? 0.5 : 0;
  }
  return rank;
}

TimeRanks ranks_of(std::vector<double> ranks) {
  std::ranges::sort(ranks);
  const auto count = static_cast<double>(ranks.size());
  TimeRanks found{.mean = std::accumulate(ranks.begin(), ranks.end(), 0.0) / count,
                  .median = (ranks[(ranks.size() - 1) / 2] + ranks[ranks.size() / 2]) / 2};
  for (const double rank : ranks) {
    found.mrr += 1 / rank / count;
    found.hits10 += (rank <= 10 ? 1 : 0) / count;
  }
  return found;
}

}  // namespace

double activity_part(const WhenFit& fit, const Activity& activity, std::int32_t time) {
  const Activity::Features features = activity.at(time);
  double sum = 0;
  for (std::size_t i = 0; i < features.size(); ++i) sum += fit.activity[i] * features[i];
  return sum;
}

std::optional<WhenFit> fit_when(Asker& asker, const TemporalGraph& whole) {
  const std::size_t at_hand = whole.split(Split::valid).size();
  if (whole.times.intervals || at_hand < least_facts || whole.times.size() < least_times ||
      whole.times.size() > most_times)
    return {};
  const TemporalGraph data = without_test(whole);
  const FactIndex index(data);
  const FilterIndex filter(data);
  // What the model's part is worth beside activity is asked of facts that activity was not fitted
  // on.
  const std::size_t for_model = facts_for_model(at_hand / 3, data.entities.size());
  const auto facts = drawn_facts(data, Split::valid, for_model + most_facts_of_activity);
  const auto choices = activity_choices(data, index, std::span(facts).subspan(for_model));
  const auto activity = lowest_of(ChoiceLoss<Activity::features>{choices, {}, shrinkage});

  std::vector<ChoiceSet<2>> both;
  for (std::size_t i = 0; i < for_model; ++i) {
    const Fact& fact = facts[i];
    const Activity around(index, data.times.size(), fact.subject, fact.relation, fact.object);
    const auto times = drawn_times(data, index, fact, i);
    const auto model = plausibility(asker, data, filter, fact, times);
    if (!std::ranges::all_of(model, [](double one) { return std::isfinite(one); })) return {};
    both.emplace_back();
    for (std::size_t t = 0; t < times.size(); ++t)
      both.back().push_back({model[t], weighted_sum(activity, around.at(times[t]))});
  }
  const auto [model, share] = lowest_of(ChoiceLoss<2>{both, {0, 0}, shrinkage});
  WhenFit fit{.model = std::max(model, 0.0), .activity = {}, .facts = facts.size()};
  for (const double one : activity) fit.activity.push_back(std::max(share, 0.0) * one);
  return fit;
}

WhenReport measured_when(Asker& asker, const TemporalGraph& data, Split split,
                         const std::optional<WhenFit>& fit, std::size_t most) {
  if (data.times.intervals)
    fail_request(
        "when a fact was is measured for facts with one time each, and these have intervals");
  if (data.split(split).empty())
    fail_request("the {} split is empty: there is nothing to ask for", name_of(split));
  const FactIndex index(data);
  const FilterIndex filter(data);
  const auto facts = drawn_facts(data, split, std::max<std::size_t>(most, 1));
  std::vector<std::int32_t> times(static_cast<std::size_t>(data.times.size()));
  std::iota(times.begin(), times.end(), 0);
  std::vector<double> by_model, by_fit;
  for (const Fact& fact : facts) {
    auto values = plausibility(asker, data, filter, fact, times);
    const auto known = known_times(index, fact, Split::test);
    by_model.push_back(rank_of(values, fact.when, known));
    if (!fit) continue;
    const Activity activity(index, data.times.size(), fact.subject, fact.relation, fact.object);
    for (std::size_t t = 0; t < values.size(); ++t)
      values[t] =
          fit->model * values[t] + activity_part(*fit, activity, static_cast<std::int32_t>(t));
    by_fit.push_back(rank_of(values, fact.when, known));
  }
  WhenReport report{.split = split,
                    .facts = facts.size(),
                    .times = data.times.size(),
                    .model = ranks_of(std::move(by_model))};
  if (fit) report.fit = ranks_of(std::move(by_fit));
  return report;
}

}  // namespace orrery
