#include "serve/when.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

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

std::vector<FactRating> rated_times(const ModelHeader& header, Asker& asker,
                                    const QuestionIds& question) {
  std::vector<FactIds> facts;
  for (std::int32_t row = 0; row < header.times.size(); ++row)
    facts.push_back({question.subject, question.relation, question.object, {row}});
  return rate(header, asker, facts);
}

// The stretch of times whose values are the most above the mean of all.
LikelyInterval likeliest_stretch(const Timeline& times, std::span<const double> values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  std::size_t first = 0, best_first = 0, best_last = 0;
  double sum = 0, best = -1;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (sum <= 0) {
      sum = 0;
      first = i;
    }
    sum += values[i] - mean;
    if (sum > best) {
      best = sum;
      best_first = first;
      best_last = i;
    }
  }
  return {label(times.rows[best_first].first, times.granularity),
          label(times.rows[best_last].last, times.granularity)};
}

}  // namespace

Answers best_times(const StoredModel& model, Asker& asker, const QuestionIds& question,
                   const AnswerLimits& limits, std::size_t top) {
  const ModelHeader& header = model.header();
  const auto ratings = rated_times(header, asker, question);
  const auto values = plausibilities(ratings);
  const auto shares = softmax(values);
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  for (std::size_t i = 0; i < shares.size(); ++i)
    answers.curve.push_back({header.times.rows[i].label, ratings[i].score, shares[i]});
  for (const std::size_t i : best_places(shares, limits, top))
    answers.best.push_back({header.times.rows[i].label, ratings[i].score, shares[i]});
  if (header.times.intervals) answers.interval = likeliest_stretch(header.times, values);
  return answers;
}

Answers best_relations(const StoredModel& model, Asker& asker, const QuestionIds& question,
                       const AnswerLimits& limits, std::size_t top) {
  const ModelHeader& header = model.header();
  std::vector<FactIds> facts;
  for (std::int32_t r = 0; r < header.relations.size(); ++r)
    facts.push_back({question.subject, r, question.object, question.time});
  const auto ratings = rate(header, asker, facts);
  const auto shares = softmax(plausibilities(ratings));
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  for (const std::size_t i : best_places(shares, limits, top))
    answers.best.push_back(
        {header.relations.name(static_cast<std::int32_t>(i)), ratings[i].score, shares[i]});
  return answers;
}

Answers rated_fact(const StoredModel& model, Asker& asker, const QuestionIds& question) {
  const ModelHeader& header = model.header();
  const FactIds fact{question.subject, question.relation, question.object, question.time};
  const FactRating rating = rate(header, asker, {&fact, 1}).front();
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  answers.best.push_back({header.entities.name(question.object), rating.score,
                          std::exp(rating.object_log_probability)});
  return answers;
}

}  // namespace orrery
