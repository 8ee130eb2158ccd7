// Probabilities that mean what they say: of the answers that are given 0.7, seven in ten are true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "orrery/facts.h"

namespace orrery {

// From a probability p to another, which rises with it: σ(slope · log p − tail · log(1 − p) +
// offset).
struct ProbabilityCurve {
  double slope = 1, tail = 1, offset = 0;

  double at(double log_probability) const;
  friend bool operator==(const ProbabilityCurve&, const ProbabilityCurve&) = default;
};

// What the log-probabilities of a fact's object and of its subject say together: object · log p of
// the object + subject · log p of the subject + weaker · the lower of both + offset.
struct FactWeights {
  double object = 0, subject = 0, weaker = 0, offset = 0;

  friend bool operator==(const FactWeights&, const FactWeights&) = default;
};

// Fitted on validation after training; a model holds it (docs/calibration.md).
struct Calibration {
  ProbabilityCurve object, subject;  // of answers, from softmax; by which side is asked for
  // That a whole fact is true, against drawn false ones: from σ of its weighted sum.
  FactWeights fact;
  ProbabilityCurve fact_curve;
  std::uint64_t facts = 0;  // of validation, that it was fitted on

  friend bool operator==(const Calibration&, const Calibration&) = default;
};

// Predictions with about the same probability, and how many of them were true.
struct ReliabilityBin {
  double probability = 0;  // their mean
  double truth = 0;        // the share that is true
  std::uint64_t count = 0;
};

// The expected calibration error: the mean distance of both over all predictions, in 15 bins.
struct Reliability {
  double equal_mass = 0;                  // bins of as many predictions each
  double equal_width = 0;                 // bins of 1/15 of the probabilities
  std::vector<ReliabilityBin> bins = {};  // of equal mass, ascending
};

struct CalibrationMeasure {
  Reliability before;                     // softmax; of facts the mean of both directions
  std::optional<Reliability> after = {};  // none: the model has no calibration
  std::uint64_t count = 0;                // of predictions
};

// Answers are those that no earlier split knows, and true where the split measured has them.
struct CalibrationReport {
  Split split = Split::test;
  CalibrationMeasure first, ten;  // the best answer to each question; the ten best
  CalibrationMeasure fact;        // facts, and as many drawn false ones
};

class Dataset;
class Model;

// Of a split's facts whose names the model knows, with its history; none at all: a request Error.
CalibrationReport measure_calibration(const Model& model, const Dataset& data,
                                      Split split = Split::test);

}  // namespace orrery
