#include "learn/warm_start.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "learn/align_data.h"
#include "learn/row_map.h"
#include "learn/setup.h"

namespace orrery {
namespace {

StoredModel opened(const std::string& path) {
  try {
    return StoredModel(path);
  } catch (const Error& error) {
    throw error.of_option("from");
  }
}

std::set<std::string> left_out(const TrainOptions& options) {
  return {options.without.begin(), options.without.end()};
}

// Of the options that say what an embedding is.
std::vector<std::string> differing_options(const TrainOptions& one, const TrainOptions& other) {
  const ModelVariant &variant = variant_of(one), &others = variant_of(other);
  std::vector<std::string> names;
  if (variant.name != others.name) return {"model"};
  if (one.dim != other.dim) names.emplace_back("dim");
  for (const Choice& choice : variant.choices)
    if (choice.value != others.choice(choice.option)) names.emplace_back(choice.option);
  if (left_out(one) != left_out(other)) names.emplace_back("without");
  const bool windows = std::ranges::count(variant.rows, RowOf::window, &RowSpec::of) > 0;
  if (windows && one.window != other.window) names.emplace_back("window");
  return names;
}

void check_shape(const TrainOptions& options, const ModelHeader& from) {
  const auto names = differing_options(options, from.options);
  if (names.empty()) return;
  std::vector<std::string> has, wanted;
  for (const std::string& name : names) {
    has.push_back(fmt::format("{} = '{}'", name, option_text(from.options, name)));
    wanted.push_back(fmt::format("{} = '{}'", name, option_text(options, name)));
  }
  fail_request(About{.option = names.front(),
                     .place = {options.from},
                     .advice = worded("give it the model's, or leave $from out")},
               "was trained with {}, and this training has {}: its embeddings do not fit",
               fmt::join(has, ", "), fmt::join(wanted, ", "));
}

std::int32_t known(std::span<const std::int32_t> rows) {
  return static_cast<std::int32_t>(rows.size()) -
         static_cast<std::int32_t>(std::ranges::count(rows, RowMap::none));
}

}  // namespace

StoredModel model_to_start_from(const TrainOptions& options, const ModelHeader& header) {
  StoredModel model = opened(options.from);
  check_shape(options, model.header());
  try {
    require_same_reading(model.header().times, header.times);
  } catch (const Error& error) {
    throw error.at({options.from});
  }
  if (known(row_map(model.header(), header).entities) == 0)
    fail_request(About{.option = "from", .place = {options.from}},
                 "knows none of the data's {} entities; is it a model of such facts?",
                 header.entities.size());
  return model;
}

KnownRows start_from(Engine& engine, const ModelHeader& header, const StoredModel& model) {
  const RowMap map = row_map(model.header(), header);
  const auto& own = engine.tables();
  for (std::size_t t = 0; t < own.size(); ++t) {
    const auto found = std::ranges::find(model.tables(), own[t].name, &TableSpec::name);
    const bool is_history = own[t].row == no_row;
    if (found == model.tables().end() || found->width != own[t].width) continue;
    if (is_history && header.options.history_from == "valid") continue;
    std::vector<float> rows = read_table(engine, t, State::value);
    copy_known_rows(map, own[t],
                    model.rows(static_cast<std::size_t>(found - model.tables().begin())), rows);
    if (is_history) keep_what_carries_over(history_kind_named(header.options.history), rows);
    engine.write(t, State::value, rows);
  }
  const std::int32_t rows_of_relation = header.relation_ids().count() / header.relations.size();
  return {known(map.entities), known(map.relation_rows) / rows_of_relation, known(map.times)};
}

}  // namespace orrery
