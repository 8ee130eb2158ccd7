#include "judge/fit_lifetimes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

#include "data/filter_index.h"
#include "judge/held_out_gain.h"
#include "judge/questions.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

constexpr double pull_to_nothing = 1;
constexpr double longest_newton_step = 3;
constexpr int newton_steps = 25;
constexpr std::size_t most_weighed_at_once = 256;
constexpr std::size_t bins = 64;
// Of validation, evenly: a question reads all facts of train.
constexpr std::size_t most_facts = 10'000;

// Candidates of about the same timeliness are one: there are as many as bins, however many entities
// and questions.
struct CandidateBin {
  double log_weight = -std::numeric_limits<double>::infinity();  // log Σ exp(score)
  double timeliness = 0;                                         // their mean by those weights
};

struct WeighedQuestion {
  std::array<CandidateBin, bins> candidates;
  double score = 0, timeliness = 0;  // of the answer
  std::size_t number = 0;            // which is fitted: by relation and direction
  bool half = false;                 // of validation
};

WeighedQuestion weighed(const RankQuestion& question, std::span<float> scores,
                        std::span<const float> timeliness) {
  for (const std::int32_t known : question.known)
    if (known != question.target)
      scores[static_cast<std::size_t>(known)] = -std::numeric_limits<float>::infinity();
  const auto target = static_cast<std::size_t>(question.target);
  WeighedQuestion asked{
      .candidates = {}, .score = scores[target], .timeliness = timeliness[target]};
  const double highest = *std::ranges::max_element(scores);
  const double most = question.queries.paired ? 2 : 1;
  std::array<double, bins> weights = {};
  for (std::size_t e = 0; e < scores.size(); ++e) {
    const double weight = std::exp(scores[e] - highest);
    const auto bin = static_cast<std::size_t>(timeliness[e] / most * (bins - 1) + 0.5);
    weights[bin] += weight;
    asked.candidates[bin].timeliness += weight * timeliness[e];
  }
  for (std::size_t b = 0; b < bins; ++b) {
    if (weights[b] == 0) continue;
    asked.candidates[b].timeliness /= weights[b];
    asked.candidates[b].log_weight = highest + std::log(weights[b]);
  }
  return asked;
}

std::vector<WeighedQuestion> weighed_on_validation(Scorer& model, Scorer& timeliness,
                                                   const TemporalGraph& data, const Pause& pause) {
  TemporalGraph seen = data;
  seen.facts[static_cast<int>(Split::test)].clear();
  const FilterIndex filter(seen);
  const std::vector<Fact> facts = spread_facts(seen.split(Split::valid), most_facts);
  const auto entities = static_cast<std::size_t>(data.entities.size());
  const std::size_t facts_at_once = std::max<std::size_t>(
      1, std::min(most_weighed_at_once, questions_in_hand(entities)) / queries_per_fact);
  std::vector<WeighedQuestion> all;
  std::vector<float> scores, times;
  for (std::size_t begin = 0; begin < facts.size(); begin += facts_at_once) {
    if (pause) pause();
    const std::size_t size = std::min(facts_at_once, facts.size() - begin);
    const AskedQuestions questions =
        questions_of(seen, filter, std::span(facts).subspan(begin, size));
    const auto queries = queries_of(questions.questions);
    scores.resize(queries.size() * entities);
    times.resize(scores.size());
    model.score(queries, scores);
    timeliness.score(queries, times);
    for (std::size_t i = 0; i < queries.size(); ++i) {
      const std::size_t fact = begin + i / queries_per_fact;
      all.push_back(weighed(questions.questions[i],
                            std::span(scores).subspan(i * entities, entities),
                            std::span(times).subspan(i * entities, entities)));
      all.back().number =
          queries_per_fact * static_cast<std::size_t>(facts[fact].relation) + i % queries_per_fact;
      all.back().half = fact % 2 == 1;
    }
  }
  return all;
}

// −log p of the answer, and its derivatives by what timeliness is worth.
struct LossOfWorth {
  double value = 0, slope = 0, curvature = 0;
};
LossOfWorth loss_at(const WeighedQuestion& asked, double worth) {
  std::array<double, bins> scores;
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bins; ++b) {
    scores[b] = asked.candidates[b].log_weight + worth * asked.candidates[b].timeliness;
    highest = std::max(highest, scores[b]);
  }
  double sum = 0, mean = 0, squares = 0;
  for (std::size_t b = 0; b < bins; ++b) {
    const double weight = std::exp(scores[b] - highest);
    const double timeliness = asked.candidates[b].timeliness;
    sum += weight;
    mean += weight * timeliness;
    squares += weight * timeliness * timeliness;
  }
  mean /= sum;
  return {highest + std::log(sum) - asked.score - worth * asked.timeliness, mean - asked.timeliness,
          squares / sum - mean * mean};
}

// Newton's steps, each number on its own.
std::vector<double> fitted(std::span<const WeighedQuestion> all, std::span<const bool> halves,
                           std::size_t numbers) {
  std::vector<double> worth(numbers), slope(numbers), curvature(numbers);
  for (int round = 0; round < newton_steps; ++round) {
    for (std::size_t n = 0; n < numbers; ++n) {
      slope[n] = pull_to_nothing * worth[n];
      curvature[n] = pull_to_nothing;
    }
    for (const WeighedQuestion& asked : all) {
      if (std::ranges::find(halves, asked.half) == halves.end()) continue;
      const LossOfWorth loss = loss_at(asked, worth[asked.number]);
      slope[asked.number] += loss.slope;
      curvature[asked.number] += loss.curvature;
    }
    for (std::size_t n = 0; n < numbers; ++n)
      worth[n] -= std::clamp(slope[n] / curvature[n], -longest_newton_step, longest_newton_step);
  }
  return worth;
}

}  // namespace

std::vector<float> fit_lifetimes(Scorer& model, Scorer& timeliness, const TemporalGraph& data,
                                 const Pause& pause) {
  const RelationIds relations = data.relation_ids();
  std::vector<float> worth(static_cast<std::size_t>(relations.count()));
  const auto all = weighed_on_validation(model, timeliness, data, pause);
  if (all.empty()) return worth;
  const std::size_t numbers = queries_per_fact * static_cast<std::size_t>(relations.relations);
  std::vector<double> before(all.size()), after(all.size());
  for (const bool half : {false, true}) {
    const auto found = fitted(all, {{half}}, numbers);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].half == half) continue;
      before[i] = loss_at(all[i], 0).value;
      after[i] = loss_at(all[i], found[all[i].number]).value;
    }
  }
  if (!HeldOutGain(before, after).is_sure()) return worth;
  const auto found = fitted(all, {{false, true}}, numbers);
  for (std::int32_t row = 0; row < relations.count(); ++row) {
    const auto relation = static_cast<std::size_t>(relations.relation_of(row));
    worth[static_cast<std::size_t>(row)] = static_cast<float>(
        found[queries_per_fact * relation + (relations.is_reciprocal(row) ? 1 : 0)]);
  }
  return worth;
}

}  // namespace orrery
