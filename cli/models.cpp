// orrery models
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/registry.h"
#include "output.h"
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

std::string_view name_of(RowOf of) {
  switch (of) {
    case RowOf::entity:
      return "entities";
    case RowOf::relation:
      return "relation rows";
    case RowOf::time:
      return "times";
    case RowOf::window:
      return "windows";
    case RowOf::core:
      return "dim²";
    case RowOf::shared:
    case RowOf::answer:
      break;
  }
  return "1";
}

// "dim · (entities + 3 relation rows + 3 times)": two or, for intervals, four relation rows a
// relation.
std::string parameters_of(const ModelVariant& model) {
  std::vector<std::string> terms;
  for (const RowOf of :
       {RowOf::entity, RowOf::relation, RowOf::time, RowOf::window, RowOf::shared, RowOf::core}) {
    const auto rows = std::ranges::count_if(
        model.rows, [&](const RowSpec& row) { return row.trained && row.of == of; });
    if (rows == 1) terms.emplace_back(name_of(of));
    if (rows > 1) terms.push_back(fmt::format("{} {}", rows, name_of(of)));
  }
  return fmt::format("dim · ({})", fmt::join(terms, " + "));
}

// Options of training that only some models have.
std::vector<std::string> special_options(const ModelVariant& model) {
  std::vector<std::string> names;
  if (std::ranges::find(model.rows, RowOf::window, &RowSpec::of) != model.rows.end())
    names.emplace_back("window");
  if (!model.later_components.empty()) names.emplace_back("warmup");
  const auto asks = [&](SideQuestion question) {
    return model.side_answers[static_cast<std::size_t>(question)] >= 0;
  };
  if (asks(SideQuestion::relation)) names.emplace_back("relation-loss");
  if (asks(SideQuestion::time)) names.emplace_back("time-loss");
  return names;
}

nlohmann::ordered_json describe(const ModelVariant& model) {
  nlohmann::ordered_json json = {{"name", model.name},
                                 {"title", model.title},
                                 {"paper", model.paper},
                                 {"formula", model.formula},
                                 {"compared_by", model.comparator},
                                 {"parameters", parameters_of(model)},
                                 {"options", nlohmann::json::object()},
                                 {"without", nlohmann::json::array()},
                                 {"also", special_options(model)}};
  for (const auto& choice : model.choices)
    json["options"][std::string(choice.option)] = values_of(model.name, choice.option);
  for (const auto& row : model.rows)
    if (row.without != Without::impossible) json["without"].push_back(row.name);
  return json;
}

void print_model(const nlohmann::ordered_json& model) {
  to_stdout("{}\n", model["name"].get<std::string>());
  to_stdout("  {}\n  {}\n", model["title"].get<std::string>(), model["paper"].get<std::string>());
  to_stdout("  {}\n", model["formula"].get<std::string>());
  to_stdout("  score = {}; parameters = {}\n", model["compared_by"].get<std::string>(),
            model["parameters"].get<std::string>());
  for (const auto& [option, values] : model["options"].items())
    to_stdout("  --{} {}\n", option, fmt::join(values.get<std::vector<std::string>>(), "|"));
  if (!model["without"].empty())
    to_stdout("  --without {}\n", fmt::join(model["without"].get<std::vector<std::string>>(), "|"));
  if (!model["also"].empty())
    to_stdout("  --{}\n", fmt::join(model["also"].get<std::vector<std::string>>(), ", --"));
  to_stdout("\n");
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
      to_stdout("{}\n", list.dump(2));
      return;
    }
    for (const auto& model : list) print_model(model);
  });
}

}  // namespace orrery
