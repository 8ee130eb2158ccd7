// One function a verb: adds it to the command line. No logic lives here; a verb reads its options,
// calls the library and prints.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_codes.h"

namespace orrery {

// Thrown when all is said and saved: how the program is to end, if not with 0.
struct EndWith {
  int code;
};

void add_train(CLI::App& app);
void add_compare(CLI::App& app);
void add_reproduce(CLI::App& app);
void add_sweep(CLI::App& app);
void add_mix(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_predict(CLI::App& app);
void add_serve(CLI::App& app);
void add_audit(CLI::App& app);
void add_explain(CLI::App& app);
void add_inspect(CLI::App& app);
void add_export(CLI::App& app);
void add_add(CLI::App& app);
void add_models(CLI::App& app);
void add_help(CLI::App& app);
void add_version(CLI::App& app);
void add_completion(CLI::App& app);

void add_data_check(CLI::App& data);
void add_data_list(CLI::App& data);
void add_data_get(CLI::App& data);
void add_data_demo(CLI::App& data);
void add_data_split(CLI::App& data);
void add_data_convert(CLI::App& data);

}  // namespace orrery
