#include "learn/state_file.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.h"
#include "data/fingerprint.h"
#include "learn/checkpoint.h"
#include "learn/model_file.h"
#include "orrery/version.h"
#include "page/json_fields.h"
#include "page/scores_json.h"

namespace orrery {
namespace {

constexpr CheckpointFormat state_format = {"orrery-state", 2};

struct NamedState {
  State state;
  std::string_view name;
};

std::vector<NamedState> named_states(const Optimizer& optimizer) {
  std::vector<NamedState> states = {{State::value, "value"}};
  for (std::size_t s = 0; s < optimizer.states.size(); ++s)
    states.push_back({optimizer_state(s), optimizer.states[s]});
  states.push_back({State::average, "average"});
  return states;
}

std::string tensor_name(const NamedState& state, const TableSpec& table) {
  return fmt::format("{}/{}", state.name, table.name);
}

}  // namespace

std::string progress_to_json(const RunProgress& p) {
  nlohmann::ordered_json json = {
      {"epoch", p.epoch},
      {"step", p.step},
      {"sums", {p.sums.cross_entropy, p.sums.n3, p.sums.time, p.sums.steps, p.sums.auxiliary}},
      {"best_epoch", p.best_epoch},
      {"since_best", p.since_best},
      {"last_loss", p.last_loss}};
  if (p.best) json["best"] = scores_to_json(*p.best);
  if (p.validation_is_due) json["validation_is_due"] = true;
  if (!p.started_from.empty()) json["started_from"] = p.started_from;
  return json.dump();
}

RunProgress progress_from_json(const std::string& text) {
  const auto json = nlohmann::json::parse(text);
  RunProgress p;
  p.epoch = json.at("epoch");
  p.step = json.at("step");
  const auto& sums = json.at("sums");
  p.sums = {
      .cross_entropy = sums.at(0),
      .n3 = sums.at(1),
      .time = sums.at(2),
      .auxiliary = sums.size() > 4 ? sums.at(4).get<double>() : 0,  // none before there were any
      .steps = sums.at(3)};
  p.best_epoch = json.at("best_epoch");
  p.since_best = json.at("since_best");
  p.last_loss = json.at("last_loss");
  if (json.contains("best")) p.best = json_scores(json.at("best"));
  p.validation_is_due = json.value("validation_is_due", false);
  p.started_from = json.value("started_from", std::string());
  return p;
}

void write_state(const std::filesystem::path& path, const Engine& engine,
                 const RunProgress& progress, const std::string& data_fingerprint,
                 const std::string& options) {
  const std::size_t tables = engine.tables().size();
  const std::vector<NamedState> states = named_states(engine.optimizer());
  std::vector<TensorSpec> tensors;
  for (const NamedState& state : states) {
    if (state.state == State::average && !engine.has_average()) continue;
    for (const TableSpec& table : engine.tables())
      tensors.push_back(
          {tensor_name(state, table),
           Dtype::f32,
           {static_cast<std::uint64_t>(table.count), static_cast<std::uint64_t>(table.width)}});
  }
  std::vector<float> rows;  // of one table at a time
  write_checkpoint(path, std::move(tensors),
                   {{"format", state_format.name()},
                    {"version", std::string(version())},
                    {"options", options},
                    {"progress", progress_to_json(progress)},
                    {"data_fingerprint", data_fingerprint}},
                   [&](std::size_t i) {
                     rows =
                         read_table(engine, i % tables, states[i / tables].state, std::move(rows));
                     return std::as_bytes(std::span<const float>(rows));
                   });
}

std::optional<std::string> options_of_state(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  require_checkpoint(file, state_format, Verify::header);
  const auto found = file.metadata().find("options");
  if (found == file.metadata().end()) return {};
  return found->second;
}

RunProgress read_state(const std::filesystem::path& path, Engine& engine,
                       const std::string& data_fingerprint) {
  const SafetensorsFile file(path);
  require_checkpoint(file, state_format, Verify::everything);
  if (!same_data(file.require_metadata("data_fingerprint"), data_fingerprint))
    fail_request(About{.option = "data", .place = {path.parent_path().string()}},
                 "the data is not what the run was started with (fingerprint {}, now {})",
                 file.require_metadata("data_fingerprint"), data_fingerprint);
  for (const NamedState& state : named_states(engine.optimizer()))
    for (std::size_t t = 0; t < engine.tables().size(); ++t) {
      const TableSpec& table = engine.tables()[t];
      const std::string name = tensor_name(state, table);
      if (state.state == State::average && file.find(name) == nullptr) continue;
      const std::uint64_t shape[] = {static_cast<std::uint64_t>(table.count),
                                     static_cast<std::uint64_t>(table.width)};
      const TensorView& tensor = file.require(name, Dtype::f32, shape);
      std::vector<float> rows(tensor.values());
      copy_values<float>(tensor, 0, rows);
      engine.write(t, state.state, rows);
    }
  const std::string& progress = file.require_metadata("progress");
  try {
    const RunProgress p = progress_from_json(progress);
    if (p.epoch >= 1 && p.step >= 0 && p.sums.steps == p.step) return p;
  } catch (const std::exception&) {  // refused below, like counts that make no sense
  }
  fail_request(About{.place = {path.string()}}, "its progress is damaged ({})", progress);
}

}  // namespace orrery
