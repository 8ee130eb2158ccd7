// The option table on a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "orrery/model.h"
#include "orrery/options.h"

namespace orrery {

struct ShownOptions {
  std::vector<OptionAbout> about = {};     // with `names` empty, too: all of the table
  std::vector<std::string> names = {};     // beside those
  std::vector<std::string> left_out = {};  // of those
  TrainOptions defaults = {};              // as the help shows them
  bool defaults_shown = true;
};
// What is typed is kept in `typed`, as text that set_options() takes.
void add_options(CLI::App& verb, OptionChanges& typed, const ShownOptions& shown = {});

// For verbs that ask a trained model: --device, --threads and --memory.
void add_machine_options(CLI::App& verb, OptionChanges& typed, const std::string& device);
MachineOptions machine_options(const OptionChanges& typed, const std::string& device);

CLI::Option* add_no_verify(CLI::App& verb, bool& verify);
void add_json(CLI::App& verb, bool& json);

// Whole numbers from 0 up; CLI11 alone would take -1 for the largest there is.
CLI::Validator whole_number();

}  // namespace orrery
