// New facts, names and times into a trained model, without training it anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/options.h"
#include "orrery/train.h"

namespace orrery {

struct AddOptions {
  bool touched = false;  // also train the embeddings of known names that the new facts have
  std::int64_t epochs = 20;
  std::int64_t batch = 0;  // examples a step; 0: about ten steps an epoch
  double lr = 0;           // learning rate of the model's optimizer; 0: the model's
  std::uint64_t seed = 1;  // of new embeddings and of the order of examples
  // The facts the model was trained on. Some of them are trained beside the new ones, or new names
  // become answers to old questions; empty: new facts alone.
  std::optional<Dataset> known = {};
  std::int64_t rehearse = 5;  // so many of them for each new one, in each epoch (at least 1,000)
  std::int64_t threads = 0;   // 0: every core; the result does not depend on it
  std::string memory = {};    // such as "4G"; empty: most of what is free
};

// How a file of new facts is read: as the model's own facts were, at its granularity, all of it.
// `changes` are data options in the words of the command line: {"columns", "subject=who"}.
Dataset read_new_facts(const Model& model, const std::string& source,
                       const OptionChanges& changes = {});

// The model with the facts of all splits added. Embeddings of new entities, relations and times are
// trained on the CPU; all others are frozen, to the bit, unless `touched`. New times lie anywhere
// where facts are points in time, and before or after the model's where they are intervals. What
// cannot be added is a request Error. A model with history knows the new facts as well.
// Model::training() is how it went; when the observer stops it, the model is what was trained so
// far, and its ending is `interrupted`.
Model add(const Model& model, const Dataset& facts, const AddOptions& options = {},
          TrainObserver* observer = nullptr);

// The same into a file, which appears whole or not at all: whoever opens it while facts are added
// finds what was there before. Nothing is written when the observer stops it. An existing file is
// replaced only if `replace`, and only if it is a model's; the model of a run never is.
Model add_into(const std::filesystem::path& file, bool replace, const Model& model,
               const Dataset& facts, const AddOptions& options = {},
               TrainObserver* observer = nullptr);
// What add_into would refuse about the file is a request Error here, before facts are read.
void require_place_for_model(const std::filesystem::path& file, bool replace);

}  // namespace orrery
