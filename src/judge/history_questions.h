// What a fit of history needs of validation: of every question the candidates that have features,
// and one sum over all others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/thread_pool.h"
#include "data/candidate_features.h"
#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "engine/ranking.h"
#include "judge/questions.h"

namespace orrery {

// What scores are multiplied by before the fit.
inline constexpr std::array sharpnesses = {0.4, 0.55, 0.7, 0.85, 1.0, 1.2};

class HistoryQuestions {
 public:
  struct Candidate {
    double score = 0;                // without what its features are worth
    std::size_t first = 0, end = 0;  // of its features
  };
  struct Question {
    // log Σ exp(sharpness · score) over candidates that have none.
    std::array<double, sharpnesses.size()> rest = {};
    std::size_t first = 0, end = 0;  // of its candidates
    std::ptrdiff_t target = -1;      // of them; −1: it has no features, and this score:
    double target_score = 0;
    bool half = false;  // of validation
  };

  // Known answers of train and valid are no candidates; the test split has no part in it. Facts are
  // taken evenly from all of validation where there would be more than `most_features`.
  HistoryQuestions(Asker& asker, const CandidateFeatures& features, std::span<const float> worth,
                   const TemporalGraph& data, ThreadPool& pool, const Pause& pause = {},
                   std::size_t most_features = std::size_t{1} << 23);

  std::vector<Question> questions;
  std::vector<Candidate> candidates;
  std::vector<std::int32_t> weights;  // of candidates' features

 private:
  // Leaves in `scores` those that have no features.
  void add(const RankQuestion& question, const CandidateFeatures& features,
           std::span<const float> worth, std::span<float> scores, bool half);
};

}  // namespace orrery
