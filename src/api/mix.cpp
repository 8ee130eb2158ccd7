#include "orrery/mix.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/dataset_state.h"
#include "api/mixture.h"
#include "api/model_state.h"
#include "base/error.h"
#include "data/fingerprint.h"
#include "engine/mixed_asker.h"
#include "judge/calibration.h"
#include "judge/fit_mix.h"
#include "judge/fit_when.h"
#include "serve/question_ids.h"

namespace orrery {
namespace {

constexpr const char* kind_names[] = {"best part", "average", "fitted"};

bool same_times(const Timeline& one, const Timeline& other) {
  return std::ranges::equal(one.rows, other.rows, [](const TimeRow& a, const TimeRow& b) {
    return a.first == b.first && a.last == b.last && a.label == b.label;
  });
}

// What differs between the data of two models, in words; empty: nothing.
std::string difference(const ModelHeader& one, const ModelHeader& other) {
  const Timeline &first = one.times, &second = other.times;
  if (first.intervals != second.intervals)
    return "one is of intervals, the other of points in time";
  if (first.within != second.within) return "they read intervals in different ways";
  if (first.granularity != second.granularity)
    return fmt::format("their times are {}s and {}s", name_of(first.granularity),
                       name_of(second.granularity));
  if (!std::ranges::equal(one.entities.names(), other.entities.names()))
    return fmt::format("they know other entities ({} and {})", one.entities.size(),
                       other.entities.size());
  if (!std::ranges::equal(one.relations.names(), other.relations.names()))
    return fmt::format("they know other relations ({} and {})", one.relations.size(),
                       other.relations.size());
  if (!same_times(first, second))
    return fmt::format("they know other times ({} and {})", first.size(), second.size());
  if (!same_data(one.data_fingerprint, other.data_fingerprint))
    return fmt::format("their data has the fingerprints {} and {}", one.data_fingerprint,
                       other.data_fingerprint);
  return {};
}

std::string called(const Model& model, std::size_t place) {
  const std::string path = model.state().path.string();
  return path.empty() ? fmt::format("model {}", place + 1) : path;
}

void check_models(std::span<const Model> models, const Dataset& data) {
  if (models.size() < 2)
    fail_request(About{.advice = "name at least two runs"}, "a mixture is of several models");
  const ModelHeader& first = models.front().state().stored->header();
  for (std::size_t i = 0; i < models.size(); ++i) {
    if (models[i].card().mixture)
      fail_request(About{.advice = "name the models it was made of"}, "{} is a mixture already",
                   called(models[i], i));
    const std::string differs = difference(first, models[i].state().stored->header());
    if (!differs.empty())
      fail_request(About{.advice = "mix models of the same data, read in the same way"},
                   "{} and {} were trained on different data: {}", called(models[0], 0),
                   called(models[i], i), differs);
  }
  if (!same_data(first.data_fingerprint, data.fingerprint()))
    fail_request(About{.option = "data", .advice = "weights are chosen on its validation facts"},
                 "the data is not what the models were trained on (fingerprint {}, theirs is {})",
                 data.fingerprint(), first.data_fingerprint);
}

MixedPart description_of(const Model& model, double weight) {
  const TrainOptions& options = model.card().options;
  return {.model = options.model,
          .dim = options.dim,
          .history = options.history,
          .weight = weight,
          .file = {}};
}

Model model_of(std::shared_ptr<const Mixture> mixture, const MachineOptions& machine,
               const std::filesystem::path& path) {
  const auto stored = representative_of(*mixture);
  return Model(
      std::make_shared<ModelState>(stored, machine, path, TrainRecord(), std::move(mixture)));
}

}  // namespace

Model mix(std::span<const Model> models, const Dataset& data, const MachineOptions& machine) {
  check_models(models, data);
  const ModelHeader& header = models.front().state().stored->header();
  std::vector<AskedModel> asked;
  for (const Model& model : models) asked.push_back({model.state().stored});
  const auto engines = start_engines(asked, machine);
  const int threads = static_cast<int>(machine.threads);
  std::vector<std::unique_ptr<Asker>> own_askers;
  std::vector<Asker*> askers;
  for (std::size_t i = 0; i < models.size(); ++i)
    askers.push_back(own_askers.emplace_back(asked[i].model->asker(*engines[i], threads)).get());
  const Dataset own = aligned(header, data);
  const TemporalGraph& facts = own.state().graph;
  const MixFit fit = fit_mix(askers, facts, threads);
  auto mixture = std::make_shared<Mixture>();
  mixture->record.data = data.source();
  MixCard& card = mixture->record.card;
  card = {.parts = {},
          .chosen = kind_names[static_cast<int>(fit.kind)],
          .facts = fit.facts,
          .mrr_of_best = fit.mrr_of_best,
          .mrr_of_average = fit.mrr_of_average,
          .mrr_of_fitted = fit.mrr_of_fitted};
  std::vector<WeighedScorer> weighed;
  for (std::size_t i = 0; i < models.size(); ++i) {
    card.parts.push_back(description_of(models[i], fit.weights[i]));
    if (fit.weights[i] == 0) continue;
    mixture->models.push_back({models[i].state().stored, fit.weights[i]});
    weighed.push_back({std::move(own_askers[i]), fit.weights[i]});
  }
  MixedAsker mixed(std::move(weighed), header.entities.size());
  mixture->record.calibration = fit_calibration(mixed, facts);
  mixture->record.when = fit_when(mixed, facts);
  return model_of(std::move(mixture), machine, {});
}

const std::shared_ptr<const StoredModel>& representative_of(const Mixture& mixture) {
  const auto timed = std::ranges::find_if(
      mixture.models, [](const AskedModel& part) { return knows_time(*part.model); });
  return (timed == mixture.models.end() ? mixture.models.front() : *timed).model;
}

void describe(const Mixture& mixture, ModelCard& card) {
  const DataOptions reading = card.options.reading;
  card.options = {};
  card.options.model = "mixture";
  card.options.dim = 0;
  card.options.reading = reading;
  card.formula.clear();
  card.lanes = card.parameters = card.epoch = 0;
  card.embeddings.clear();
  card.history_features.clear();
  card.history_fitted = false;
  card.calibration = mixture.record.calibration;
  card.when = mixture.record.when;
  card.mixture = mixture.record.card;
  for (const AskedModel& part : mixture.models) {
    card.parameters += part.model->parameters();
    card.formula += fmt::format("{}{:.3g} · {}", card.formula.empty() ? "" : " + ", part.weight,
                                part.model->header().options.model);
  }
}

Model open_mixture(const std::filesystem::path& directory, const MachineOptions& machine,
                   bool verify, FileUse use) {
  auto mixture = std::make_shared<Mixture>();
  mixture->record = read_mix(directory);
  for (const MixedPart& part : mixture->record.card.parts) {
    if (part.weight == 0) continue;
    mixture->models.push_back({read_part(directory, part, verify, use), part.weight});
    const std::string differs =
        difference(mixture->models.front().model->header(), mixture->models.back().model->header());
    if (!differs.empty())
      fail_request(
          About{.place = {(directory / part.file).string()}, .advice = "mix the models again"},
          "is of other data than the mixture's first part: {}", differs);
  }
  return model_of(std::move(mixture), machine, directory);
}

void save_mixture(const Mixture& mixture, const std::filesystem::path& directory) {
  std::vector<const StoredModel*> models;
  for (const AskedModel& part : mixture.models) models.push_back(part.model.get());
  write_mix(directory, mixture.record, models);
}

}  // namespace orrery
