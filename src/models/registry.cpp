#include "models/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "models/list.h"

namespace orrery {
namespace {

template <class M>
constexpr auto unit_of = [] {
  std::array<bool, M::Algebra::size> unit{};
  for (int c = 0; c < M::Algebra::size; ++c) unit[c] = unit_component<typename M::Algebra>(c);
  return unit;
}();

template <class... Models>
std::vector<ModelVariant> describe(ModelList<Models...>) {
  std::vector<ModelVariant> all = {ModelVariant{
      .index = 0,
      .name = Models::name,
      .title = Models::title,
      .paper = Models::paper,
      .formula = Models::formula,
      .choices = choices_of<Models>(),
      .rows = Models::rows,
      .algebra_size = Models::Algebra::size,
      .unit = unit_of<Models>,
      .vote_scale = vote_scale<Models>,
  }...};
  for (std::size_t i = 0; i < all.size(); ++i) all[i].index = i;
  return all;
}

bool has_option(const ModelVariant& variant, std::string_view option) {
  return std::ranges::any_of(variant.choices, [&](const Choice& c) { return c.option == option; });
}

std::vector<const ModelVariant*> variants_named(std::string_view name) {
  std::vector<const ModelVariant*> found;
  for (const auto& variant : all_variants())
    if (variant.name == name) found.push_back(&variant);
  if (found.empty())
    fail_request("there is no model '{}'; there are {}", name, fmt::join(model_names(), ", "));
  return found;
}

}  // namespace

std::string_view ModelVariant::choice(std::string_view option) const {
  for (const auto& c : choices)
    if (c.option == option) return c.value;
  return "";
}

std::span<const ModelVariant> all_variants() {
  static const std::vector<ModelVariant> all = describe(AllModels{});
  return all;
}

std::vector<std::string_view> model_names() {
  std::vector<std::string_view> names;
  for (const auto& variant : all_variants())
    if (std::ranges::find(names, variant.name) == names.end()) names.push_back(variant.name);
  return names;
}

const ModelVariant& find_variant(std::string_view name,
                                 const std::map<std::string, std::string>& options) {
  auto candidates = variants_named(name);
  for (const auto& [option, value] : options) {
    if (!has_option(*candidates.front(), option))
      fail_request("the model '{}' has no option '{}'", name, option);
    std::set<std::string_view> known;
    for (const auto* c : candidates) known.insert(c->choice(option));
    if (!known.contains(value))
      fail_request("the model '{}' has no {} '{}'; there are {}", name, option, value,
                   fmt::join(known, ", "));
  }
  // Options that are not named keep the value of the default variant, the first of its name.
  const ModelVariant& standard = *candidates.front();
  for (const auto* c : candidates) {
    const bool fits = std::ranges::all_of(c->choices, [&](const Choice& choice) {
      const auto asked = options.find(std::string(choice.option));
      return choice.value ==
             (asked != options.end() ? asked->second : standard.choice(choice.option));
    });
    if (fits) return *c;
  }
  fail_request("the model '{}' has no variant with all of these options together", name);
}

std::vector<TableSpec> tables_of(const ModelVariant& variant, const ModelShape& shape,
                                 std::span<const std::string> without) {
  for (const auto& name : without) {
    const auto row = std::ranges::find(variant.rows, name, &RowSpec::name);
    if (row == variant.rows.end() || row->without == Without::impossible) {
      std::vector<std::string_view> possible;
      for (const auto& spec : variant.rows)
        if (spec.without != Without::impossible) possible.push_back(spec.name);
      fail_request("the model '{}' cannot do without '{}'; it can do without: {}", variant.name,
                   name,
                   possible.empty() ? "nothing" : fmt::format("{}", fmt::join(possible, ", ")));
    }
  }
  if (shape.dim <= 0 || shape.dim % variant.algebra_size != 0)
    fail_request("--dim {} does not fit the model '{}': it must be a positive multiple of {}",
                 shape.dim, variant.name, variant.algebra_size);
  std::vector<TableSpec> tables;
  for (std::size_t i = 0; i < variant.rows.size(); ++i) {
    const RowSpec& row = variant.rows[i];
    if (!row.trained || std::ranges::find(without, row.name) != without.end()) continue;
    tables.push_back({i, row.name, row.of, shape.rows_of(row.of)});
  }
  return tables;
}

std::int64_t parameter_count(std::span<const TableSpec> tables, const ModelShape& shape) {
  std::int64_t rows = 0;
  for (const auto& table : tables) rows += table.count;
  return rows * shape.dim;
}

}  // namespace orrery
