// What is known of a question's candidates beside their embeddings. Every feature is worth a
// learned number, which is added to the candidate's score. Engines know this, and nothing of where
// features come from.
#pragma once

#include <cstdint>
#include <vector>

#include "data/query.h"

namespace orrery {

struct CandidateFeature {
  std::int32_t entity = 0;
  std::int32_t weight = 0;  // its place in the learned table: relation row by relation row

  friend auto operator<=>(const CandidateFeature&, const CandidateFeature&) = default;
};

// A pure function, safe in many threads at once.
class CandidateFeatures {
 public:
  virtual ~CandidateFeatures() = default;
  // Appends those of a question's candidates; a candidate may have several.
  virtual void append(const Query& query, std::vector<CandidateFeature>& features) const = 0;
};

}  // namespace orrery
