#include "orrery/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/model_state.h"
#include "base/error.h"
#include "base/paths.h"
#include "learn/run_directory.h"
#include "serve/answering.h"
#include "serve/question_ids.h"

namespace orrery {
namespace {

ModelCard card_of(const StoredModel& model) {
  const ModelHeader& header = model.header();
  ModelCard card{.options = header.options,
                 .formula = std::string(model.plan().variant->formula),
                 .lanes = header.options.dim / model.plan().variant->algebra_size,
                 .parameters = model.parameters(),
                 .entities = header.entities.size(),
                 .relations = header.relations.size(),
                 .times = header.times.size(),
                 .timed = knows_time(model),
                 .intervals = header.times.intervals,
                 .relation_ids = header.relation_ids(),
                 .granularity = std::string(name_of(header.times.granularity)),
                 .first_time = header.times.first_time(),
                 .last_time = header.times.last_time(),
                 .epoch = header.epoch,
                 .data_fingerprint = header.data_fingerprint,
                 .started_from = header.started_from,
                 .version = header.version,
                 .embeddings = {}};
  for (const TableSpec& table : model.tables())
    card.embeddings.push_back(
        {std::string(table.name), std::string(name_of(table.of)), table.count, table.width});
  card.additions = header.additions;
  card.history_features = feature_names(history_kind_named(header.options.history));
  card.history_fitted = header.history_fitted;
  card.calibration = header.calibration;
  card.when = header.when;
  return card;
}

// In the order of RelationIds.
std::vector<std::string> names_of_relation_rows(const ModelHeader& header) {
  const char* const points[] = {"", " (reciprocal)"};
  const char* const intervals[] = {" (start)", " (end)", " (reciprocal, start)",
                                   " (reciprocal, end)"};
  std::vector<std::string> names;
  for (const char* const kind : header.times.has_ends() ? std::span<const char* const>(intervals)
                                                        : std::span<const char* const>(points))
    for (const std::string& name : header.relations.names()) names.push_back(name + kind);
  return names;
}

std::vector<std::string> names_of_windows(const ModelHeader& header) {
  std::vector<std::string> names;
  const auto& rows = header.times.rows;
  const auto window = static_cast<std::size_t>(header.options.window);
  for (std::size_t first = 0; first < rows.size(); first += window)
    names.push_back(fmt::format("{} to {}", rows[first].label,
                                rows[std::min(first + window, rows.size()) - 1].label));
  return names;
}

TrainRecord record_beside(const std::filesystem::path& path) {
  if (!is_directory_at(path)) return {};
  const RunDirectory run(path);
  return {run.read_summary().value_or(TrainSummary()), run.epochs()};
}

// What makes no sense may be damage where checksums were not compared.
[[noreturn]] void fail_further(const ModelState& state, const Error& error) {
  if (error.kind() != Error::Kind::model || state.verified()) throw error;
  fail_model("{} (or the file, whose checksums were not compared, is damaged)", error.what());
}

}  // namespace

ModelState::ModelState(std::shared_ptr<const StoredModel> model, MachineOptions where,
                       std::filesystem::path from, TrainRecord record,
                       std::shared_ptr<const Mixture> mixed)
    : stored(std::move(model)),
      mixture(std::move(mixed)),
      machine(std::move(where)),
      path(std::move(from)),
      training(std::move(record)),
      card(card_of(*stored)),
      relation_row_names(names_of_relation_rows(stored->header())),
      window_names(names_of_windows(stored->header())),
      askers_(std::make_shared<const AskerPool>(asked(), machine)) {
  check_device(machine.device);
  if (mixture) describe(*mixture, card);
  for (const TimeRow& row : stored->header().times.rows) time_names.push_back(row.label);
}

bool ModelState::verified() const {
  return mixture
             ? std::ranges::all_of(mixture->models,
                                   [](const AskedModel& part) { return part.model->verified(); })
             : stored->verified();
}

Model model_of(ModelHeader header, TableRows rows, MachineOptions machine, TrainRecord record) {
  return Model(std::make_shared<ModelState>(
      std::make_shared<StoredModel>(std::move(header), std::move(rows)), std::move(machine),
      std::filesystem::path(), std::move(record)));
}

Model Model::open(const std::filesystem::path& path, const MachineOptions& machine, bool verify,
                  bool copy) {
  const FileUse use = copy ? FileUse::copied : FileUse::mapped;
  if (holds_mix(path)) return open_mixture(path, machine, verify, use);
  return Model(std::make_shared<ModelState>(std::make_shared<StoredModel>(path, verify, use),
                                            machine, path, record_beside(path)));
}

void Model::save(const std::filesystem::path& file) const {
  if (state_->mixture)
    save_mixture(*state_->mixture, file);
  else
    state_->stored->save(file);
}

Model Model::on(const MachineOptions& machine) const {
  auto state = std::make_shared<ModelState>(state_->stored, machine, state_->path, state_->training,
                                            state_->mixture);
  state->facts = state_->facts;
  return Model(std::move(state));
}

Model Model::with_facts(const Dataset& facts) const {
  return Model(std::make_shared<ModelState>(
      *state_, std::make_shared<KnownFacts>(aligned(state_->stored->header(), facts))));
}

bool Model::has_facts() const { return state_->facts != nullptr; }

const ModelCard& Model::card() const { return state_->card; }
const TrainRecord& Model::training() const { return state_->training; }

std::span<const std::string> Model::entity_names() const {
  return state_->stored->header().entities.names();
}
std::span<const std::string> Model::relation_names() const {
  return state_->stored->header().relations.names();
}
std::span<const std::string> Model::time_names() const { return state_->time_names; }

Embeddings Model::embeddings(std::string_view name) const {
  if (state_->mixture)
    fail_request(About{.advice = "open one of the models it was made of"},
                 "a mixture has no embeddings '{}' of its own, its parts have", name);
  const auto& known = state_->card.embeddings;
  const auto found = std::ranges::find(known, name, &EmbeddingInfo::name);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const EmbeddingInfo& info : known) names.push_back(info.name);
    fail_request(About{.advice = fmt::format("there are {}", fmt::join(names, ", "))},
                 "this model has no embeddings '{}'", name);
  }
  const auto table = static_cast<std::size_t>(found - known.begin());
  Embeddings embeddings{*found, state_->stored->rows(table), {}};
  switch (state_->stored->tables()[table].of) {
    case RowOf::entity:
      embeddings.names = entity_names();
      break;
    case RowOf::relation:
      embeddings.names = state_->relation_row_names;
      break;
    case RowOf::time:
      embeddings.names = state_->time_names;
      break;
    case RowOf::window:
      embeddings.names = state_->window_names;
      break;
    default:
      break;
  }
  return embeddings;
}

Answers Model::predict(const Question& question, const PredictOptions& options) const {
  return std::move(predict(std::span(&question, 1), options).front());
}

std::vector<Answers> Model::predict(std::span<const Question> questions,
                                    const PredictOptions& options) const {
  const auto asker = state_->borrow_asker();
  try {
    AnswerAids aids;
    if (const auto& calibration = state_->card.calibration) aids.calibration = &*calibration;
    if (const auto& when = state_->card.when) aids.when = &*when;
    if (!state_->facts) return answer(*state_->stored, *asker, aids, questions, options);
    const FactsAtHand facts{state_->facts->data.state().graph, state_->facts->index};
    aids.facts = &facts;
    return answer(*state_->stored, *asker, aids, questions, options);
  } catch (const Error& error) {
    fail_further(*state_, error);
  }
}

const std::string& Model::nearest_time(const std::string& date) const {
  const Timeline& times = state_->stored->header().times;
  return state_->time_names[static_cast<std::size_t>(times.nearest_row(date))];
}
std::optional<std::int32_t> Model::find_time(std::string_view date) const {
  return state_->stored->header().times.find_row(date);
}

}  // namespace orrery
