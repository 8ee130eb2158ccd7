// The best answers, and askers.
#include <algorithm>
#include <cmath>

#include "base/agreement.h"
#include "engine/cuda/cuda_engine.h"
#include "engine/cuda/top_kernels.h"

namespace orrery::cuda {
namespace {

// That leave the device at once: 32 MiB, or one row's.
constexpr std::size_t most_answers = std::size_t{1} << 22;

// Uses the engine's own buffers, whatever thread asks: a device works off one question after the
// other anyway.
class CudaAsker final : public Asker {
 public:
  explicit CudaAsker(CudaEngine& engine) : engine_(engine) {}

  void score(std::span<const QueryPair> queries, std::span<float> scores) override {
    engine_.score(queries, scores);
  }
  void rank(std::span<const RankQuestion> questions, std::span<RankCounts> counts) override {
    engine_.rank(questions, counts);
  }
  void top(std::span<const QueryPair> queries, std::size_t k,
           std::span<TopAnswers> answers) override {
    engine_.top(queries, k, answers);
  }

 private:
  CudaEngine& engine_;
};

template <class T>
void grow(DeviceBuffer<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = DeviceBuffer<T>(size);
}

}  // namespace

// Of buffers_.scores from row `first` on, which are those of `questions`.
void CudaEngine::find_best(std::size_t first, std::span<const std::size_t> questions, std::size_t k,
                           std::span<TopAnswers> answers) {
  const std::size_t rows = questions.size();
  grow(best_, rows * k);
  grow(peaks_, rows);
  TopJob job;
  job.scores = buffers_.scores.data() + first * memory_.score_stride;
  job.stride = memory_.score_stride;
  job.rows = static_cast<std::int32_t>(rows);
  job.entities = own_entities();
  job.k = static_cast<std::int32_t>(k);
  job.best = best_.data();
  job.peaks = peaks_.data();
  select_top(job, stream_);
  std::vector<ScoredEntity> best(rows * k);
  std::vector<RowPeak> peaks(rows);
  best_.download(best, stream_);
  peaks_.download(peaks, stream_);
  for (std::size_t i = 0; i < rows; ++i) {
    if (!peaks[i].finite) fail_unrankable(questions[i]);
    TopAnswers& answer = answers[questions[i]];
    const auto begin = best.begin() + static_cast<std::ptrdiff_t>(i * k);
    answer.best.assign(begin, begin + static_cast<std::ptrdiff_t>(k));
    std::ranges::sort(answer.best, is_better);
    answer.highest = peaks[i].highest;
    answer.log_sum = answer.highest + std::log(peaks[i].sum);
  }
}

void CudaEngine::top(std::span<const QueryPair> queries, std::size_t k,
                     std::span<TopAnswers> answers) {
  const std::lock_guard lock(asking_);
  use_device();
  allocate_for_asking();
  const std::size_t best = std::min(k, static_cast<std::size_t>(plan_.shape.entities));
  const std::size_t fitting =
      std::max<std::size_t>(1, most_answers / std::max<std::size_t>(1, best));
  const auto order = asking_order(queries, plan_.variant->candidates);
  std::vector<QueryPair> asked;
  for (const std::size_t i : order) asked.push_back(queries[i]);
  const auto most = static_cast<std::size_t>(memory_.asking_rows);
  for (std::size_t done = 0; done < asked.size(); done += most) {
    const std::size_t rows = std::min(most, asked.size() - done);
    score_pairs(std::span(asked).subspan(done, rows));
    const std::size_t found = std::min(best, static_cast<std::size_t>(own_entities()));
    // A score of one process that is no number is an Error of all.
    together(blocks_.processes(), [&] {
      for (std::size_t row = 0; row < rows; row += fitting)
        find_best(row, std::span(order).subspan(done + row, std::min(fitting, rows - row)), found,
                  answers);
    });
    if (is_shared()) blocks_.join_answers(std::span(order).subspan(done, rows), best, answers);
  }
}

// Asking changes buffers of the engine and nothing else, one asker at a time; the host's threads
// have no part in it.
std::unique_ptr<Asker> CudaEngine::asker(int /*threads*/) const {
  return std::make_unique<CudaAsker>(const_cast<CudaEngine&>(*this));
}

}  // namespace orrery::cuda
