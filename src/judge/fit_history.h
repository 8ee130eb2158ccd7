// What candidates' features are worth, fitted on validation after training. A model has learned the
// facts of train by heart, and those it is asked for it has not: numbers that are right while it
// trains are not yet right when it is asked.
#pragma once

#include <span>
#include <vector>

#include "data/candidate_features.h"
#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "judge/questions.h"

namespace orrery {

struct HistoryFit {
  std::vector<float> worth;  // by CandidateFeature::weight
  // −log p of validation's answers, of facts that were left out when the numbers were fitted.
  double before = 0, after = 0;
};

// `worth`: what the asker's model adds now, and what the fit shrinks towards. `groups`: for each
// feature of a relation row the group whose numbers are alike, or −1. How much it shrinks is chosen
// by leaving out one half of validation and then the other; where no fit is better than the numbers
// that are there by twice its standard error, they stay. Known answers of train and valid are no
// candidates; the test split has no part in it. `threads` do not change a number. `pause` may end
// it by throwing.
HistoryFit fit_history(Asker& asker, const CandidateFeatures& features,
                       std::span<const float> worth, std::span<const std::int32_t> groups,
                       const TemporalGraph& data, int threads = 0, const Pause& pause = {});

}  // namespace orrery
