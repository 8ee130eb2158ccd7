// Auxiliary losses: the relation and the time of the unit's examples, which have queries, scores
// and gradients like any other question.
#include <utility>

#include "engine/cpu/softmax_unit.h"

namespace orrery::cpu {

void CpuEngine::allocate_rounded_answers() {
  for (std::size_t q = 0; q < auxiliary_losses; ++q) {
    const int row = plan_.variant->auxiliary_targets[q];
    const int table = row < 0 ? -1 : table_of_row_[static_cast<std::size_t>(row)];
    if (table >= 0)
      rounded_answers_[q] =
          Buffer<std::uint16_t>(data_[static_cast<std::size_t>(table)].values.size());
  }
}

// Once a step: rows do not change within it.
void CpuEngine::round_answers(const LossRules& rules) {
  if (precision_ != Precision::bf16) return;
  for (const AuxiliaryLoss question : all_auxiliary_losses)
    if (rules.asks(question))
      round_table(data_[auxiliary_table(question)].values,
                  rounded_answers_[static_cast<std::size_t>(question)]);
}

void CpuEngine::add_auxiliary_losses(const StepRows& rows) {
  const LossRules& rules = step_rules_.loss;
  Held candidates = std::move(work_.held);
  for (const AuxiliaryLoss question : all_auxiliary_losses)
    if (rules.asks(question))
      add_auxiliary_loss(question, static_cast<std::size_t>(rows.count), rules.weight_of(question));
  work_.held = std::move(candidates);
}

void CpuEngine::add_auxiliary_loss(AuxiliaryLoss question, std::size_t rows, double weight) {
  const auto index = static_cast<std::size_t>(question);
  const std::size_t table = auxiliary_table(question);
  work_.held = {false,
                {},
                static_cast<std::size_t>(tables_[table].count),
                data_[table].values.data(),
                data_[table].gradients.data(),
                rounded_answers_[index].data()};
  const FormulaKernels& formula = row_kernels_.auxiliary[index];
  const std::size_t answer = plan_.variant->rows.size();  // its row follows the model's
  RowJob job = row_job(work_);
  job.sources[answer] = job.sources[tables_[0].row];
  job.queries = work_.queries.data();
  job.query_gradients = work_.query_gradients.data();
  send_gradients_to_buffers(job);
  job.gradients[answer] = answer_gradients_[0].data();

  parallel_for(work_.pool, rows, row_grain,
               [&](std::size_t begin, std::size_t end) { formula.forward(job, begin, end); });
  round_queries(work_, rows);
  score_unit(work_, rows, precision_);
  const auto batch = static_cast<double>(batch_.size());
  softmax_unit(rows, weight / batch, false, 0, [&](std::size_t i) {
    const Query& asked = work_.unit[i].query;
    return static_cast<std::size_t>(question == AuxiliaryLoss::relation ? asked.relation
                                                                        : asked.time);
  });
  back_products(rows);
  parallel_for(work_.pool, rows, row_grain,
               [&](std::size_t begin, std::size_t end) { formula.backward(job, begin, end); });
  scatter(formula, asked_, true, own_.first);
  for (std::size_t i = 0; i < rows; ++i) sums_.auxiliary += weight * losses_[i] / batch;
}

}  // namespace orrery::cpu
