#include "learn/model_file.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "learn/clock.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr const char* format_name = "orrery-model 1";

std::string names_to_json(const std::vector<std::string>& names) {
  return nlohmann::json(names).dump();
}

std::string times_to_json(const Timeline& times) {
  auto rows = nlohmann::json::array();
  for (const auto& row : times.rows) rows.push_back({row.first, row.last, row.label});
  return nlohmann::json{
      {"intervals", times.intervals}, {"granularity", name_of(times.granularity)}, {"rows", rows}}
      .dump();
}

// Metadata comes from a file: whatever is not as written is a request Error.
template <class Read>
auto read_metadata(const SafetensorsFile& file, const std::string& key, const Read& read) {
  try {
    return read(nlohmann::json::parse(file.require_metadata(key)));
  } catch (const nlohmann::json::exception& error) {
    fail_request("{}: its metadata '{}' is damaged ({}); train again or use a backup",
                 file.path().string(), key, error.what());
  }
}

Vocabulary read_vocabulary(const SafetensorsFile& file, const std::string& key) {
  auto names = read_metadata(
      file, key, [](const nlohmann::json& json) { return json.get<std::vector<std::string>>(); });
  if (std::ranges::adjacent_find(names, std::ranges::greater_equal{}) != names.end())
    fail_request("{}: its list of {} is not sorted; the file is damaged", file.path().string(),
                 key);
  return Vocabulary(std::move(names));
}

Timeline read_times(const SafetensorsFile& file) {
  return read_metadata(file, "times", [&](const nlohmann::json& json) {
    Timeline times;
    times.intervals = json.at("intervals").get<bool>();
    const auto granularity = granularity_named(json.at("granularity").get<std::string>());
    if (!granularity)
      fail_request("{}: its time granularity is unknown; the file is damaged or of a later version",
                   file.path().string());
    times.granularity = *granularity;
    for (const auto& row : json.at("rows"))
      times.rows.push_back(
          {row.at(0).get<TimePoint>(), row.at(1).get<TimePoint>(), row.at(2).get<std::string>()});
    bool in_order = !times.rows.empty();
    for (std::size_t i = 0; i < times.rows.size(); ++i)
      in_order = in_order && times.rows[i].first <= times.rows[i].last &&
                 (i == 0 || times.rows[i - 1].last < times.rows[i].first);
    if (!in_order)
      fail_request("{}: its times are not in order; the file is damaged", file.path().string());
    return times;
  });
}

std::vector<TableSpec> tables_of(const ModelPlan& plan) {
  return tables_of(*plan.variant, plan.shape, plan.without);
}

ModelCard read_card(const SafetensorsFile& file) {
  const std::string& format = file.require_metadata("format");
  if (format != format_name)
    fail_request("{}: is of the format '{}', and this version reads '{}'", file.path().string(),
                 format, format_name);
  ModelCard card;
  card.options = options_from_toml(file.require_metadata("options"), file.path().string());
  card.entities = read_vocabulary(file, "entities");
  card.relations = read_vocabulary(file, "relations");
  card.times = read_times(file);
  card.data_fingerprint = file.require_metadata("data_fingerprint");
  card.version = file.require_metadata("version");
  card.epoch = read_metadata(file, "epoch",
                             [](const nlohmann::json& json) { return json.get<std::int64_t>(); });
  try {
    check_options(card.options);
    tables_of(plan_of(card.options, card.shape()));
  } catch (const Error& error) {
    fail_request("{}: its options are damaged or of a later version: {}", file.path().string(),
                 error.what());
  }
  return card;
}

std::filesystem::path model_path(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return path;
  if (!std::filesystem::exists(path / "model.safetensors"))
    fail_request("{}: holds no model.safetensors; is it a run directory of `orrery train`?",
                 path.string());
  return path / "model.safetensors";
}

}  // namespace

std::vector<float> read_table(const Engine& engine, std::size_t table, State state,
                              std::vector<float> into) {
  into.resize(static_cast<std::size_t>(engine.tables()[table].count) *
              static_cast<std::size_t>(engine.plan().shape.dim));
  engine.read(table, state, into);
  return into;
}

TableRows read_rows(const Engine& engine, State state, TableRows into) {
  into.resize(engine.tables().size());
  for (std::size_t t = 0; t < into.size(); ++t)
    into[t] = read_table(engine, t, state, std::move(into[t]));
  return into;
}

ModelShape ModelCard::shape() const {
  return {entities.size(), relations.size() * (times.intervals ? 4 : 2), times.size(),
          static_cast<std::int32_t>(options.dim), static_cast<std::int32_t>(options.window)};
}

void write_model(const std::filesystem::path& path, const ModelCard& card,
                 std::span<const TableSpec> tables, const RowSource& rows) {
  std::vector<TensorSpec> tensors;
  for (const TableSpec& table : tables)
    tensors.push_back(
        {std::string(table.name),
         Dtype::f32,
         {static_cast<std::uint64_t>(table.count), static_cast<std::uint64_t>(card.options.dim)}});
  write_safetensors(path, tensors,
                    {{"format", format_name},
                     {"version", std::string(version())},
                     {"options", shaping_options_to_toml(card.options)},
                     {"entities", names_to_json(card.entities.names())},
                     {"relations", names_to_json(card.relations.names())},
                     {"times", times_to_json(card.times)},
                     {"data_fingerprint", card.data_fingerprint},
                     {"epoch", std::to_string(card.epoch)}},
                    [&](std::size_t t) { return std::as_bytes(rows(t)); });
}

// Tensors are compared with the card before anyone asks for memory in the card's name.
ModelFile::ModelFile(const std::filesystem::path& path)
    : file_(model_path(path)), card_(read_card(file_)) {
  for (const TableSpec& table : tables_of(plan())) tensor_of(table);
}

ModelPlan ModelFile::plan() const {
  ModelPlan plan = plan_of(card_.options, card_.shape());
  plan.clock = clock_of(card_.times);
  return plan;
}

std::int64_t ModelFile::parameters() const {
  return parameter_count(tables_of(plan()), card_.shape());
}

const TensorView& ModelFile::tensor_of(const TableSpec& table) const {
  const std::uint64_t shape[] = {static_cast<std::uint64_t>(table.count),
                                 static_cast<std::uint64_t>(card_.options.dim)};
  return file_.require(table.name, Dtype::f32, shape);
}

std::unique_ptr<Engine> ModelFile::start_engine(const EngineOptions& options) const {
  auto engine = make_engine(plan(), options);
  for (std::size_t t = 0; t < engine->tables().size(); ++t) {
    const TensorView& tensor = tensor_of(engine->tables()[t]);
    std::vector<float> rows(tensor.values());
    copy_values<float>(tensor, 0, rows);
    engine->write(t, State::value, rows);
  }
  return engine;
}

}  // namespace orrery
