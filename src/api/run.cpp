#include "orrery/run.h"

#include <fmt/format.h>

#include "api/dataset_state.h"
#include "api/shared_training.h"
#include "api/training.h"
#include "base/agreement.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "base/paths.h"
#include "base/processes.h"
#include "learn/options.h"
#include "learn/run_lifecycle.h"

namespace orrery {

struct Run::State {
  RunDirectory directory;
  std::optional<HeldDirectory> held;  // by the leader of several processes
  TrainOptions options;
  RunStatus status = {};
  std::optional<Dataset> data = {};

  const Dataset& facts() {
    if (!data && options.data == "-" && status.stage != RunStage::fresh)
      fail_request(About{.option = "data",
                         .place = {directory.path().string()},
                         .advice = worded("name a file that holds them with $data FILE")},
                   "its facts came from standard input");
    if (!data && options.data == "-" && current_processes() != nullptr)
      fail_request(About{.option = "data", .advice = "put the facts into a file"},
                   "several processes cannot all read standard input");
    if (!data) data = Dataset::open(options.data, data_options(options));
    return *data;
  }
};

namespace {

// What a later process could not read again must not become a run.
void check_split_seed(const Dataset& data, const TrainOptions& options) {
  if (!data.source().empty() && data.options().split_depends_on_seed() &&
      data.options().seed != options.seed)
    fail_request(About{.option = "seed", .advice = "open the facts with the seed of the run"},
                 "the facts were split with seed {}, and the run's is {}", data.options().seed,
                 options.seed);
}

// So that a run finds its facts, and the model it starts from, wherever it is resumed.
TrainOptions with_whole_paths(TrainOptions options) {
  options.data = source_named(options.data);
  if (!options.from.empty())
    options.from = std::filesystem::absolute(options.from).lexically_normal().string();
  return options;
}

bool may_change_on_resume(const OptionDifference& found) {
  return option_named(found.name).may_change_on_resume();
}

std::string text_of(const OptionChanges& changes) {
  std::string text;
  for (const auto& [name, value] : changes) text += fmt::format(" {} = {}", name, value);
  return text.empty() ? "none" : text.substr(1);
}

TrainOptions run_options_on(const Dataset& data, const TrainOptions& options) {
  check_split_seed(data, options);
  return with_whole_paths(options_on(data, options));
}

}  // namespace

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;
Run::~Run() = default;

Run Run::begin(const std::filesystem::path& directory, const Dataset& data,
               const TrainOptions& options) {
  if (Communicator* processes = current_processes()) {
    require_same_call(processes, "begin a run");
    require_same_facts(processes, data);
  }
  Run run = begin(directory, run_options_on(data, options));
  run.state_->data = data;
  return run;
}

Run Run::begin(const std::filesystem::path& directory, const TrainOptions& options) {
  TrainOptions kept = with_whole_paths(options);
  kept.reading = resolved(kept.reading, kept.data);
  check_options(kept);
  Communicator* processes = current_processes();
  require_same_call(processes, "begin a run", kept);
  std::optional<HeldDirectory> held;
  by_leader(processes, [&] {
    held.emplace(HeldDirectory::make(directory));
    require_free_directory(directory);
  });
  return Run(
      std::make_unique<State>(State{RunDirectory(directory), std::move(held), std::move(kept)}));
}

Run Run::resume(const std::filesystem::path& directory, const OptionChanges& changes) {
  Communicator* processes = current_processes();
  require_same_call(processes, "resume a run");
  std::unique_ptr<State> state;
  by_leader(processes, [&] { state = std::make_unique<State>(resumed(directory, changes)); });
  if (processes == nullptr) return Run(std::move(state));
  require_same(processes, "change of options", text_of(changes), "start all with the same");
  if (!state) state = std::make_unique<State>(State{RunDirectory(directory), {}, {}});
  state->options = told_options(processes, state->options);
  state->status.stage = static_cast<RunStage>(
      std::stoi(processes->told_by_leader(std::to_string(static_cast<int>(state->status.stage)))));
  return Run(std::move(state));
}

// By the process that holds the directory.
Run::State Run::resumed(const std::filesystem::path& directory, const OptionChanges& changes) {
  RunDirectory::open(directory);
  auto held = HeldDirectory::existing(directory);
  const RunDirectory run(directory);
  const TrainOptions config = config_of(run);
  TrainOptions wanted = config;
  set_options(wanted, changes);
  wanted = with_whole_paths(wanted);
  check_options(wanted);
  for (const OptionDifference& found : differences(config, wanted))
    if (!may_change_on_resume(found))
      fail_request(
          About{.option = found.name, .advice = fmt::format("{} can", options_of_resume())},
          "{} cannot be changed by $resume (it is {})", option_mark(found.name), found.first);
  RunStatus status =
      status_of(run, {.options = wanted, .otherwise = worded("start a new run with $config")});
  if (status.stage == RunStage::finished && !run.has_model())
    fail_request(About{.place = {directory.string()}, .advice = "bring it back, or train anew"},
                 "was finished, but its model.safetensors is gone");
  return {run, std::move(held), std::move(wanted), std::move(status)};
}

Run Run::resume(const std::filesystem::path& directory, const Dataset& data,
                const OptionChanges& changes) {
  Run run = resume(directory, changes);
  run.state_->data = data;
  return run;
}

Run Run::begin_or_resume(const std::filesystem::path& directory, const RunRequest& wanted,
                         const Dataset& data) {
  if (current_processes() != nullptr)
    fail_request("several processes train one run together, and no comparison or sweep");
  auto held = HeldDirectory::make(directory);
  const RunDirectory run(directory);
  RunRequest request = wanted;
  request.options = run_options_on(data, wanted.options);
  check_options(request.options);
  RunStatus status = status_of(run, request);
  return Run(std::make_unique<State>(
      State{run, std::move(held), std::move(request.options), std::move(status), data}));
}

RunStatus Run::status(const std::filesystem::path& directory, const RunRequest& wanted) {
  std::optional<HeldDirectory> held;
  std::error_code cannot_be;
  if (std::filesystem::is_directory(directory, cannot_be))
    held.emplace(HeldDirectory::existing(directory));
  RunRequest request = wanted;
  request.options = with_whole_paths(request.options);
  request.options.reading = resolved(request.options.reading, request.options.data);
  return status_of(RunDirectory(directory), request);
}

const std::filesystem::path& Run::directory() const { return state_->directory.path(); }
const TrainOptions& Run::options() const { return state_->options; }
const RunStatus& Run::status() const { return state_->status; }
const std::optional<Dataset>& Run::data() const { return state_->data; }

TrainSummary Run::train(TrainObserver* observer) {
  RunStatus& status = state_->status;
  if (status.stage == RunStage::finished) {
    TrainSummary summary = status.summary.value_or(TrainSummary());
    summary.was_finished = true;
    return summary;
  }
  Communicator* processes = current_processes();
  ObserverOfProcess listener(processes, observer);
  std::optional<RunSaver> saver;
  if (leads()) saver.emplace(state_->directory, listener);
  together(processes, [&] { state_->facts(); });
  const auto training = make_training(state_->facts(), state_->options, listener,
                                      saver ? &*saver : nullptr, processes);
  if (leads()) forget_failure(state_->directory);
  TrainSummary summary = training->train(status.stage == RunStage::fresh);
  status = {.stage = summary.ending == TrainSummary::Ending::interrupted ? RunStage::resumable
                                                                         : RunStage::finished,
            .failure = {},
            .summary = summary};
  return summary;
}

bool Run::leads() const { return state_->held.has_value(); }

void Run::note_failure(const std::string& reason) {
  if (leads()) orrery::note_failure(state_->directory, state_->options, reason);
}

void Run::discard_model() {
  if (leads()) state_->directory.discard_rows();
}

TrainOptions run_options(const std::filesystem::path& directory) {
  return RunDirectory::open(directory).read_config();
}

bool holds_model(const std::filesystem::path& directory) {
  return RunDirectory(directory).has_model();
}

TrainRecord run_record(const std::filesystem::path& directory) {
  const RunDirectory run = RunDirectory::open(directory);
  return {run.read_summary().value_or(TrainSummary()), run.epochs()};
}

}  // namespace orrery
