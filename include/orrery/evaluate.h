// Judging a trained model on held-out facts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "orrery/train.h"

namespace orrery {

struct EvaluateOptions {
  std::string data;             // empty: the data the run was trained on
  std::string split = "test";   // train, valid or test
  std::string device = "auto";  // as in TrainOptions
  std::int64_t threads = 0;     // 0: every core
  std::string memory;           // of the device, such as "4G"; empty: most of what is free
  bool verify = true;           // compare the file's checksums; without, damage may go unnoticed
};

// Fractions, from the ranks of each fact's object and subject among all entities; other answers
// known to be true at the same time are left out.
struct Evaluation {
  std::int64_t queries = 0;
  Scores pessimistic, realistic, optimistic;  // equal scores rank above, half, or below the answer
  Scores object, subject;                     // each direction alone, pessimistic
};

// `model`: a run directory or a model.safetensors file.
Evaluation evaluate(const std::filesystem::path& model, const EvaluateOptions& options = {});

}  // namespace orrery
