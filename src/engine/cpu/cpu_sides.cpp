// Side questions: the relation and the time of the unit's examples, which have queries, scores and
// gradients like any other question.
#include <utility>

#include "engine/cpu/cpu_engine.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t rounding_grain = std::size_t{1} << 15;

}  // namespace

void CpuEngine::allocate_rounded_answers() {
  for (std::size_t q = 0; q < side_questions; ++q) {
    const int row = plan_.variant->side_answers[q];
    const int table = row < 0 ? -1 : table_of_row_[static_cast<std::size_t>(row)];
    if (table >= 0)
      rounded_answers_[q] =
          Buffer<std::uint16_t>(data_[static_cast<std::size_t>(table)].values.size());
  }
}

// Once a step: rows do not change within it.
void CpuEngine::round_answers(const LossRules& rules) {
  if (precision_ != Precision::bf16) return;
  for (const SideQuestion question : all_side_questions) {
    if (!rules.asks(question)) continue;
    const Buffer<float>& values = data_[side_table(question)].values;
    std::uint16_t* to = rounded_answers_[static_cast<std::size_t>(question)].data();
    parallel_for(pool_, values.size(), rounding_grain, [&](std::size_t begin, std::size_t end) {
      kernels_.to_bf16(values.data() + begin, to + begin, end - begin);
    });
  }
}

void CpuEngine::ask_sides(std::size_t rows, const LossRules& rules) {
  Held candidates = std::move(held_);
  for (const SideQuestion question : all_side_questions)
    if (rules.asks(question)) ask_side(question, rows, rules.weight_of(question));
  held_ = std::move(candidates);
}

void CpuEngine::ask_side(SideQuestion question, std::size_t rows, double weight) {
  const auto index = static_cast<std::size_t>(question);
  const std::size_t table = side_table(question);
  held_ = {{},
           static_cast<std::size_t>(tables_[table].count),
           data_[table].values.data(),
           data_[table].gradients.data(),
           rounded_answers_[index].data()};
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

}  // namespace orrery::cpu
