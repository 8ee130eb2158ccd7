#include "orrery/add.h"

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "base/paths.h"
#include "learn/grown_header.h"
#include "learn/growth.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

void check_add(const Model& model, const Dataset& facts, const AddOptions& options) {
  if (model.card().mixture)
    fail_request(About{.advice = "add to each of its parts, and mix them again"},
                 "a mixture has no embeddings of its own to add to");
  if (facts.facts(Split::train).empty() && facts.facts(Split::valid).empty() &&
      facts.facts(Split::test).empty())
    fail_request(About{.option = "facts", .place = {facts.source()}}, "there are no facts to add");
  if (options.epochs < 0 || options.batch < 0 || options.rehearse < 0 || !(options.lr >= 0))
    fail_request(
        "epochs, batch, rehearsed facts and learning rate of an addition cannot be negative");
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

}  // namespace

Dataset read_new_facts(const Model& model, const std::string& source,
                       const OptionChanges& changes) {
  TrainOptions options = model.card().options;
  options.reading.granularity = model.card().granularity;
  options.reading.split = is_one_list(source) ? "100/0/0" : "";
  options.reading.split_by = "random";
  set_options(options, changes);
  return Dataset::open(source, data_options(options));
}

Model add(const Model& model, const Dataset& facts, const AddOptions& options,
          TrainObserver* observer) {
  check_add(model, facts, options);
  TrainObserver silent;
  const TemporalGraph added = all_in_train(facts.state().graph);
  Growth growth(*model.state().stored, added,
                options.known ? &options.known->state().graph : nullptr, options,
                observer != nullptr ? *observer : silent);
  TrainRecord record{growth.train(), growth.epochs()};
  TableRows rows = growth.take_rows();
  return model_of(growth.take_header(), std::move(rows), model.state().machine, std::move(record));
}

void require_place_for_model(const fs::path& file, bool replace) {
  const About about{
      .option = "out", .place = {file.string()}, .advice = "name another file for the grown model"};
  if (is_directory_at(file)) fail_request(about, "is a directory");
  if (file.filename() == "model.safetensors" && path_exists(folder_of(file) / "config.toml"))
    fail_request(about, "is the model of a run, which goes on from it");
  if (!path_exists(file)) return;
  if (!replace)
    fail_request(About{.option = "out",
                       .place = {file.string()},
                       .advice = worded("name another file, or add $replace")},
                 "exists already");
  try {
    options_of_model(file);
  } catch (const Error&) {
    fail_request(about, "exists and is no model");
  }
}

Model add_into(const fs::path& file, bool replace, const Model& model, const Dataset& facts,
               const AddOptions& options, TrainObserver* observer) {
  require_place_for_model(file, replace);
  const auto held = HeldDirectory::make(folder_of(file));
  require_place_for_model(file, replace);  // now that nobody else can put one there
  Model grown = add(model, facts, options, observer);
  if (grown.training().summary.ending != TrainSummary::Ending::interrupted) grown.save(file);
  return grown;
}

}  // namespace orrery
