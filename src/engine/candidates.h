// What queries are held against in a step, the same for every backend.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "data/query.h"
#include "engine/drawn_entity.h"
#include "engine/engine.h"
#include "math/lane.h"

namespace orrery {

// Where candidates depend on time, a step takes its examples in this order.
inline void order_by_time(std::vector<Example>& batch) {
  std::ranges::stable_sort(batch, {}, [](const Example& e) { return e.query.time; });
}

// Calls body(begin, end) for each run of `count` things of one time, by time_of(place); once for
// all of them where candidates do not depend on time.
template <class TimeOf, class Body>
void for_each_run(std::size_t count, Candidates candidates, const TimeOf& time_of,
                  const Body& body) {
  const bool by_time = candidates == Candidates::each_time;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    end = by_time ? begin + 1 : count;
    while (end < count && time_of(end) == time_of(begin)) ++end;
    body(begin, end);
  }
}

// A query of a question, and the question's row of scores.
struct AskedQuery {
  Query query;
  std::size_t row = 0;
};
// The first queries of pairs, or the second ones where there are any, in the order in which they
// are best asked: by time where candidates depend on it.
inline std::vector<AskedQuery> asked_queries(std::span<const QueryPair> pairs, bool seconds,
                                             Candidates candidates) {
  std::vector<AskedQuery> asked;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    if (!seconds || pairs[i].paired)
      asked.push_back({seconds ? pairs[i].second : pairs[i].first, i});
  if (candidates == Candidates::each_time)
    std::ranges::stable_sort(asked, {}, [](const AskedQuery& a) { return a.query.time; });
  return asked;
}

inline std::vector<std::int32_t> all_entities(std::int32_t entities) {
  std::vector<std::int32_t> ids(static_cast<std::size_t>(entities));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

// The candidates of a step, ascending: every entity, or with `negatives` the batch's answers and so
// many drawn ones (doubles count once).
inline std::vector<std::int32_t> candidate_ids(std::span<const Example> batch,
                                               std::int32_t entities, std::int32_t negatives,
                                               std::uint64_t step_key) {
  if (negatives == 0) return all_entities(entities);
  std::vector<std::int32_t> ids;
  for (const Example& example : batch) ids.push_back(example.object);
  for (std::int32_t i = 0; i < negatives; ++i) ids.push_back(drawn_entity(step_key, i, entities));
  std::ranges::sort(ids);
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

inline std::size_t position_of(const std::vector<std::int32_t>& ids, std::int32_t id) {
  return static_cast<std::size_t>(std::ranges::lower_bound(ids, id) - ids.begin());
}

// The readings of the plan's clock; without one, all of them count times.
inline std::vector<float> clock_of(const ModelPlan& plan) {
  if (!plan.clock.empty()) return plan.clock;
  const auto times = static_cast<std::size_t>(plan.shape.times);
  std::vector<float> clock(times * clock_readings);
  for (std::size_t t = 0; t < times; ++t) {
    float* reading = clock.data() + t * clock_readings;
    reading[static_cast<int>(ClockReading::span)] =
        times > 1 ? static_cast<float>(t) / static_cast<float>(times - 1) : 0.0F;
    reading[static_cast<int>(ClockReading::year)] = static_cast<float>(t);
    reading[static_cast<int>(ClockReading::month)] = static_cast<float>(1 + t % 12);
    reading[static_cast<int>(ClockReading::day)] = static_cast<float>(1 + t % 28);
  }
  return clock;
}

}  // namespace orrery
