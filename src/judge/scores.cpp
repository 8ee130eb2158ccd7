#include "judge/scores.h"

namespace orrery {

double rank_of(RankCounts counts, Ties rule) {
  const double best = 1.0 + counts.higher;
  switch (rule) {
    case Ties::pessimistic:
      return best + counts.equal;
    case Ties::realistic:
      return best + counts.equal / 2.0;
    default:
      return best;
  }
}

void ScoresSum::add(double rank) {
  ++count_;
  reciprocals_ += 1.0 / rank;
  hits1_ += rank <= 1.0;
  hits3_ += rank <= 3.0;
  hits10_ += rank <= 10.0;
}

Scores ScoresSum::mean() const {
  if (count_ == 0) return {};
  const auto total = static_cast<double>(count_);
  const auto share = [&](std::uint64_t hits) { return static_cast<double>(hits) / total; };
  return {.mrr = reciprocals_ / total,
          .hits1 = share(hits1_),
          .hits3 = share(hits3_),
          .hits10 = share(hits10_),
          .queries = count_};
}

Scores scores_of(std::span<const RankCounts> counts, Ties rule) {
  ScoresSum sum;
  for (const RankCounts& one : counts) sum.add(rank_of(one, rule));
  return sum.mean();
}

}  // namespace orrery
