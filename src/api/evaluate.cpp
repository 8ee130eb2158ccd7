#include "orrery/evaluate.h"

#include <fmt/format.h>

#include <algorithm>

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "judge/breakdown.h"
#include "judge/calibration.h"
#include "judge/fit_when.h"
#include "judge/judge.h"

namespace orrery {
namespace {

EvaluationScores ranked(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  JudgeOptions judging;
  judging.progress = options.progress;
  const auto judged_by = [&](const AskerPool::Loan& asker) {
    return judge(*asker, data.state().graph, data.state().filter(), options.split, judging);
  };
  try {
    if (options.history) return judged_by(model.state().borrow_asker());
    std::vector<AskedModel> plain = model.state().asked();
    for (AskedModel& one : plain) one.history = false;
    return judged_by(AskerPool(std::move(plain), model.state().machine).borrow());
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::model || model.state().verified()) throw;
    fail_model("{} (or the file, whose checksums were not compared, is damaged)", error.what());
  }
}

// The time at which a fact is asked for, in points of the data's granularity.
TimePoint point_of(const TemporalGraph& data, const Fact& fact) {
  if (data.times.within) return asked_point(data, fact);
  return data.times.rows[static_cast<std::size_t>(data.times.rows_of(fact).start)].first;
}

std::uint64_t facts_outside(const Timeline& model, const TemporalGraph& data, Split split) {
  const TimePoint first = model.rows.front().first, last = model.rows.back().last;
  return static_cast<std::uint64_t>(std::ranges::count_if(data.split(split), [&](const Fact& fact) {
    const TimePoint point = point_of(data, fact);
    return point < first || point > last;
  }));
}

// Classes of years may lie anywhere beside the ends of other facts: there the nearest is meant.
std::vector<std::string> warnings_for(const Timeline& model, const TemporalGraph& data,
                                      Split split) {
  std::vector<std::string> warnings;
  if (data.times.coarsest_date > model.granularity)
    warnings.push_back(fmt::format(
        "the data has dates that name only a {}, and the model's times are {}s: {}",
        name_of(data.times.coarsest_date), name_of(model.granularity),
        data.times.within ? "such a date is its whole period" : "such a date is its first"));
  const std::uint64_t outside = data.times.has_ends() ? 0 : facts_outside(model, data, split);
  if (outside > 0)
    warnings.push_back(fmt::format(
        "{} of {} facts are of a time before the model's first ({}) or after its last ({}): they "
        "are asked as of that",
        outside, data.split(split).size(), model.first_time(), model.last_time()));
  return warnings;
}

}  // namespace

Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateOptions& options) {
  const ModelHeader& header = model.state().stored->header();
  const Dataset facts = aligned(header, data);
  // Of points only the data's own rows still know the date.
  const TemporalGraph& dated = header.times.within ? facts.state().graph : data.state().graph;
  return {ranked(model, facts, options), facts, warnings_for(header.times, dated, options.split)};
}

CalibrationReport measure_calibration(const Model& model, const Dataset& data, Split split) {
  const ModelState& state = model.state();
  const auto asker = state.borrow_asker();
  return measured_calibration(*asker, aligned(state.stored->header(), data).state().graph, split,
                              state.card.calibration);
}

WhenReport measure_when(const Model& model, const Dataset& data, Split split, std::size_t most) {
  const ModelState& state = model.state();
  const auto asker = state.borrow_asker();
  return measured_when(*asker, aligned(state.stored->header(), data).state().graph, split,
                       state.card.when, most);
}

std::vector<BreakdownRow> Evaluation::by(By part) const {
  return breakdown(data.state().graph, *this, part);
}

}  // namespace orrery
