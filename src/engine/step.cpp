// A training step: what happens, in which order. How it happens is each backend's.
#include <algorithm>

#include "engine/engine.h"

namespace orrery {
namespace {

// The part of a run of one time that lies among some rows.
struct HeldRun {
  std::int32_t time = 0;
  std::int64_t first = 0, end = 0;
  bool begins = false, ends = false;
};

HeldRun part_of(const TimeRun& run, const StepRows& rows) {
  const std::int64_t begin = run.first, end = begin + run.count;
  const std::int64_t first = std::max(begin, rows.first);
  const std::int64_t last = std::min(end, rows.first + rows.count);
  return {run.time, first, last, first == begin, last == end};
}

// Rows that are gathered and swept together: all of them, or at most so many of one run.
std::vector<StepRows> cut(std::span<const TimeRun> runs, std::int64_t count,
                          std::int64_t together) {
  if (together == all_rows) return {{0, count}};
  std::vector<StepRows> parts;
  for (const TimeRun& run : runs)
    for (std::int64_t done = 0; done < run.count; done += together)
      parts.push_back({run.first + done, std::min(together, run.count - done)});
  return parts;
}

}  // namespace

void Engine::step(std::uint64_t shuffle_key, std::int64_t first, std::int64_t count,
                  const StepRules& rules) {
  check_auxiliary(rules.loss);
  check_teacher(rules.loss);
  check_features(rules.loss);
  const bool taught = rules.loss.teacher_share > 0;
  const std::span<const TimeRun> runs = begin_step({shuffle_key, first, count}, rules);
  for (const StepRows& rows : cut(runs, count, rows_swept_together())) {
    take_rows(rows);
    if (taught) make_taught_queries(rows);
    make_queries(rows);
    for (const TimeRun& run : runs) {
      const HeldRun held = part_of(run, rows);
      if (held.first >= held.end) continue;
      if (held.begins) hold_candidates(held.time, taught);
      for (std::int64_t done = held.first; done < held.end; done += rows_scored_together()) {
        const StepRows scored{done, std::min(rows_scored_together(), held.end - done),
                              done > run.first};
        if (taught) score_as_teacher(scored);
        score_candidates(scored);
        back_from_scores(scored);
      }
      if (held.ends) send_back(held.time);
    }
    put_together(rows);
    sweep(rows);
    if (rules.loss.has_auxiliary_losses()) add_auxiliary_losses(rows);
  }
  finish_step();
}

}  // namespace orrery
