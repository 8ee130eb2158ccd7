// Times drawn between the start and the end of a fact: pure functions, so that every device, every
// number of threads and every resumed run draws the same.
#pragma once

#include <array>
#include <cstdint>

#include "data/temporal_graph.h"

namespace orrery {

enum class Direction { object, subject };  // which side of the fact is asked for

struct Draw {
  std::uint64_t seed = 1;
  std::int64_t epoch = 1;
};

// The two time rows at which an epoch trains a fact: one of the first half of the rows in which it
// holds, one of the second. Every other draw is the outermost row, the start or the end, since what
// holds changes there and one row among many would hardly be seen; else all of a half are as
// likely.
std::array<std::int32_t, 2> drawn_rows(const TemporalGraph& data, const Fact& fact,
                                       Direction direction, const Draw& draw);

// The point at which an evaluation asks for a fact, uniform over all at which it holds; open sides
// reach to the edge of the axis. Equal facts are asked at the same point, whatever file they are
// from.
TimePoint asked_point(const TemporalGraph& data, const Fact& fact);

}  // namespace orrery
