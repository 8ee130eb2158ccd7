#include "engine/cpu/cpu_products.h"

#include <algorithm>

#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

// Large enough to hide the packing of operands, small enough for every core to get some.
constexpr std::size_t row_tile = 256;
constexpr std::size_t entity_tile = 512;
constexpr std::size_t width_tile = 512;


template <class Body>
void for_each_tile(ThreadPool& pool, std::size_t first, std::size_t first_tile, std::size_t second,
                   std::size_t second_tile, const Body& body) {
  const std::size_t columns = (second + second_tile - 1) / second_tile;
  pool.run((first + first_tile - 1) / first_tile * columns, [&](std::size_t task) {
    const std::size_t i = task / columns * first_tile;
    const std::size_t j = task % columns * second_tile;
    body(i, std::min(first_tile, first - i), j, std::min(second_tile, second - j));
  });
}

}  // namespace

template <class T>
void score_product(ThreadPool& pool, const ProductShape<T>& shape, float* scores,
                   std::size_t score_stride) {
  for_each_tile(pool, shape.rows, row_tile, shape.entities, entity_tile,
                [&](std::size_t row, std::size_t rows, std::size_t entity, std::size_t entities) {
                  multiply(rows, entities, shape.width,
                           {shape.queries + row * shape.width, shape.width, false},
                           {shape.entity_rows + entity * shape.width, shape.width, true},
                           scores + row * score_stride + entity, score_stride, false);
                });
}

template <class T>
void query_gradient_product(ThreadPool& pool, const ProductShape<T>& shape,
                            const T* score_gradients, std::size_t score_stride,
                            float* query_gradients) {
  for_each_tile(pool, shape.rows, row_tile, shape.width, width_tile,
                [&](std::size_t row, std::size_t rows, std::size_t column, std::size_t columns) {
                  multiply(rows, columns, shape.entities,
                           {score_gradients + row * score_stride, score_stride, false},
                           {shape.entity_rows + column, shape.width, false},
                           query_gradients + row * shape.width + column, shape.width, false);
                });
}

template <class T>
void entity_gradient_product(ThreadPool& pool, const ProductShape<T>& shape,
                             const T* score_gradients, std::size_t score_stride,
                             float* entity_gradients) {
  for_each_tile(
      pool, shape.entities, entity_tile, shape.width, width_tile,
      [&](std::size_t entity, std::size_t entities, std::size_t column, std::size_t columns) {
        multiply(entities, columns, shape.rows, {score_gradients + entity, score_stride, true},
                 {shape.queries + column, shape.width, false},
                 entity_gradients + entity * shape.width + column, shape.width, true);
      });
}

#define ORRERY_INSTANTIATE(T)                                                                     \
  template void score_product<T>(ThreadPool&, const ProductShape<T>&, float*, std::size_t);       \
  template void query_gradient_product<T>(ThreadPool&, const ProductShape<T>&, const T*,          \
                                          std::size_t, float*);                                   \
  template void entity_gradient_product<T>(ThreadPool&, const ProductShape<T>&, const T*,         \
                                           std::size_t, float*);
ORRERY_INSTANTIATE(float)
ORRERY_INSTANTIATE(std::uint16_t)
#undef ORRERY_INSTANTIATE

}  // namespace orrery::cpu
