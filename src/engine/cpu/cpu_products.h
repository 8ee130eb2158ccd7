// The three big products of a step, cut into tiles whose size depends on the problem alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/thread_pool.h"

namespace orrery::cpu {

// A batch of query rows against all entity rows, in either precision.
template <class T>
struct ProductShape {
  std::size_t rows = 0;  // queries
  std::size_t entities = 0;
  std::size_t width = 0;           // floats a row
  std::size_t stride = 0;          // from row to row, of gradients too
  const T* queries = nullptr;      // rows × width
  const T* entity_rows = nullptr;  // entities × width, and spare rows
};

// Rows of a table that queries are held against: the matrix library is quicker at whole vectors of
// scores, so rows that nobody owns follow the last one.
inline std::size_t with_spare_rows(std::size_t rows) { return (rows + 15) / 16 * 16; }

// scores[rows × entities] = queries · entity_rowsᵀ, and the scores of the spare rows
template <class T>
void score_product(ThreadPool& pool, const ProductShape<T>& shape, float* scores,
                   std::size_t score_stride);

// query_gradients[rows × width] = score_gradients · entity_rows
// entity_gradients[entities × width] += score_gradientsᵀ · queries
template <class T>
void gradient_products(ThreadPool& pool, const ProductShape<T>& shape, const T* score_gradients,
                       std::size_t score_stride, float* query_gradients, float* entity_gradients);

}  // namespace orrery::cpu
