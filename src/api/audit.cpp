#include "orrery/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/audit_parts.h"
#include "api/corrupted_data.h"
#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "base/processes.h"
#include "base/random.h"
#include "judge/calibration.h"

namespace orrery {
namespace {

constexpr std::size_t least_facts_in_a_fold = 10;

struct StoppedAuditing {};

// By what a fact says: the same one twice is in one fold, or it would be judged by what it says.
std::int64_t fold_of(const Fact& fact, const AuditOptions& options) {
  std::uint64_t key = mix(options.seed);
  for (const std::int32_t part : {fact.subject, fact.relation, fact.object, fact.when})
    key = mix(key ^ static_cast<std::uint64_t>(part));
  return random_below(key, 0, static_cast<std::uint32_t>(options.folds));
}

void check(const Dataset& data, const AuditOptions& options) {
  if (options.folds < 2)
    fail_request(About{.option = "folds", .advice = worded("take $folds 5")},
                 "{} fold leaves nothing to train on", options.folds);
  if (!(options.corrupt >= 0 && options.corrupt < 1))
    fail_request(About{.option = "corrupt", .advice = worded("take $corrupt 0.1")},
                 "a share of facts is at least 0 and less than 1");
  const std::size_t facts = data.facts(Split::train).size();
  const std::size_t least = least_facts_in_a_fold * static_cast<std::size_t>(options.folds);
  if (facts < least)
    fail_request(About{.option = "folds", .place = {data.source()}},
                 "{} training facts are too few for {} folds of {} at least", facts, options.folds,
                 least_facts_in_a_fold);
}

// Of the drill.
void count_found(Audit& audit) {
  for (std::size_t i = 0; i < audit.facts.size(); ++i) {
    if (audit.facts[i].replaced.empty()) continue;
    ++audit.corrupted;
    if (i < audit.facts.size() / 10) ++audit.found;
  }
}

// As long as the model was trained; nothing chooses an epoch.
TrainOptions fold_options(const Model& model) {
  TrainOptions options = model.card().options;
  const MachineOptions& machine = model.state().machine;
  options.device = machine.device;
  options.threads = machine.threads;
  options.memory = machine.memory;
  options.epochs = std::max<std::int64_t>(1, model.card().epoch);
  options.eval_every = 0;
  options.patience = 0;
  return options;
}

// Without the facts of a fold, which are its test split.
Dataset without_fold(const Dataset& data, const AuditOptions& options, std::int64_t fold) {
  const DatasetState& whole = data.state();
  TemporalGraph graph = whole.graph;
  auto& left = graph.facts[static_cast<std::size_t>(Split::train)];
  auto& out = graph.facts[static_cast<std::size_t>(Split::test)];
  out.clear();
  std::ranges::copy_if(left, std::back_inserter(out),
                       [&](const Fact& fact) { return fold_of(fact, options) == fold; });
  std::erase_if(left, [&](const Fact& fact) { return fold_of(fact, options) == fold; });
  return Dataset(std::make_shared<DatasetState>(std::move(graph), whole.source, whole.options));
}

// Facts of a fold are held out: without validation they say what probabilities mean.
std::optional<Calibration> calibration_of(const Model& model, Asker& asker,
                                          const TemporalGraph& data) {
  if (model.card().calibration) return model.card().calibration;
  TemporalGraph held_out = data;
  held_out.facts[static_cast<std::size_t>(Split::valid)] = data.split(Split::test);
  return fit_calibration(asker, held_out);
}

std::vector<AuditedFact> audited_fold(const Model& model, const Dataset& fold,
                                      const CorruptedData& whole, const AuditOptions& options,
                                      AuditObserver& observer, bool& calibrated) {
  const TemporalGraph& graph = fold.state().graph;
  const auto asker = model.state().borrow_asker();
  const AuditedPart part{.data = graph,
                         .known = whole.data.state().filter(),
                         .facts = graph.split(Split::test),
                         .learned = graph.split(Split::train),
                         .calibration = calibration_of(model, *asker, graph)};
  calibrated = calibrated && part.calibration.has_value();
  auto result = audited(*asker, part, options, [&](std::size_t) {
    if (observer.stop_requested()) throw StoppedAuditing();
  });
  for (std::size_t i = 0; i < result.size(); ++i)
    if (const auto found = whole.replaced.find(part.facts[i]); found != whole.replaced.end())
      result[i].replaced = found->second;
  return result;
}

}  // namespace

Audit audit(const Model& model, const Dataset& data, const AuditOptions& options,
            AuditObserver* observer) {
  check(data, options);
  if (current_processes() != nullptr)
    fail_request(About{.advice = "audit outside of the shared training"},
                 "an audit works in one process");
  AuditObserver silent;
  AuditObserver& listener = observer != nullptr ? *observer : silent;
  const TrainOptions wanted = fold_options(model);
  const CorruptedData whole = options.corrupt > 0
                                  ? corrupted_data(data, options.corrupt, options.seed)
                                  : CorruptedData{data, {}};
  Audit result{.facts = {}, .calibrated = true};
  for (std::int64_t fold = 0; fold < options.folds; ++fold) {
    listener.on_fold(fold + 1, options.folds);
    const Dataset part = without_fold(whole.data, options, fold);
    const Model trained = train(part, wanted, &listener).on(model.state().machine);
    result.interrupted = trained.training().summary.ending == TrainSummary::Ending::interrupted;
    if (result.interrupted) break;
    try {
      auto facts = audited_fold(trained, part, whole, options, listener, result.calibrated);
      std::ranges::move(facts, std::back_inserter(result.facts));
    } catch (const StoppedAuditing&) {
      result.interrupted = true;
      break;
    }
    ++result.folds;
  }
  sort_by_doubt(result.facts);
  count_found(result);
  return result;
}

}  // namespace orrery
