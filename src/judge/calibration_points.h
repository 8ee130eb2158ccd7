// What a calibration is fitted on and measured by: what a model says of the facts of a split, and
// what is true.
#pragma once

#include <cstddef>
#include <vector>

#include "data/drawn_times.h"
#include "data/temporal_graph.h"
#include "engine/asker.h"

namespace orrery {

// One of the best answers to a question. Answers that an earlier split knows are left out.
struct AnswerPoint {
  Direction asked = Direction::object;
  bool best = false;           // of its question
  bool truth = false;          // the split has it
  double log_probability = 0;  // softmax over all that no earlier split knows
};

// A fact of the split, or one with another entity on one side that is not known to be true.
struct FactPoint {
  bool truth = false;
  double object = 0, subject = 0;  // log-probabilities, each with the other side given
};

struct CalibrationPoints {
  std::vector<AnswerPoint> answers;
  std::vector<FactPoint> facts;  // as many false ones as true ones
  std::size_t asked = 0;         // facts of the split
  bool finite = true;            // the model's scores are numbers
};

inline constexpr std::size_t calibrated_answers = 10;

// Of at most `most` facts, which are drawn. Later splits than `split` have no part in it.
CalibrationPoints calibration_points(Asker& asker, const TemporalGraph& data, Split split,
                                     std::size_t most);

}  // namespace orrery
