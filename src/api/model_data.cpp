// The facts that belong to a model.
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "base/paths.h"
#include "data/fingerprint.h"
#include "facts/file_kind.h"
#include "learn/align_data.h"
#include "learn/run_directory.h"
#include "orrery/benchmarks.h"

namespace orrery {
namespace {

std::string path_in_config(const std::filesystem::path& model) {
  if (model.empty())
    fail_request("a model trained in memory does not know where its facts are; name them");
  const auto directory = is_directory_at(model) ? model : model.parent_path();
  if (!path_exists(directory / "config.toml"))
    fail_request(
        About{.option = "data", .place = {model.string()}, .advice = worded("add $data DIR")},
        "no config.toml beside the model says where its data is");
  return RunDirectory::open(directory).read_config().data;
}

// Empty where no config beside the model says it.
std::string own_source(const std::filesystem::path& model) {
  const auto directory = is_directory_at(model) ? model : model.parent_path();
  return !model.empty() && path_exists(directory / "config.toml") ? path_in_config(model)
                                                                  : std::string();
}

// Read as the model's own data was, but times at its granularity, and only one list is split.
DataOptions options_for(const ModelHeader& header, const std::string& path) {
  DataOptions options = data_options(header.options);
  if (!is_one_list(path)) options.split.clear();
  options.granularity = name_of(header.times.granularity);
  return options;
}

// Cut as the model's own facts were; empty where there are too few for that.
std::optional<Dataset> cut_as_trained(const std::string& path, const DataOptions& options) {
  try {
    return Dataset::open(path, options);
  } catch (const Error& error) {
    if (error.option() != "split") throw;
    return {};
  }
}

// All facts of one list, to be asked for.
Dataset all_as_test(const std::string& path, DataOptions options) {
  options.split = "100/0/0";
  options.split_by = "random";
  const Dataset whole = Dataset::open(path, options);
  const DatasetState& read = whole.state();
  TemporalGraph graph = read.graph;
  std::swap(graph.facts[static_cast<std::size_t>(Split::train)],
            graph.facts[static_cast<std::size_t>(Split::test)]);
  return Dataset(
      std::make_shared<DatasetState>(std::move(graph), read.source, read.options, read.report));
}

}  // namespace

Dataset aligned(const ModelHeader& header, const Dataset& data) {
  const DatasetState& given = data.state();
  if (has_ids_of(header, given.graph)) return data;
  auto state = std::make_shared<DatasetState>(align_data(header, given.graph), given.source,
                                              given.options, given.report);
  state->labels = given.labels;
  return Dataset(std::move(state));
}

// The list it was trained on is cut as it was then, wherever it lies now: its train facts are no
// questions.
Dataset Model::read_data(const std::string& other) const {
  const DataOptions options = options_for(state_->stored->header(), other);
  const bool named_so = other != "-" && source_named(other) == own_source(state_->path);
  if (!is_one_list(other) || named_so) return Dataset::open(other, options);
  const auto own = cut_as_trained(other, options);
  if (own && same_data(state_->card.data_fingerprint, own->fingerprint())) return *own;
  if (other == "-")
    fail_request(About{.option = "data", .advice = "write the facts into a file first"},
                 "standard input has other facts than the model was trained on");
  return all_as_test(other, options);
}

Dataset Model::training_data() const {
  const std::string path = path_in_config(state_->path);
  if (path.empty() || path == "-" || (!source_exists(path) && !names_benchmark(path)))
    fail_request(About{.option = "data",
                       .place = {state_->path.string()},
                       .advice = worded("say where it is with $data DIR")},
                 "{}",
                 path.empty()  ? "its facts were in memory when it was trained"
                 : path == "-" ? "its facts came from standard input when it was trained"
                               : fmt::format("names '{}' as its data, which is not there", path));
  Dataset data = Dataset::open(path, options_for(state_->stored->header(), path));
  const std::string& trained_on = state_->card.data_fingerprint;
  if (!same_data(trained_on, data.fingerprint()))
    fail_request(About{.option = "data",
                       .place = {path},
                       .advice = worded("name data with $data to use it all the same")},
                 "is no longer the data this model was trained on (its fingerprint was {})",
                 trained_on);
  return data;
}

}  // namespace orrery
