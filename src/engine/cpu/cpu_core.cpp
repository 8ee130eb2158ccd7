// The core tensor: queries from the outer products of a formula's pairs of rows, by matrix
// products.
#include <algorithm>
#include <vector>

#include "engine/cpu/cpu_engine.h"
#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

constexpr std::size_t core_tile = 1024, query_tile = 64;  // columns that one task takes

// The lanes of a pair's two rows.
struct Pair {
  std::vector<float> left, right;

  explicit Pair(std::size_t lanes) : left(lanes), right(lanes) {}
  Pair(const float* row, const RowLayout& layout) : Pair(static_cast<std::size_t>(layout.lanes)) {
    for (int l = 0; l < layout.lanes; ++l) {
      left[static_cast<std::size_t>(l)] = row[layout.at(0, l)];
      right[static_cast<std::size_t>(l)] = row[layout.at(1, l)];
    }
  }
  void write_to(float* row, const RowLayout& layout) const {
    for (int l = 0; l < layout.lanes; ++l) {
      row[layout.at(0, l)] = left[static_cast<std::size_t>(l)];
      row[layout.at(1, l)] = right[static_cast<std::size_t>(l)];
    }
  }
};

}  // namespace

// outer[row][i · lanes + j] = left_i · right_j; gives their width.
std::size_t CpuEngine::fill_outer_products(Workspace& work, std::size_t first,
                                           std::size_t rows) const {
  const auto lanes = static_cast<std::size_t>(layout_.lanes);
  const std::size_t width = lanes * lanes;
  parallel_for(work.pool, rows, 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row) {
      const Pair pair(work.pairs.data() + (first + row) * formula_layout_.floats(),
                      formula_layout_);
      float* outer = work.outer.data() + row * width;
      for (std::size_t i = 0; i < lanes; ++i)
        for (std::size_t j = 0; j < lanes; ++j) outer[i * lanes + j] = pair.left[i] * pair.right[j];
    }
  });
  return width;
}

void CpuEngine::core_product(Workspace& work, std::size_t rows) const {
  const Buffer<float>& core = data_[core_table()].values;
  for (std::size_t done = 0; done < rows; done += core_rows) {
    const std::size_t count = std::min(core_rows, rows - done);
    const std::size_t width = fill_outer_products(work, done, count);
    const std::size_t stride = layout_.floats();
    parallel_for(work.pool, stride, query_tile, [&](std::size_t begin, std::size_t end) {
      multiply(count, end - begin, width, {work.outer.data(), width, false},
               {core.data() + begin, stride, false}, work.queries.data() + done * stride + begin,
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
    const std::size_t width = fill_outer_products(work_, done, count);
    const float* gradients = work_.query_gradients.data() + done * stride;
    parallel_for(work_.pool, width, core_tile, [&](std::size_t begin, std::size_t end) {
      multiply(count, end - begin, stride, {gradients, stride, false},
               {core.values.data() + begin * stride, stride, true}, outer_gradients_.data() + begin,
               width, false);
      multiply(end - begin, stride, count, {work_.outer.data() + begin, width, true},
               {gradients, stride, false}, core.gradients.data() + begin * stride, stride, true);
    });
    parallel_for(work_.pool, count, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t row = begin; row < end; ++row) {
        const std::size_t at = (done + row) * formula_layout_.floats();
        const Pair pair(work_.pairs.data() + at, formula_layout_);
        Pair to(lanes);
        const float* outer = outer_gradients_.data() + row * width;
        for (std::size_t i = 0; i < lanes; ++i)
          for (std::size_t j = 0; j < lanes; ++j) {
            const float g = outer[i * lanes + j];
            to.left[i] += g * pair.right[j];
            to.right[j] += g * pair.left[i];
          }
        to.write_to(pair_gradients_.data() + at, formula_layout_);
      }
    });
  }
}

std::size_t CpuEngine::core_table() const {
  return static_cast<std::size_t>(std::ranges::find(tables_, RowOf::core, &TableSpec::of) -
                                  tables_.begin());
}

}  // namespace orrery::cpu
