// Calibrated probabilities: what a model's log-probabilities have come to mean on validation.
#pragma once

#include <optional>

#include "data/drawn_times.h"
#include "judge/calibration_points.h"
#include "orrery/calibration.h"

namespace orrery {

// That an answer is true at the time of its question. `log_probability`: its score less
// log Σ exp(score) over the candidates that are not known to be true then, since these take what
// is left to the others; over all entities where nothing is known.
double answer_probability(const Calibration& calibration, Direction asked, double log_probability);
// That a whole fact is true, from the log-probabilities of its object and of its subject, each
// against the candidates that are not known.
double fact_probability(const Calibration& calibration, double object_log_probability,
                        double subject_log_probability);

// Fewer facts of validation than this say too little.
inline constexpr std::size_t least_facts_to_calibrate = 50;

// Of the model that the asker has. The same numbers for any number of threads. Nothing: there are
// too few facts, or the model's scores are no numbers.
std::optional<Calibration> fit_calibration(Asker& asker, const TemporalGraph& data);

// An empty split is a request Error.
CalibrationReport measured_calibration(Asker& asker, const TemporalGraph& data, Split split,
                                       const std::optional<Calibration>& calibration);

}  // namespace orrery
