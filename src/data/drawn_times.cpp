#include "data/drawn_times.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace orrery {
namespace {

constexpr std::uint64_t training_times = 0x77697468696e, asked_times = 0x61736b6564;

// Of what a fact says: its place in a file and the numbers of its moments do not matter.
std::uint64_t hash_of(const Fact& fact, const TimeSpan& span) {
  std::uint64_t hash = 0;
  for (const std::int64_t part : {std::int64_t{fact.subject}, std::int64_t{fact.relation},
                                  std::int64_t{fact.object}, span.first, span.last})
    hash = random_bits(hash, static_cast<std::uint64_t>(part));
  return hash;
}

const TimeSpan& span_of(const TemporalGraph& data, const Fact& fact) {
  return data.times.spans.at(static_cast<std::size_t>(fact.when));
}

}  // namespace

std::array<std::int32_t, 2> drawn_rows(const TemporalGraph& data, const Fact& fact,
                                       Direction direction, const Draw& draw) {
  const Moment rows = data.times.rows_of(fact);
  const TimeSpan& span = span_of(data, fact);
  const auto count = static_cast<std::uint32_t>(rows.end - rows.start + 1);
  const std::uint32_t half = (count + 1) / 2;  // the middle row of an odd number is in both
  const std::uint64_t key =
      random_bits(draw.seed ^ mix(training_times), static_cast<std::uint64_t>(draw.epoch));
  const std::uint64_t which = hash_of(fact, span) + (direction == Direction::subject ? 2 : 0);
  // How far from the side: nothing at all every other time, where something changes there.
  const auto inwards = [&](std::uint64_t side, bool changes) {
    const std::uint32_t drawn = random_below(key, which + side, changes ? 2 * half : half);
    return static_cast<std::int32_t>(drawn < half ? drawn : 0);
  };
  return {rows.start + inwards(0, span.has_start()), rows.end - inwards(1, span.has_end())};
}

TimePoint asked_point(const TemporalGraph& data, const Fact& fact) {
  const TimeSpan& span = span_of(data, fact);
  TimePoint first = span.first, last = span.last;
  if (!span.has_start()) first = data.times.rows.front().first;
  if (!span.has_end()) last = data.times.rows.back().last;
  if (!span.has_start()) first = std::min(first, last);
  if (!span.has_end()) last = std::max(first, last);
  const auto count = static_cast<double>(last - first + 1);
  const double at = random_uniform(asked_times, hash_of(fact, span)) * count;
  return std::min(last, first + static_cast<TimePoint>(std::floor(at)));
}

}  // namespace orrery
