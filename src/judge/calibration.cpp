#include "judge/calibration.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>
#include <vector>

#include "base/error.h"
#include "judge/logistic_fit.h"
#include "judge/reliability.h"

namespace orrery {
namespace {

// Enough for three numbers, and a fraction of what a validation costs.
constexpr std::size_t most_facts_to_calibrate = 2500;
constexpr double fit_shrinkage = 1;
constexpr double least_doubt = 1e-6;  // of a softmax probability: scores are floats

// Of log p, −log(1 − p) and 1.
std::array<double, 3> features_of(double log_probability) {
  const double doubt = std::max(-std::expm1(log_probability), least_doubt);
  return {log_probability, -std::log(doubt), 1};
}

ProbabilityCurve fit_curve(std::vector<LogisticPoint<3>> points) {
  const auto [slope, tail, offset] =
      fit_logistic<3>(std::move(points), {1, 1, 0}, fit_shrinkage, 2);
  return {slope, tail, offset};
}

ProbabilityCurve fit_answers(std::span<const AnswerPoint> points, Direction asked) {
  std::vector<LogisticPoint<3>> known;
  for (const AnswerPoint& point : points)
    if (point.asked == asked) known.push_back({features_of(point.log_probability), point.truth});
  return fit_curve(std::move(known));
}

FactWeights fit_weights(std::span<const FactPoint> points) {
  std::vector<LogisticPoint<4>> known;
  for (const auto& [truth, object, subject] : points)
    known.push_back({{object, subject, std::min(object, subject), 1}, truth});
  const auto [object, subject, weaker, offset] =
      fit_logistic<4>(std::move(known), {0, 0, 0, 0}, fit_shrinkage, 3);
  return {object, subject, weaker, offset};
}

// log σ of the weighted sum.
double log_probability_of(const FactWeights& weights, double object, double subject) {
  const double sum = weights.object * object + weights.subject * subject +
                     weights.weaker * std::min(object, subject) + weights.offset;
  return sum < 0 ? sum - std::log1p(std::exp(sum)) : -std::log1p(std::exp(-sum));
}

// A weighted sum alone is too sure of one end.
ProbabilityCurve fit_facts(std::span<const FactPoint> points, const FactWeights& weights) {
  std::vector<LogisticPoint<3>> known;
  for (const auto& [truth, object, subject] : points)
    known.push_back({features_of(log_probability_of(weights, object, subject)), truth});
  return fit_curve(std::move(known));
}

// Both before and after; `before` and `after` give a point's probability.
template <class Point, class Before, class After>
CalibrationMeasure measure_of(const std::vector<Point>& points, bool calibrated,
                              const Before& before, const After& after) {
  std::vector<Prediction> predictions;
  for (const Point& point : points) predictions.push_back({before(point), point.truth});
  CalibrationMeasure measure{.before = reliability_of(predictions), .count = points.size()};
  if (!calibrated) return measure;
  for (std::size_t i = 0; i < points.size(); ++i) predictions[i].probability = after(points[i]);
  measure.after = reliability_of(std::move(predictions));
  return measure;
}

}  // namespace

double ProbabilityCurve::at(double log_probability) const {
  const auto [log_p, log_doubt, one] = features_of(log_probability);
  return sigmoid(slope * log_p + tail * log_doubt + offset * one);
}

double answer_probability(const Calibration& calibration, Direction asked, double log_probability) {
  return (asked == Direction::object ? calibration.object : calibration.subject)
      .at(log_probability);
}

double fact_probability(const Calibration& calibration, double object_log_probability,
                        double subject_log_probability) {
  return calibration.fact_curve.at(
      log_probability_of(calibration.fact, object_log_probability, subject_log_probability));
}

std::optional<Calibration> fit_calibration(Asker& asker, const TemporalGraph& data) {
  if (data.split(Split::valid).size() < least_facts_to_calibrate) return {};
  const CalibrationPoints points =
      calibration_points(asker, data, Split::valid, most_facts_to_calibrate);
  if (!points.finite) return {};
  const FactWeights weights = fit_weights(points.facts);
  return Calibration{.object = fit_answers(points.answers, Direction::object),
                     .subject = fit_answers(points.answers, Direction::subject),
                     .fact = weights,
                     .fact_curve = fit_facts(points.facts, weights),
                     .facts = points.asked};
}

CalibrationReport measured_calibration(Asker& asker, const TemporalGraph& data, Split split,
                                       const std::optional<Calibration>& calibration) {
  if (data.split(split).empty())
    fail_request(About{.option = "split", .advice = "choose another split or data set"},
                 "the {} split is empty", name_of(split));
  const CalibrationPoints points = calibration_points(asker, data, split, data.split(split).size());
  if (!points.finite) fail_model("a score of the model is not a finite number");
  const auto answers = [&](const std::vector<AnswerPoint>& some) {
    return measure_of(
        some, calibration.has_value(),
        [](const AnswerPoint& point) { return std::exp(point.log_probability); },
        [&](const AnswerPoint& point) {
          return answer_probability(*calibration, point.asked, point.log_probability);
        });
  };
  std::vector<AnswerPoint> best;
  std::ranges::copy_if(points.answers, std::back_inserter(best), &AnswerPoint::best);
  return {.split = split,
          .first = answers(best),
          .ten = answers(points.answers),
          .fact = measure_of(
              points.facts, calibration.has_value(),
              [](const FactPoint& point) {
                return (std::exp(point.object) + std::exp(point.subject)) / 2;
              },
              [&](const FactPoint& point) {
                return fact_probability(*calibration, point.object, point.subject);
              })};
}

}  // namespace orrery
