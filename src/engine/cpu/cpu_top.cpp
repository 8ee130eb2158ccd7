// The best answers. Rows of scores are cut into chunks by their length alone, so that the answer to
// one question over many entities, too, is the work of all threads, and is the same for any number
// of them.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/agreement.h"
#include "base/error.h"
#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t chunk_scores = std::size_t{1} << 14;
constexpr std::size_t block_scores = 64;    // that are compared with the bound at once
constexpr std::size_t parts_at_once = 256;  // enough for every core, and few enough to keep

// The best k of what was found, unsorted, with the worst of them last.
void keep_best(std::vector<ScoredEntity>& found, std::size_t k) {
  if (found.size() <= k) return;
  const auto worst = found.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::ranges::nth_element(found, worst, is_better);
  found.resize(k);
}

bool any_above(const float* scores, std::size_t count, float bound) {
  int above = 0;
  for (std::size_t i = 0; i < count; ++i) above |= static_cast<int>(scores[i] > bound);
  return above != 0;
}

// Looks through scores[begin … end). What has been found is cut down to the best k whenever it is
// twice as long; from then on only higher scores count, since ids ascend.
void find_best_of(const float* scores, std::size_t begin, std::size_t end, std::size_t k,
                  std::vector<ScoredEntity>& found) {
  found.clear();
  if (k == 0) return;
  float bound = -std::numeric_limits<float>::infinity();
  for (std::size_t first = begin; first < end; first += block_scores) {
    const std::size_t last = std::min(first + block_scores, end);
    if (!any_above(scores + first, last - first, bound)) continue;
    for (std::size_t e = first; e < last; ++e) {
      if (!(scores[e] > bound)) continue;
      found.push_back({static_cast<std::int32_t>(e), scores[e]});
      if (found.size() < 2 * k) continue;
      keep_best(found, k);
      bound = found.back().score;
    }
  }
  keep_best(found, k);
}

// The chunks of a row, in order.
void join(std::span<const TopPart> parts, std::size_t k, TopAnswers& answers) {
  answers.best.clear();
  float highest = parts.front().highest;
  for (const TopPart& part : parts) {
    answers.best.insert(answers.best.end(), part.best.begin(), part.best.end());
    highest = std::max(highest, part.highest);
  }
  keep_best(answers.best, k);
  std::ranges::sort(answers.best, is_better);
  double sum = 0;
  for (const TopPart& part : parts)
    sum += part.sum * std::exp(static_cast<double>(part.highest) - highest);
  answers.highest = highest;
  answers.log_sum = highest + std::log(sum);
}

class CpuAsker final : public Asker {
 public:
  CpuAsker(const CpuEngine& engine, int threads) : engine_(engine), work_(threads) {}

  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    engine_.score(work_, queries, scores);
  }
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override {
    engine_.rank(work_, questions, counts);
  }
  void top(std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) override {
    engine_.top(work_, queries, k, answers);
  }

 private:
  const CpuEngine& engine_;
  Workspace work_;
};

}  // namespace

// Of the unit's rows of scores, which are those of `questions`.
void CpuEngine::find_best(Workspace& work, std::span<const std::size_t> questions, std::size_t k,
                          std::span<TopAnswers> answers) const {
  const auto entities = static_cast<std::size_t>(own_.count);
  const std::size_t chunks = (entities + chunk_scores - 1) / chunk_scores;
  const std::size_t rows_at_once = std::max<std::size_t>(1, parts_at_once / chunks);
  for (std::size_t done = 0; done < questions.size(); done += rows_at_once) {
    const std::size_t rows = std::min(rows_at_once, questions.size() - done);
    if (work.parts.size() < rows * chunks) work.parts.resize(rows * chunks);
    work.pool.run(rows * chunks, [&](std::size_t task) {
      const std::size_t row = done + task / chunks, begin = task % chunks * chunk_scores;
      const std::size_t end = std::min(begin + chunk_scores, entities);
      const float* scores = work.scores.data() + row * score_stride_;
      TopPart& part = work.parts[task];
      if (!kernels_.peak(scores + begin, end - begin, part.highest, part.sum))
        fail_unrankable(questions[row]);
      find_best_of(scores, begin, end, k, part.best);
    });
    parallel_for(work.pool, rows, row_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row)
        join({work.parts.data() + row * chunks, chunks}, k, answers[questions[done + row]]);
    });
  }
}

void CpuEngine::top(Workspace& work, std::span<const QueryPair> queries, std::size_t k,
                    std::span<TopAnswers> answers) const {
  const std::size_t most = std::min(k, static_cast<std::size_t>(plan_.shape.entities));
  const auto order = asking_order(queries, plan_.variant->candidates);
  std::vector<QueryPair> asked(std::min(unit_rows_, queries.size()));
  for (std::size_t done = 0; done < queries.size(); done += unit_rows_) {
    const std::size_t rows = std::min(unit_rows_, queries.size() - done);
    for (std::size_t i = 0; i < rows; ++i) asked[i] = queries[order[done + i]];
    score_pairs(work, {asked.data(), rows});
    // A score of one process that is no number is an Error of all.
    together(blocks_.processes(), [&] {
      find_best(work, {order.data() + done, rows}, std::min(most, rows_here(0)), answers);
    });
    if (is_shared()) blocks_.join_answers({order.data() + done, rows}, most, answers);
  }
}

std::unique_ptr<Asker> CpuEngine::asker(int threads) const {
  return std::make_unique<CpuAsker>(*this, threads);
}

}  // namespace orrery::cpu
