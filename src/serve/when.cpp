#include "serve/when.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "judge/calibration.h"
#include "judge/fit_when.h"
#include "judge/likely_span.h"
#include "serve/asked_scores.h"

namespace orrery {
namespace {

// The best `top` candidates by their shares that are allowed; ratings and shares by candidate.
std::vector<std::size_t> best_places(std::span<const double> shares, const AnswerLimits& limits,
                                     std::size_t top) {
  std::vector<std::size_t> places(shares.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::erase_if(places,
                [&](std::size_t i) { return !limits.allows(static_cast<std::int32_t>(i)); });
  std::ranges::stable_sort(places, std::greater<>(), [&](std::size_t i) { return shares[i]; });
  if (places.size() > top) places.resize(top);
  return places;
}

std::vector<double> plausibilities(std::span<const FactRating> ratings) {
  std::vector<double> values;
  values.reserve(ratings.size());
  for (const FactRating& rating : ratings) values.push_back(rating.plausibility());
  return values;
}

std::vector<FactIds> at_all_times(const ModelHeader& header, const QuestionIds& question) {
  std::vector<FactIds> facts;
  for (std::int32_t row = 0; row < header.times.size(); ++row)
    facts.push_back({question.subject, question.relation, question.object, {row}});
  return facts;
}

// What train tells around each time says more than the model alone.
void add_activity(const WhenFit& fit, const FactsAtHand& facts, const QuestionIds& question,
                  std::span<double> values) {
  const auto times = static_cast<std::int32_t>(values.size());
  const Activity activity(facts.index, times, question.subject, question.relation, question.object);
  for (std::int32_t t = 0; t < times; ++t) {
    double& value = values[static_cast<std::size_t>(t)];
    value = fit.model * value + activity_part(fit, activity, t);
  }
}

LikelyInterval likely_interval(const ModelHeader& header, Asker& asker, const QuestionIds& question,
                               const Calibration* calibration) {
  const Moment rows = likely_rows(asker,
                                  {header.relation_ids(),
                                   header.times,
                                   header.entities.size(),
                                   {question.subject, question.relation, question.object, 0}},
                                  calibration);
  const auto row = [&](std::int32_t i) { return header.times.rows[static_cast<std::size_t>(i)]; };
  return {label(row(rows.start).first, header.times.granularity),
          label(row(rows.end).last, header.times.granularity)};
}

}  // namespace

Answers best_times(const StoredModel& model, Asker& asker, const AnswerAids& aids,
                   const QuestionIds& question, const AnswerLimits& limits, std::size_t top) {
  const ModelHeader& header = model.header();
  const auto ratings = rate(model, asker, aids.facts, at_all_times(header, question));
  auto values = plausibilities(ratings);
  if (aids.when != nullptr && aids.facts != nullptr)
    add_activity(*aids.when, *aids.facts, question, values);
  const auto shares = softmax(values);
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  for (std::size_t i = 0; i < shares.size(); ++i)
    answers.curve.push_back({header.times.rows[i].label, ratings[i].score, shares[i]});
  for (const std::size_t i : best_places(shares, limits, top))
    answers.best.push_back({header.times.rows[i].label, ratings[i].score, shares[i]});
  if (header.times.intervals)
    answers.interval = likely_interval(header, asker, question, aids.calibration);
  return answers;
}

Answers best_relations(const StoredModel& model, Asker& asker, const FactsAtHand* facts,
                       const QuestionIds& question, const AnswerLimits& limits, std::size_t top) {
  const ModelHeader& header = model.header();
  std::vector<FactIds> candidates;
  for (std::int32_t r = 0; r < header.relations.size(); ++r)
    candidates.push_back({question.subject, r, question.object, question.time});
  const auto ratings = rate(model, asker, facts, candidates);
  const auto shares = softmax(plausibilities(ratings));
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  for (const std::size_t i : best_places(shares, limits, top))
    answers.best.push_back(
        {header.relations.name(static_cast<std::int32_t>(i)), ratings[i].score, shares[i]});
  return answers;
}

Answers rated_fact(const StoredModel& model, Asker& asker, const FactsAtHand* facts,
                   const Calibration* calibration, const QuestionIds& question) {
  const ModelHeader& header = model.header();
  const FactIds fact{question.subject, question.relation, question.object, question.time};
  const FactRating rating = rate(model, asker, facts, {&fact, 1}).front();
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  answers.best.push_back({header.entities.name(question.object), rating.score, rating.probability});
  if (calibration != nullptr)
    answers.best.front().calibrated =
        fact_probability(*calibration, log_probability_of(rating.object_log_odds),
                         log_probability_of(rating.subject_log_odds));
  return answers;
}

}  // namespace orrery
