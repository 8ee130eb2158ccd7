#include "engine/cpu/cpu_products.h"

#include <algorithm>

#include "engine/cpu/gemm.h"

namespace orrery::cpu {
namespace {

struct Tile {
  std::size_t rows, columns;
};

// Large enough to hide the packing of operands, small enough for every core to get some.
constexpr Tile query_gradient_tile = {128, 512};
constexpr Tile entity_gradient_tile = {256, 1024};
constexpr Tile score_tile(std::size_t entities) {
  return entities < 4096 ? Tile{128, 512} : Tile{512, 512};
}

// A matrix cut into tiles, which are tasks 0 … count() − 1.
struct Tiling {
  std::size_t rows, columns;
  Tile tile;

  std::size_t across() const { return (columns + tile.columns - 1) / tile.columns; }
  std::size_t count() const { return (rows + tile.rows - 1) / tile.rows * across(); }
  // Calls body(row, rows, column, columns).
  template <class Body>
  void at(std::size_t task, const Body& body) const {
    const std::size_t row = task / across() * tile.rows;
    const std::size_t column = task % across() * tile.columns;
    body(row, std::min(tile.rows, rows - row), column, std::min(tile.columns, columns - column));
  }
};

}  // namespace

template <class T>
void score_product(ThreadPool& pool, const ProductShape<T>& shape, float* scores,
                   std::size_t score_stride) {
  const Tiling tiles{shape.rows, with_spare_rows(shape.entities), score_tile(shape.entities)};
  pool.run(tiles.count(), [&](std::size_t task) {
    tiles.at(task,
             [&](std::size_t row, std::size_t rows, std::size_t entity, std::size_t entities) {
               multiply(rows, entities, shape.width,
                        {shape.queries + row * shape.stride, shape.stride, false},
                        {shape.entity_rows + entity * shape.stride, shape.stride, true},
                        scores + row * score_stride + entity, score_stride, false);
             });
  });
}

// Both in one run of tasks, the long ones first, so that no core waits between them.
template <class T>
void gradient_products(ThreadPool& pool, const ProductShape<T>& shape, const T* score_gradients,
                       std::size_t score_stride, float* query_gradients, float* entity_gradients) {
  const Tiling of_queries{shape.rows, shape.width, query_gradient_tile};
  const Tiling of_entities{shape.entities, shape.width, entity_gradient_tile};
  const auto query_tile = [&](std::size_t row, std::size_t rows, std::size_t column,
                              std::size_t columns) {
    multiply(rows, columns, shape.entities,
             {score_gradients + row * score_stride, score_stride, false},
             {shape.entity_rows + column, shape.stride, false},
             query_gradients + row * shape.stride + column, shape.stride, false);
  };
  const auto entity_tile = [&](std::size_t entity, std::size_t entities, std::size_t column,
                               std::size_t columns) {
    multiply(entities, columns, shape.rows, {score_gradients + entity, score_stride, true},
             {shape.queries + column, shape.stride, false},
             entity_gradients + entity * shape.stride + column, shape.stride, true);
  };
  pool.run(of_queries.count() + of_entities.count(), [&](std::size_t task) {
    if (task < of_queries.count())
      of_queries.at(task, query_tile);
    else
      of_entities.at(task - of_queries.count(), entity_tile);
  });
}

#define ORRERY_INSTANTIATE(T)                                                                    \
  template void score_product<T>(ThreadPool&, const ProductShape<T>&, float*, std::size_t);      \
  template void gradient_products<T>(ThreadPool&, const ProductShape<T>&, const T*, std::size_t, \
                                     float*, float*);
ORRERY_INSTANTIATE(float)
ORRERY_INSTANTIATE(std::uint16_t)
#undef ORRERY_INSTANTIATE

}  // namespace orrery::cpu
