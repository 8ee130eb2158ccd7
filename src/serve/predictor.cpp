#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "learn/model_file.h"
#include "orrery/predict.h"

namespace orrery {

struct Predictor::State {
  ModelFile file;
  std::unique_ptr<Engine> engine;

  State(const std::filesystem::path& model, int threads, const std::string& device, bool verify)
      : file(model, verify),
        engine(file.start_engine(
            {.device = device, .threads = threads, .precision = Precision::fp32})) {}

  bool knows_time() const {
    return engine->plan().variant->candidates == Candidates::each_time ||
           std::ranges::any_of(engine->tables(), [](const TableSpec& table) {
             return table.of == RowOf::time || table.of == RowOf::window;
           });
  }

  // Interval models hold a relation's start and end apart: a date asks both, as the judge does.
  QueryPair queries_for(const Question& question) const {
    const ModelCard& card = file.card();
    const bool asks_subject = question.subject.empty();
    if (asks_subject == question.object.empty())
      fail_request("ask for one side: give either the subject or the object, and leave the other");
    const std::int32_t given =
        card.entities.require(asks_subject ? question.object : question.subject, "entity");
    const std::int32_t relations = card.relations.size();
    const std::int32_t forward = card.relations.require(question.relation, "relation");
    if (knows_time() && question.time.empty())
      fail_request("this model's answers depend on time: give a date, with --time");
    const std::int32_t time = knows_time() ? card.times.nearest_row(question.time) : 0;
    if (!card.times.intervals)
      return {{given, forward + (asks_subject ? relations : 0), time}, {}, false};
    const std::int32_t start = forward + (asks_subject ? 2 * relations : 0);
    return {{given, start, time}, {given, start + relations, time}, true};
  }
};

Predictor::Predictor(const std::filesystem::path& model, int threads, const std::string& device,
                     bool verify)
    : state_(std::make_unique<State>(model, threads, device, verify)) {}
Predictor::~Predictor() = default;
Predictor::Predictor(Predictor&&) noexcept = default;
Predictor& Predictor::operator=(Predictor&&) noexcept = default;

std::vector<Answer> Predictor::predict(const Question& question, std::size_t top) {
  const QueryPair queries = state_->queries_for(question);
  const Vocabulary& entities = state_->file.card().entities;
  std::vector<float> scores(static_cast<std::size_t>(entities.size()));
  state_->engine->score({&queries, 1}, scores);
  if (!std::ranges::all_of(scores, [](float s) { return std::isfinite(s); }))
    fail_model("a score is not a finite number: {}the model has diverged; train it again",
               state_->file.verified()
                   ? ""
                   : "its file, whose checksums were not compared, is damaged, or ");

  std::vector<std::int32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0);
  top = std::min(top, order.size());
  const auto better = [&](std::int32_t a, std::int32_t b) {
    const float x = scores[static_cast<std::size_t>(a)], y = scores[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(top), order.end(),
                    better);
  const double highest = *std::ranges::max_element(scores);
  double sum = 0;
  for (const float score : scores) sum += std::exp(score - highest);
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < top; ++i) {
    const double score = scores[static_cast<std::size_t>(order[i])];
    answers.push_back({entities.name(order[i]), score, std::exp(score - highest) / sum});
  }
  return answers;
}

std::string Predictor::time_label(const std::string& time) const {
  const Timeline& times = state_->file.card().times;
  return times.rows[static_cast<std::size_t>(times.nearest_row(time))].label;
}

}  // namespace orrery
