// The facts that belong to a model.
#include <fmt/format.h>

#include "api/benchmark_cache.h"
#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "base/paths.h"
#include "data/fingerprint.h"
#include "facts/file_kind.h"
#include "learn/run_directory.h"

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

}  // namespace

Dataset Model::read_data(const std::string& other) const {
  // By itself a file would be cut as if it were to be trained on, and little of it be the test. The
  // file it was trained on is cut as it was then.
  if (state_->stored->header().options.reading.split.empty() && path_exists(other) &&
      !is_directory_at(other) && source_named(other) != own_source(state_->path))
    fail_request(About{.option = "data",
                       .place = {other},
                       .advice = "name a directory with train, valid and test"},
                 "is a file without splits");
  return Dataset::open(other, options_for(state_->stored->header(), other));
}

Dataset Model::training_data() const {
  const std::string path = path_in_config(state_->path);
  if (path.empty() || path == "-" || (!source_exists(path) && !is_benchmark(path)))
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
