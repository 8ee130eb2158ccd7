// The core tensor: queries from the outer products of a formula's pairs of rows, by matrix
// products.
#include <algorithm>

#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t core_tile = 1024, query_tile = 64;  // columns that one task takes

// Components of a pair's lane.
constexpr int left = 0, right = 1;

}  // namespace

// outer_[row][i · lanes + j] = left_i · right_j; gives their width.
std::size_t CpuEngine::fill_outer_products(std::size_t first, std::size_t rows) {
  const auto lanes = static_cast<std::size_t>(layout_.lanes);
  const std::size_t width = lanes * lanes;
  parallel_for(pool_, rows, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const float* pair = pairs_.data() + (first + row) * formula_layout_.floats();
      for (int i = 0; i < layout_.lanes; ++i)
        for (int j = 0; j < layout_.lanes; ++j)
          outer_[row * width + static_cast<std::size_t>(i) * lanes + static_cast<std::size_t>(j)] =
              pair[formula_layout_.at(left, i)] * pair[formula_layout_.at(right, j)];
    }
  });
  return width;
}

void CpuEngine::core_product(std::size_t rows) {
  const Buffer<float>& core = data_[core_table()].values;
  for (std::size_t done = 0; done < rows; done += core_rows) {
    const std::size_t count = std::min(core_rows, rows - done);
    const std::size_t width = fill_outer_products(done, count);
    const std::size_t stride = layout_.floats();
    parallel_for(pool_, stride, query_tile, [&](std::size_t begin, std::size_t end) {
      multiply(count, end - begin, width, {outer_.data(), width, false},
               {core.data() + begin, stride, false}, queries_.data() + done * stride + begin,
               stride, false);
    });
  }
}

void CpuEngine::core_product_back(std::size_t rows) {
  TableData& core = data_[core_table()];
  const std::size_t stride = layout_.floats();
  const auto lanes = static_cast<std::size_t>(layout_.lanes);
  for (std::size_t done = 0; done < rows; done += core_rows) {
    const std::size_t count = std::min(core_rows, rows - done);
    const std::size_t width = fill_outer_products(done, count);
    const float* gradients = query_gradients_.data() + done * stride;
    parallel_for(pool_, width, core_tile, [&](std::size_t begin, std::size_t end) {
      multiply(count, end - begin, stride, {gradients, stride, false},
               {core.values.data() + begin * stride, stride, true}, outer_gradients_.data() + begin,
               width, false);
      multiply(end - begin, stride, count, {outer_.data() + begin, width, true},
               {gradients, stride, false}, core.gradients.data() + begin * stride, stride, true);
    });
    parallel_for(pool_, count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const float* pair = pairs_.data() + (done + row) * formula_layout_.floats();
        float* to = pair_gradients_.data() + (done + row) * formula_layout_.floats();
        std::fill_n(to, formula_layout_.floats(), 0.0F);
        for (int i = 0; i < layout_.lanes; ++i)
          for (int j = 0; j < layout_.lanes; ++j) {
            const float g = outer_gradients_[row * width + static_cast<std::size_t>(i) * lanes +
                                             static_cast<std::size_t>(j)];
            to[formula_layout_.at(left, i)] += g * pair[formula_layout_.at(right, j)];
            to[formula_layout_.at(right, j)] += g * pair[formula_layout_.at(left, i)];
          }
      }
    });
  }
}

std::size_t CpuEngine::core_table() const {
  return static_cast<std::size_t>(std::ranges::find(tables_, RowOf::core, &TableSpec::of) -
                                  tables_.begin());
}

}  // namespace orrery::cpu
