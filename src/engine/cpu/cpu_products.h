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
  const T* entity_rows = nullptr;  // entities × width
};

// scores[rows × entities] = queries · entity_rowsᵀ
template <class T>
void score_product(ThreadPool& pool, const ProductShape<T>& shape, float* scores,
                   std::size_t score_stride);

// query_gradients[rows × width] = score_gradients · entity_rows
// entity_gradients[entities × width] += score_gradientsᵀ · queries
template <class T>
void gradient_products(ThreadPool& pool, const ProductShape<T>& shape, const T* score_gradients,
                       std::size_t score_stride, float* query_gradients, float* entity_gradients);

}  // namespace orrery::cpu
