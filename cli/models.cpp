// orrery models
#include "orrery/models.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "output.h"
#include "verbs.h"

namespace orrery {
namespace {

nlohmann::ordered_json json_of_model(const ModelInfo& model) {
  nlohmann::ordered_json json = {{"name", model.name},
                                 {"title", model.title},
                                 {"paper", model.paper},
                                 {"formula", model.formula},
                                 {"compared_by", model.score},
                                 {"parameters", model.parameters},
                                 {"options", nlohmann::json::object()},
                                 {"without", model.without},
                                 {"also", model.special_options}};
  for (const ModelChoice& choice : model.choices) json["options"][choice.name] = choice.values;
  return json;
}

void print_model(const ModelInfo& model) {
  to_stdout("{}\n  {}\n  {}\n  {}\n", model.name, model.title, model.paper, model.formula);
  to_stdout("  score = {}; parameters = {}\n", model.score, model.parameters);
  for (const ModelChoice& choice : model.choices)
    to_stdout("  --{} {}\n", choice.name, fmt::join(choice.values, "|"));
  if (!model.without.empty()) to_stdout("  --without {}\n", fmt::join(model.without, "|"));
  if (!model.special_options.empty())
    to_stdout("  --{}\n", fmt::join(model.special_options, ", --"));
  to_stdout("\n");
}

void print_models_json() {
  auto list = nlohmann::ordered_json::array();
  for (const ModelInfo& model : models()) list.push_back(json_of_model(model));
  print_json(list);
}

void print_models() {
  for (const ModelInfo& model : models()) print_model(model);
}

}  // namespace

void add_models(CLI::App& app) {
  auto* verb = app.add_subcommand("models", "List the models, their formulas and options");
  const auto json = std::make_shared<bool>(false);
  add_json(*verb, *json);
  end_help(*verb, "", {"orrery models"});
  verb->callback([json] { *json ? print_models_json() : print_models(); });
}

}  // namespace orrery
