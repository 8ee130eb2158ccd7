// All that a choice of weights needs of the scores of validation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "data/temporal_graph.h"
#include "engine/asker.h"
#include "orrery/evaluate.h"

namespace orrery {

// For each question the candidates that compete with its answer, and by how much each part scores
// them above it.
class MixRivals {
 public:
  // Facts are taken evenly from all of validation where memory does not hold the scores of all.
  MixRivals(std::span<Asker* const> parts, const TemporalGraph& data);

  std::size_t parts() const { return parts_; }
  std::size_t questions() const { return ends_.size(); }
  std::size_t facts() const { return facts_; }
  // leads(q)[part · rivals + rival]
  std::span<const float> leads(std::size_t question) const;
  // Both questions of a fact are of the same half.
  static bool half_of(std::size_t question) { return question / queries_per_fact % 2 == 1; }

 private:
  std::size_t parts_, facts_ = 0;
  std::vector<float> leads_;
  std::vector<std::size_t> ends_;  // of the questions' leads
};

}  // namespace orrery
