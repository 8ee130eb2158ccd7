#include "api/judged_run.h"

#include "base/error.h"
#include "base/paths.h"
#include "data/fingerprint.h"
#include "data/load.h"
#include "learn/align_data.h"
#include "learn/model_file.h"
#include "learn/run_directory.h"
#include "learn/setup.h"

namespace orrery {
namespace {

Split split_named(const std::string& name) {
  for (const Split split : all_splits)
    if (name_of(split) == name) return split;
  fail_request("there is no split '{}'; there are train, valid and test", name);
}

std::string path_of_data(const std::filesystem::path& model, const std::string& asked) {
  if (!asked.empty()) return asked;
  const auto directory = is_directory_at(model) ? model : model.parent_path();
  if (!path_exists(directory / "config.toml"))
    fail_request("{}: no config.toml beside the model says where its data is; add --data DIR",
                 model.string());
  std::string data = RunDirectory::open(directory).read_config().data;
  if (!path_exists(data))
    fail_request("{}: names '{}' as its data, which is not there; say where it is with --data DIR",
                 (directory / "config.toml").string(), data);
  return data;
}

// Read as the model's own data was, but times at its granularity, and only files are split.
LoadOptions load_options_for(const ModelCard& card, const std::string& path) {
  TrainOptions options = card.options;
  const bool directory = is_directory_at(path);
  if (!directory && options.split.empty() && path_exists(path))
    fail_request(
        "{}: is a file, and the model was trained on a directory; name a directory with "
        "train, valid and test",
        path);
  if (directory) options.split.clear();
  LoadOptions load = load_options_of(options);
  load.granularity = card.times.granularity;
  return load;
}

}  // namespace

DataOfRun data_of_run(const std::filesystem::path& model, const ModelCard& card,
                      const std::string& asked) {
  const std::string path = path_of_data(model, asked);
  TemporalGraph data = load_facts(path, load_options_for(card, path));
  if (asked.empty() && !same_data(card.data_fingerprint, fingerprint(data)))
    fail_request(
        "{}: is no longer the data this model was trained on (its fingerprint was {}); "
        "name data with --data to use it all the same",
        path, card.data_fingerprint);
  return {path, align_data(card, std::move(data))};
}

JudgedRun judge_run(const std::filesystem::path& model, const EvaluateOptions& options,
                    const JudgeOptions& judging) {
  const Split split = split_named(options.split);
  check_device(options.device);
  const ModelFile file(model, options.verify);
  DataOfRun found = data_of_run(model, file.card(), options.data);
  JudgedRun run;
  run.data_path = std::move(found.path);
  run.data = std::move(found.data);
  EngineOptions engine_options;
  engine_options.device = options.device;
  engine_options.precision = Precision::fp32;  // ranks should not depend on the device
  engine_options.threads = static_cast<int>(options.threads);
  engine_options.memory = memory_budget(options.memory);
  engine_options.reserved = memory_of(run.data);
  const auto engine = file.start_engine(engine_options);
  const FilterIndex filter(run.data);
  try {
    run.judgement = judge(*engine, run.data, filter, split, judging);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::model || file.verified()) throw;
    fail_model("{} (or the file, whose checksums were not compared, is damaged)", error.what());
  }
  return run;
}

}  // namespace orrery
