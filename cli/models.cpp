// orrery models
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/registry.h"
#include "verbs.h"

namespace orrery {
namespace {

// The values an option takes over all variants of a model, the default first.
std::vector<std::string_view> values_of(std::string_view model, std::string_view option) {
  std::vector<std::string_view> values;
  for (const auto& variant : all_variants()) {
    if (variant.name != model) continue;
    const auto value = variant.choice(option);
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  return values;
}

nlohmann::ordered_json describe(const ModelVariant& model) {
  nlohmann::ordered_json json = {{"name", model.name},
                                 {"title", model.title},
                                 {"paper", model.paper},
                                 {"query", model.formula},
                                 {"options", nlohmann::json::object()},
                                 {"without", nlohmann::json::array()}};
  for (const auto& choice : model.choices)
    json["options"][std::string(choice.option)] = values_of(model.name, choice.option);
  for (const auto& row : model.rows)
    if (row.without != Without::impossible) json["without"].push_back(row.name);
  return json;
}

void print(const nlohmann::ordered_json& model) {
  fmt::print("{}\n  {}\n  {}\n  query = {}\n", model["name"].get<std::string>(),
             model["title"].get<std::string>(), model["paper"].get<std::string>(),
             model["query"].get<std::string>());
  for (const auto& [option, values] : model["options"].items())
    fmt::print("  --{} {}\n", option, fmt::join(values.get<std::vector<std::string>>(), "|"));
  if (!model["without"].empty())
    fmt::print("  --without {}\n",
               fmt::join(model["without"].get<std::vector<std::string>>(), "|"));
  fmt::print("\n");
}

}  // namespace

void add_models(CLI::App& app) {
  auto* verb = app.add_subcommand("models", "List the models, their formulas and options");
  const auto json = std::make_shared<bool>(false);
  verb->add_flag("--json", *json, "Print JSON");
  verb->callback([json] {
    auto list = nlohmann::ordered_json::array();
    for (const auto name : model_names()) list.push_back(describe(find_variant(name, {})));
    if (*json) {
      fmt::print("{}\n", list.dump(2));
      return;
    }
    for (const auto& model : list) print(model);
  });
}

}  // namespace orrery
