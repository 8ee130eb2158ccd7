#include "judge/likely_span.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "judge/calibration.h"
#include "judge/score_row.h"

namespace orrery {
namespace {

// Log-probabilities of a fact's object and subject at every time.
struct SideCurves {
  std::vector<double> object, subject;
};

SideCurves curves_of(Asker& asker, const UndatedFact& undated, bool end) {
  const RelationIds ids = undated.relations;
  const Fact& fact = undated.fact;
  const auto entities = static_cast<std::size_t>(undated.entities);
  const std::size_t at_once = questions_in_hand(entities);
  std::vector<QueryPair> queries;
  for (const bool reciprocal : {false, true})
    for (std::int32_t row = 0; row < undated.times.size(); ++row) {
      const Query query{reciprocal ? fact.object : fact.subject,
                        ids.id(fact.relation, reciprocal, end), row};
      queries.push_back({query, query, false});
    }
  SideCurves curves;
  std::vector<float> scores;
  for (std::size_t begin = 0; begin < queries.size(); begin += at_once) {
    const auto some = std::span(queries).subspan(begin, std::min(at_once, queries.size() - begin));
    scores.resize(some.size() * entities);
    asker.score(some, scores);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::span<const float> all(scores);
      const ScoreRow row(all.subspan(i * entities, entities), {});
      const bool subject = begin + i >= queries.size() / 2;
      (subject ? curves.subject : curves.object)
          .push_back(row.log_probability(subject ? fact.subject : fact.object));
    }
  }
  return curves;
}

// Without calibration: against a candidate drawn from all.
std::vector<double> log_odds(const SideCurves& curves, std::int32_t entities,
                             const Calibration* calibration) {
  std::vector<double> odds;
  for (std::size_t t = 0; t < curves.object.size(); ++t) {
    if (calibration == nullptr) {
      odds.push_back((curves.object[t] + curves.subject[t]) / 2 + std::log(entities));
      continue;
    }
    constexpr double edge = 1e-9;
    const double p = std::clamp(fact_probability(*calibration, curves.object[t], curves.subject[t]),
                                edge, 1 - edge);
    odds.push_back(std::log(p / (1 - p)));
  }
  return odds;
}

// The run with the highest sum; of equal ones the first. It has one time at least.
Moment best_run(std::span<const double> odds) {
  Moment best;
  double highest = odds[0], sum = 0;
  std::int32_t begin = 0;
  for (std::int32_t t = 0; t < static_cast<std::int32_t>(odds.size()); ++t) {
    if (sum <= 0) {
      sum = 0;
      begin = t;
    }
    sum += odds[static_cast<std::size_t>(t)];
    if (t > 0 && sum <= highest) continue;
    highest = sum;
    best = {begin, t};
  }
  return best;
}

double mean_of(std::span<const double> odds, const Moment& rows) {
  double sum = 0;
  for (std::int32_t t = rows.start; t <= rows.end; ++t) sum += odds[static_cast<std::size_t>(t)];
  return sum / (rows.end - rows.start + 1);
}

std::vector<double> sum_of(const SideCurves& curves) {
  std::vector<double> sum;
  for (std::size_t t = 0; t < curves.object.size(); ++t)
    sum.push_back(curves.object[t] + curves.subject[t]);
  return sum;
}

std::int32_t highest_from(std::span<const double> curve, std::int32_t first) {
  const auto from = curve.begin() + first;
  return static_cast<std::int32_t>(std::max_element(from, curve.end()) - curve.begin());
}

LikelySpan likely_ends(Asker& asker, const UndatedFact& fact, const Moment& own) {
  LikelySpan found{.rows = own};
  if (own.start != Moment::unknown) {
    const auto starts = sum_of(curves_of(asker, fact, false));
    found.rows.start = highest_from(starts, 0);
    found.gain += starts[static_cast<std::size_t>(found.rows.start)] -
                  starts[static_cast<std::size_t>(own.start)];
  }
  if (own.end != Moment::unknown) {
    const auto ends = sum_of(curves_of(asker, fact, true));
    found.rows.end = highest_from(ends, std::max(0, found.rows.start));
    found.gain +=
        ends[static_cast<std::size_t>(found.rows.end)] - ends[static_cast<std::size_t>(own.end)];
  }
  return found;
}

}  // namespace

Moment likely_rows(Asker& asker, const UndatedFact& fact, const Calibration* calibration) {
  if (fact.times.has_ends()) return likely_ends(asker, fact, {0, 0}).rows;
  auto odds = log_odds(curves_of(asker, fact, false), fact.entities, calibration);
  // A fact that is likely at all times says when it holds by how its odds differ from their mean.
  const double mean = mean_of(odds, {0, fact.times.size() - 1});
  for (double& one : odds) one -= std::max(0.0, mean);
  return best_run(odds);
}

std::optional<LikelySpan> likely_span(Asker& asker, const TemporalGraph& data, const Fact& fact,
                                      const Calibration* calibration) {
  const Moment own = data.times.moments[static_cast<std::size_t>(fact.when)];
  if (own.start == Moment::unknown && own.end == Moment::unknown) return {};
  const UndatedFact undated{data.relation_ids(), data.times, data.entities.size(), fact};
  if (data.times.has_ends()) return likely_ends(asker, undated, own);
  const auto odds = log_odds(curves_of(asker, undated, false), data.entities.size(), calibration);
  LikelySpan found{.rows = best_run(odds)};
  found.gain = mean_of(odds, found.rows) - mean_of(odds, data.times.rows_of(fact));
  return found;
}

std::string span_text(const Timeline& times, const LikelySpan& span) {
  const auto text = [&](std::int32_t row) {
    return row == Moment::unknown ? "####" : times.rows[static_cast<std::size_t>(row)].label;
  };
  return text(span.rows.start) + '\t' + text(span.rows.end);
}

}  // namespace orrery
