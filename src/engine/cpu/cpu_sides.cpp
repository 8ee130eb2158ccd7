// Side questions: the relation and the time of the unit's examples, which have queries, scores and
// gradients like any other question.
#include <algorithm>

#include "base/error.h"
#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {

void CpuEngine::ask_sides(std::size_t rows, const LossRules& rules) {
  if (!sides_) fail_broken("side questions are asked that were not announced");
  Held candidates = std::move(held_);
  for (const SideQuestion question : {SideQuestion::relation, SideQuestion::time}) {
    const double weight = rules.sides[static_cast<std::size_t>(question)];
    if (weight > 0) ask_side(question, rows, weight);
  }
  held_ = std::move(candidates);
}

void CpuEngine::ask_side(SideQuestion question, std::size_t rows, double weight) {
  const auto index = static_cast<std::size_t>(question);
  const int row = plan_.variant->side_answers[index];
  const int table = row < 0 ? -1 : table_of_row_[static_cast<std::size_t>(row)];
  if (table < 0) fail_broken("a side question is asked that this model has no answers to");
  hold_answers(static_cast<std::size_t>(table));
  const FormulaKernels& formula = row_kernels_.sides[index];
  const std::size_t answer = plan_.variant->rows.size();  // its row follows the model's
  RowJob job = row_job();
  job.sources[answer] = {data_[0].values.data(), layout_.floats()};
  job.queries = queries_.data();
  job.query_gradients = query_gradients_.data();
  for (std::size_t r = 0; r < row_gradients_.size(); ++r) {
    job.gradients[r] = row_gradients_[r].data();
    job.answer_gradients[r] = answer_gradients_[r].data();
  }
  job.gradients[answer] = answer_gradients_[0].data();
  job.penalties = penalties_.data();

  const std::size_t width = layout_.floats();
  parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    formula.forward(job, begin, end);
    if (precision_ == Precision::bf16)
      kernels_.to_bf16(queries_.data() + begin * width, rounded_queries_.data() + begin * width,
                       (end - begin) * width);
  });
  score_unit(rows, precision_);
  const auto batch = static_cast<double>(batch_.size());
  const auto share = static_cast<float>(weight / batch);
  parallel_for(pool_, rows, row_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Query& asked = unit_[i].query;
      const std::int32_t target = question == SideQuestion::relation ? asked.relation : asked.time;
      losses_[i] = kernels_.softmax_back(
          scores_.data() + i * score_stride_, held_.count, static_cast<std::size_t>(target), share,
          false,
          precision_ == Precision::bf16 ? rounded_scores_.data() + i * score_stride_ : nullptr);
    }
  });
  back_products(rows);
  parallel_for(pool_, rows, row_grain,
               [&](std::size_t begin, std::size_t end) { formula.backward(job, begin, end); });
  scatter(formula, {unit_.data(), rows}, true);
  for (std::size_t i = 0; i < rows; ++i) sums_.sides += weight * losses_[i] / batch;
}

void CpuEngine::hold_answers(std::size_t table) {
  TableData& data = data_[table];
  if (precision_ == Precision::bf16) {
    if (rounded_answers_.size() < data.values.size())
      rounded_answers_ = Buffer<std::uint16_t>(data.values.size());
    kernels_.to_bf16(data.values.data(), rounded_answers_.data(), data.values.size());
  }
  held_ = {{},
           static_cast<std::size_t>(tables_[table].count),
           data.values.data(),
           data.gradients.data(),
           rounded_answers_.data()};
}

}  // namespace orrery::cpu
