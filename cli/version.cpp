// orrery version
#include "orrery/version.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "output.h"
#include "verbs.h"

namespace orrery {
namespace {

void print_version(bool as_json) {
  if (!as_json) {
    to_stdout("orrery {}\ncompiler: {}, {}\nmatrix products: {}\nGPUs: {}\n", version(), BUILT_BY,
              BUILT_AS, BUILT_WITH, BUILT_FOR);
    return;
  }
  const nlohmann::ordered_json json = {{"version", version()},
                                       {"compiler", BUILT_BY},
                                       {"build", BUILT_AS},
                                       {"matrix_products", BUILT_WITH},
                                       {"gpus", BUILT_FOR}};
  print_json(json);
}

}  // namespace

void add_version(CLI::App& app) {
  auto* verb = app.add_subcommand("version", "The version, and what it was built with");
  const auto json = std::make_shared<bool>(false);
  add_json(*verb, *json);
  end_help(*verb, "", {"orrery version"});
  verb->callback([json] { print_version(*json); });
}

}  // namespace orrery
