#include "compare/test_scores.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/processor.h"
#include "orrery/version.h"
#include "page/json_fields.h"
#include "report/evaluation.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

// Enough of a training to know it again: the embeddings may be gone.
nlohmann::json mark_of(const TrainSummary& training) {
  return {{"epochs_done", training.epochs_done},
          {"best_epoch", training.best_epoch},
          {"loss", training.loss},
          {"data_fingerprint", training.data_fingerprint}};
}

std::string key_of(By by) { return fmt::format("by_{}", name_of(by)); }

constexpr const char* without_history_key = "without_history";

void add_breakdowns(Json& json, const Evaluation& evaluation, std::span<const By> parts) {
  for (const By by : parts) json[key_of(by)] = json_of(evaluation.by(by), by);
}

}  // namespace

void write_test_scores(const std::filesystem::path& run, const TrainSummary& training,
                       const Evaluation& evaluation, const Evaluation* without_history) {
  const Processor processor = processor_here();
  Json json = {{"training", mark_of(training)},
               {"judged_with",
                {{"version", std::string(version())},
                 {"processor", processor.name},
                 {"cores", processor.cores}}},
               {"test", json_of(evaluation)}};
  add_breakdowns(json, evaluation, std::array{By::relation, By::entity, By::history});
  if (without_history != nullptr) {
    Json& without = json[without_history_key] = json_of(*without_history);
    add_breakdowns(without, *without_history, std::array{By::relation, By::history});
  }
  // Names are UTF-8; the paths of runs and data need not be.
  write_file_atomically(run / "test.json",
                        json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<TestScores> read_test_scores(const std::filesystem::path& run,
                                           const TrainSummary& training) {
  const auto json = json_of_file(run / "test.json");
  try {
    if (json_field(json, "training") != mark_of(training)) return {};
    TestScores scores{json_scores(json_field(json, "test")), {}};
    if (json.contains(without_history_key))
      scores.without_history = json_scores(json[without_history_key]);
    return scores;
  } catch (const Error&) {
    return {};
  }
}

RunOrigin read_origin(const std::filesystem::path& run) {
  RunOrigin origin;
  try {
    origin.version = json_text(json_of_file(run / "summary.json"), "version");
    const auto json = json_of_file(run / "test.json");
    const auto& judged_with = json_field(json, "judged_with");
    origin.version = json_text(judged_with, "version");
    origin.processor = json_text(judged_with, "processor");
    origin.cores = json_whole(judged_with, "cores");
  } catch (const Error&) {  // what is known is enough
  }
  return origin;
}

std::vector<BreakdownRow> test_breakdown(const ComparedRun& run, By by, bool history) {
  const auto file = run.run / "test.json";
  const auto json = json_of_file(file);
  const std::string key = key_of(by), name(name_of(by));
  try {
    std::vector<BreakdownRow> rows;
    const auto& scores = history ? json : json_field(json, without_history_key);
    for (const auto& row : json_field(scores, key.c_str()))
      rows.push_back({json_text(row, name.c_str()), json_scores(row)});
    return rows;
  } catch (const Error& error) {
    fail_request(
        About{.place = {file.string()}, .advice = "remove it, and the run is evaluated again"},
        "is missing or damaged ({})", error.message());
  }
}

}  // namespace orrery
