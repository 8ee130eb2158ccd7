// Judging a trained model on held-out facts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "orrery/train.h"

namespace orrery {

struct EvaluateOptions {
  std::string data;            // empty: the data the run was trained on
  std::string split = "test";  // train, valid or test
  std::int64_t threads = 0;
  std::string memory;
};

// Filtered ranks, both directions (SPEC: time-aware filter). Fractions.
struct Evaluation {
  std::int64_t queries = 0;
  Scores pessimistic, realistic, optimistic;
  Scores object, subject;
};

// `model`: a run directory or a model.safetensors file.
Evaluation evaluate(const std::filesystem::path& model, const EvaluateOptions& options = {});

}  // namespace orrery
