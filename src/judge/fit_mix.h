// What several models weigh in their mixture, chosen on validation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/temporal_graph.h"
#include "engine/asker.h"

namespace orrery {

enum class MixKind {
  best_part,  // one model alone: no mixture was better
  average,    // every model the same, in units of its own best sharpness
  fitted,     // the weights under which validation's answers are most likely
};

struct MixFit {
  MixKind kind = MixKind::best_part;
  std::vector<double> weights = {};  // of the parts; 0: has no part in it
  std::size_t best_part = 0;
  std::size_t facts = 0;  // of validation that were asked: all, or as many as memory holds
  // MRR of each kind on halves of those facts that were left out when its weights were fitted.
  double mrr_of_best = 0, mrr_of_average = 0, mrr_of_fitted = 0;
};

// Scores are mixed as they are: a softmax would take the same number from every candidate of a
// question, and change neither ranks nor the mixture's own softmax. The better of average and fit
// is taken, if it is better than the best part by more than twice the standard error of the
// difference.
// Known answers of train and valid are no candidates; the test split has no part in it.
MixFit fit_mix(std::span<Asker* const> parts, const TemporalGraph& data, int threads = 0);

}  // namespace orrery
