#include "api/training.h"

#include <fmt/format.h>

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "api/shared_training.h"
#include "base/error.h"
#include "base/processes.h"
#include "engine/lifetime_scorer.h"
#include "judge/calibration.h"
#include "judge/fit_history.h"
#include "judge/fit_lifetimes.h"
#include "judge/fit_when.h"
#include "judge/judge.h"
#include "orrery/train.h"

namespace orrery {
namespace {

std::vector<std::string> words_of(std::span<const BadLine> lines) {
  std::vector<std::string> words;
  for (const BadLine& bad : lines)
    words.push_back(fmt::format("{}:{}: {}", bad.file, bad.line, bad.reason));
  return words;
}

Lifetimes lifetimes_of(const TemporalGraph& graph) {
  return {known_facts(graph), graph.relation_ids(), graph.entities.size()};
}

// Beside the numbers that the engine has for all else.
void fit_lifetimes_of(const Engine& engine, const TemporalGraph& graph, int threads,
                      const Pause& pause, std::span<float> worth) {
  const Lifetimes lifetimes = lifetimes_of(graph);
  const RelationIds relations = graph.relation_ids();
  LifetimeScorer timeliness(lifetimes,
                            std::vector(static_cast<std::size_t>(relations.count()), 1.0F),
                            graph.entities.size(), threads);
  const auto model = engine.asker(threads);
  set_lifetime_column(HistoryKind::lifetime, fit_lifetimes(*model, timeliness, graph, pause),
                      worth);
}

// How a pair's history is fitted on validation; empty: it is not.
FitHistory fit_of(const Dataset& data, const TrainOptions& options, const Pause& pause) {
  if (options.history == "none" || options.history_from == "train") return {};
  if (data.facts(Split::valid).empty())
    fail_request(About{.option = "history-from",
                       .place = {options.data},
                       .advice = worded("take $history-from train, or hold out facts with $split")},
                 "$history is fitted on validation, and the valid split is empty");
  const HistoryKind kind = history_kind_named(options.history);
  const auto threads = static_cast<int>(options.threads);
  return [data, kind, threads, pause](Engine& engine, std::span<const float> worth) {
    const TemporalGraph& graph = data.state().graph;
    std::vector<float> fitted =
        fit_history(engine, *engine.plan().features, worth,
                    feature_groups(kind, graph.times.has_ends()), graph, threads, pause)
            .worth;
    if (kind == HistoryKind::lifetime) {
      engine.write(engine.tables().size() - 1, State::value, fitted);
      fit_lifetimes_of(engine, graph, threads, pause, fitted);
    }
    return fitted;
  };
}

FinalFits fits_of(const Dataset& data, const TrainOptions& options, const Pause& pause) {
  const HistoryKind kind = history_kind_named(options.history);
  const auto threads = static_cast<int>(options.threads);
  return {fit_of(data, options, pause), [data, kind, threads](Engine& engine) -> AnswerFits {
            const TemporalGraph& graph = data.state().graph;
            if (kind != HistoryKind::lifetime)
              return {fit_calibration(engine, graph), fit_when(engine, graph)};
            const Lifetimes lifetimes = lifetimes_of(graph);
            const auto asker = asker_with_lifetimes(
                engine, lifetimes,
                lifetime_column(kind, read_table(engine, engine.tables().size() - 1, State::value)),
                threads);
            return {fit_calibration(*asker, graph), fit_when(*asker, graph)};
          }};
}

}  // namespace

TrainOptions options_on(const Dataset& data, TrainOptions options) {
  options.data = data.source();
  options.reading = data.options();
  return options;
}

Training::Training(const Dataset& data, const TrainOptions& options, TrainObserver& observer,
                   RunSaver* saver, Communicator* processes)
    : data_(data),
      observer_(observer),
      processes_(processes),
      trainer_(
          options, data.state().graph, data.state().fingerprint(),
          [this](Engine& engine) { return validate(engine); },
          fits_of(data, options, [this] { stop_if_wanted(); }), observer, saver, processes) {}

TrainSummary Training::train(bool anew) {
  if (anew)
    trainer_.start_anew();
  else
    trainer_.take_up();
  trainer_.report_start(static_cast<std::int64_t>(data_.bad_lines()),
                        words_of(data_.first_bad_lines()));
  if (data_.facts(Split::valid).empty())
    observer_.on_warning(
        "the valid split is missing or empty: no epoch can be called the best, and the last is "
        "kept");
  return trainer_.train();
}

void Training::stop_if_wanted() {
  const bool wished = observer_.stop_requested();
  if (processes_ != nullptr ? processes_->any(wished) : wished) throw StoppedJudging();
}

// Unless the observer wants to stop.
std::optional<Scores> Training::validate(Engine& engine) {
  JudgeOptions judging;
  judging.progress = [this](std::size_t done, std::size_t total) {
    if (done < total) stop_if_wanted();
  };
  try {
    const DatasetState& facts = data_.state();
    return judge(engine, facts.graph, facts.filter(), Split::valid, judging).pessimistic;
  } catch (const StoppedJudging&) {
    return {};
  }
}

Model train(const Dataset& data, const TrainOptions& options, TrainObserver* observer) {
  const TrainOptions wanted = options_on(data, options);
  check_options(wanted);
  Communicator* processes = current_processes();
  require_same_call(processes, "train", wanted);
  ObserverOfProcess listener(processes, observer);
  const auto training = make_training(data, wanted, listener, nullptr, processes);
  const TrainSummary summary = training->train(true);
  Trainer& trainer = training->trainer();
  TrainRecord record{summary, trainer.epochs()};
  TableRows rows = trainer.take_model_rows();
  return model_of(trainer.take_model_header(), std::move(rows),
                  {.device = wanted.device, .threads = wanted.threads, .memory = wanted.memory},
                  std::move(record));
}

}  // namespace orrery
