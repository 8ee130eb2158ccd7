// Metrics of link prediction, and their statistics over runs.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace orrery {

// Counts of candidates, without the answer and other answers known to be true at the same time.
struct RankCounts {
  std::int32_t higher = 0;  // scored higher than the answer
  std::int32_t equal = 0;   // scored the same

  friend bool operator==(const RankCounts&, const RankCounts&) = default;
};

// The rank, with G candidates scored higher and Q others scored equal.
enum class Ties {
  pessimistic,  // 1 + G + Q: the one reported by default
  realistic,    // 1 + G + Q/2
  optimistic,   // 1 + G
};
double rank_of(RankCounts counts, Ties ties = Ties::pessimistic);

// What a file of an earlier version does not say of its scores; tables show it as —.
inline constexpr double unknown_figure = std::numeric_limits<double>::quiet_NaN();

// Fractions, not percent; all 0 without queries.
struct Scores {
  double mrr = 0;
  double hits1 = 0;
  double hits3 = 0;
  double hits10 = 0;
  std::uint64_t queries = 0;  // number of ranks averaged; 0: not known

  friend bool operator==(const Scores&, const Scores&) = default;
};

// The metrics by name; files, tables and statistics loop over them.
struct ScorePart {
  std::string_view name;   // in JSON
  std::string_view title;  // in tables
  double Scores::*value = nullptr;
};
inline constexpr std::array score_parts = {
    ScorePart{"mrr", "MRR", &Scores::mrr}, ScorePart{"hits1", "Hits@1", &Scores::hits1},
    ScorePart{"hits3", "Hits@3", &Scores::hits3}, ScorePart{"hits10", "Hits@10", &Scores::hits10}};

Scores scores_of(std::span<const RankCounts> ranks, Ties ties = Ties::pessimistic);

struct Statistics {
  double mean = 0, deviation = 0;  // the deviation of a single value is 0
};
Statistics statistics_of(std::span<const double> values);  // all 0 without values

struct ScoreStatistics {
  Scores mean, deviation;  // the deviation of a single run is 0
};
ScoreStatistics statistics_of(std::span<const Scores> runs);

}  // namespace orrery
