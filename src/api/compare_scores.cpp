#include "api/compare_scores.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "api/hardware.h"
#include "api/scores.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "judge/report.h"
#include "orrery/version.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

// Enough of a training to know it again: the rows themselves may be gone.
nlohmann::json mark_of(const TrainSummary& training) {
  return {{"epochs_done", training.epochs_done},
          {"best_epoch", training.best_epoch},
          {"loss", training.loss},
          {"data_fingerprint", training.data_fingerprint}};
}

std::string key_of(BreakdownBy by) { return fmt::format("by_{}", name_of(by)); }

nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return nlohmann::json::parse(file, nullptr, false);
}

}  // namespace

void write_test_scores(const std::filesystem::path& run, const TrainSummary& training,
                       const JudgedRun& judged) {
  const Processor processor = processor_here();
  Json json = {{"training", mark_of(training)},
               {"judged_with",
                {{"version", std::string(version())},
                 {"processor", processor.name},
                 {"cores", processor.cores}}},
               {"test", judgement_json(judged.judgement)}};
  for (const BreakdownBy by : {BreakdownBy::relation, BreakdownBy::entity})
    json[key_of(by)] = breakdown_json(breakdown(judged.data, judged.judgement, by), by);
  // A name may be in any encoding.
  write_file_atomically(run / "test.json",
                        json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

std::optional<Scores> read_test_scores(const std::filesystem::path& run,
                                       const TrainSummary& training) {
  const auto json = read_json(run / "test.json");
  try {
    if (json.at("training") != mark_of(training)) return {};
    return scores_from_json(json.at("test"));
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

RunOrigin read_origin(const std::filesystem::path& run) {
  RunOrigin origin;
  try {
    origin.version = read_json(run / "summary.json").at("version");
    const auto judged_with = read_json(run / "test.json").at("judged_with");
    origin.version = judged_with.at("version");
    origin.processor = judged_with.at("processor");
    origin.cores = judged_with.at("cores");
  } catch (const nlohmann::json::exception&) {  // what is known is enough
  }
  return origin;
}

std::vector<BreakdownRow> read_test_breakdown(const std::filesystem::path& run, BreakdownBy by) {
  const auto json = read_json(run / "test.json");
  try {
    std::vector<BreakdownRow> rows;
    for (const auto& row : json.at(key_of(by)))
      rows.push_back(
          {row.at(std::string(name_of(by))),
           {row.at("queries"), row.at("mrr"), row.at("hits1"), row.at("hits3"), row.at("hits10")}});
    return rows;
  } catch (const nlohmann::json::exception& error) {
    fail_request("{}: is missing or damaged ({}); remove it, and the run is judged again",
                 (run / "test.json").string(), error.what());
  }
}

}  // namespace orrery
