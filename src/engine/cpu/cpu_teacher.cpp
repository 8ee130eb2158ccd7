// The teacher: the average of the rows answers a step's questions, without dropout, and what it
// answers is a share of the targets. To ask it is to ask the model with its rows and the average
// exchanged, and with the few buffers that both need at once.
#include <utility>

#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {

std::uint64_t CpuEngine::taught_bytes(std::uint64_t compact) const {
  const std::uint64_t candidates = compact * candidate_layout_.floats();
  const std::uint64_t entities = plan_.variant->derives_candidates()
                                     ? 0
                                     : static_cast<std::uint64_t>(own_.count) * layout_.floats();
  const std::uint64_t rounded = precision_ == Precision::bf16 ? entities + candidates : 0;
  const std::uint64_t queries = unit_rows_ * query_layout_.floats();
  const std::uint64_t rounded_queries = precision_ == Precision::bf16 ? queries : 0;
  return (unit_rows_ * score_stride_ + queries + candidates) * sizeof(float) +
         (rounded + rounded_queries) * sizeof(std::uint16_t);
}

// Candidates are allocated when they are held.
void CpuEngine::allocate_taught() {
  taught_.queries = Buffer<float>(work_.queries.size());
  taught_.rounded_queries = Buffer<std::uint16_t>(work_.rounded_queries.size());
  taught_.scores = Buffer<float>(work_.scores.size());
  taught_.rounded_entities = Buffer<std::uint16_t>(rounded_entities_.size());
}

// Once a step: the average does not change within it. Drawn candidates are rounded when held.
void CpuEngine::round_teacher(const LossRules& rules) {
  if (rules.teacher_share > 0 && rules.negatives == 0 && taught_.rounded_entities.size() > 0)
    round_table(data_[0].averages, taught_.rounded_entities);
}

void CpuEngine::as_teacher(const std::function<void()>& action) {
  const auto exchange = [&] {
    for (auto& data : data_) std::swap(data.values, data.averages);
    std::swap(work_.queries, taught_.queries);
    std::swap(work_.rounded_queries, taught_.rounded_queries);
    std::swap(work_.scores, taught_.scores);
    std::swap(work_.candidate_rows, taught_.candidate_rows);
    std::swap(rounded_entities_, taught_.rounded_entities);
    std::swap(work_.rounded_candidates, taught_.rounded_candidates);
    std::swap(work_.held, taught_.held);
  };
  exchange();
  action();
  exchange();
}

void CpuEngine::make_taught_queries(const StepRows& rows) {
  as_teacher([&] {
    if (is_shared()) fetch_borrowed(work_);
    forward(work_, row_job(work_), static_cast<std::size_t>(rows.count));
  });
}

void CpuEngine::score_as_teacher(const StepRows& rows) {
  const auto count = static_cast<std::size_t>(rows.count);
  gather_features(count);
  as_teacher([&] {
    score_unit(work_, count, precision_);
    add_features_to_unit(count);
  });
}

}  // namespace orrery::cpu
