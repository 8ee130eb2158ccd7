#include "models/registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "models/formula.h"
#include "models/list.h"

namespace orrery {
namespace {

template <class M>
constexpr auto unit_of = [] {
  std::array<bool, M::Algebra::size> unit{};
  for (int c = 0; c < M::Algebra::size; ++c) unit[c] = unit_component<typename M::Algebra>(c);
  return unit;
}();

template <class M>
constexpr bool widths_fit() {
  const int query = has_core<M>() ? 1 : QueryAlgebra<M>::size;
  return !Comparator<M>::product || query == CandidateAlgebra<M>::size;
}

// Auxiliary losses use the buffers of queries, and the places of the entity's and its answer's
// gradients; their answers are rows of the relation or the time that is asked for.
template <class M>
constexpr bool auxiliary_losses_fit() {
  using Asked = typename AsksAsOf<M>::type;
  for (const AuxiliaryLoss question : all_auxiliary_losses) {
    const int row = auxiliary_targets<M>(question);
    if (row < 0) continue;
    const RowOf of = question == AuxiliaryLoss::relation ? RowOf::relation : RowOf::time;
    if (M::rows[static_cast<std::size_t>(row)].of != of ||
        auxiliary_targets<Asked>(question) != row || row_count<Asked> != row_count<M> ||
        !Comparator<M>::product || derives_candidates<M> || has_core<M>() ||
        entity_row_count<M> != 1 || QueryAlgebra<M>::size != M::Algebra::size)
      return false;
  }
  return true;
}

template <class... Models>
std::vector<ModelVariant> describe(ModelList<Models...>) {
  static_assert((widths_fit<Models>() && ...), "an inner product wants lanes of one size");
  static_assert((auxiliary_losses_fit<Models>() && ...),
                "a model of this kind cannot ask auxiliary losses");
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
      .later_components = later_components<Models>(),
      .vote_scale = vote_scale<Models>,
      .formula_size = QueryAlgebra<Models>::size,
      .query_size = has_core<Models>() ? 1 : QueryAlgebra<Models>::size,
      .candidate_size = CandidateAlgebra<Models>::size,
      .has_core = has_core<Models>(),
      .comparator = Comparator<Models>::name,
      .by_product = Comparator<Models>::product,
      .rooted = Comparator<Models>::rooted,
      .candidates = candidates_of<Models>(),
      .auxiliary_targets = {auxiliary_targets<Models>(AuxiliaryLoss::relation),
                            auxiliary_targets<Models>(AuxiliaryLoss::time)},
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
    fail_request(
        About{.option = "model", .advice = worded("there are {}", fmt::join(model_names(), ", "))},
        "there is no model '{}'", name);
  return found;
}

template <class T>
void add_once(std::vector<T>& list, const T& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

// What a choice decides in one model: "bsca: how its two views are weighed".
std::string sentence_of(std::span<const ModelVariant> variants, std::string_view model,
                        const Choice& choice) {
  if (!choice.sentence.empty()) return fmt::format("{}: {}", model, choice.sentence);
  std::vector<std::string_view> values;
  for (const auto& variant : variants)
    if (variant.name == model) add_once(values, variant.choice(choice.option));
  return fmt::format("{}: {}, one of {}", model, choice.option, fmt::join(values, ", "));
}

}  // namespace

std::vector<ChoiceOption> choice_options_of(std::span<const ModelVariant> variants) {
  std::vector<ChoiceOption> options;
  std::set<std::pair<std::string_view, std::string_view>> described;
  for (const auto& variant : variants) {
    for (const Choice& choice : variant.choices) {
      auto option = std::ranges::find(options, choice.option, &ChoiceOption::name);
      if (option == options.end())
        option = options.insert(option, ChoiceOption{choice.option, "", {}});
      add_once(option->values, choice.value);
      if (!described.emplace(variant.name, choice.option).second) continue;
      if (!option->sentence.empty()) option->sentence += "; ";
      option->sentence += sentence_of(variants, variant.name, choice);
    }
  }
  return options;
}

std::span<const ChoiceOption> choice_options() {
  static const std::vector<ChoiceOption> all = choice_options_of(all_variants());
  return all;
}

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
  for (const auto& variant : all_variants()) add_once(names, variant.name);
  return names;
}

const ModelVariant& find_variant(std::string_view name,
                                 const std::map<std::string, std::string>& options) {
  auto candidates = variants_named(name);
  for (const auto& [option, value] : options) {
    if (!has_option(*candidates.front(), option))
      fail_request(About{.option = option}, "the model '{}' has no option {}", name,
                   option_mark(option));
    std::set<std::string_view> known;
    for (const auto* c : candidates) known.insert(c->choice(option));
    if (!known.contains(value))
      fail_request(
          About{.option = option, .advice = worded("there are {}", fmt::join(known, ", "))},
          "the model '{}' has no {} '{}'", name, option, value);
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
  fail_request(About{.option = "model"},
               "the model '{}' has no variant with all of these options together", name);
}

std::vector<TableSpec> tables_of(const ModelVariant& variant, const ModelShape& shape,
                                 std::span<const std::string> without) {
  for (const auto& name : without) {
    const auto row = std::ranges::find(variant.rows, name, &RowSpec::name);
    if (row == variant.rows.end() || row->without == Without::impossible) {
      std::vector<std::string_view> possible;
      for (const auto& spec : variant.rows)
        if (spec.without != Without::impossible) possible.push_back(spec.name);
      const std::string others =
          possible.empty() ? "nothing" : fmt::format("{}", fmt::join(possible, ", "));
      fail_request(About{.option = "without", .advice = worded("it can do without: {}", others)},
                   "the model '{}' cannot do without '{}'", variant.name, name);
    }
  }
  if (shape.dim <= 0 || shape.dim % variant.algebra_size != 0)
    fail_request(About{.option = "dim"},
                 "$dim {} does not fit the model '{}': it must be a positive multiple of {}",
                 shape.dim, variant.name, variant.algebra_size);
  if (variant.has_core && shape.dim > widest_core)
    fail_request(About{.option = "dim", .advice = worded("take {} or less", widest_core)},
                 "$dim {} does not fit the model '{}': its core tensor holds dim³ reals", shape.dim,
                 variant.name);
  std::vector<TableSpec> tables;
  for (std::size_t i = 0; i < variant.rows.size(); ++i) {
    const RowSpec& row = variant.rows[i];
    if (!row.trained || std::ranges::find(without, row.name) != without.end()) continue;
    tables.push_back({i, row.name, row.of, shape.rows_of(row.of), shape.dim});
  }
  return tables;
}

std::int64_t parameter_count(std::span<const TableSpec> tables) {
  std::int64_t count = 0;
  for (const auto& table : tables) count += std::int64_t{table.count} * table.width;
  return count;
}

std::string_view name_of(RowOf of) {
  constexpr std::string_view names[] = {"entity", "relation", "time",  "window",
                                        "shared", "core",     "answer"};
  return names[static_cast<std::size_t>(of)];
}

}  // namespace orrery
