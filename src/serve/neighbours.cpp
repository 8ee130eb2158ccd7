#include "serve/neighbours.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/asker.h"

namespace orrery {
namespace {

// Four sums at once: the processor need not wait for one addition after the other.
double inner_product(std::span<const float> a, std::span<const float> b) {
  double sums[4] = {};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (std::size_t k = 0; k < 4; ++k) sums[k] += double{a[i + k]} * double{b[i + k]};
  for (; i < a.size(); ++i) sums[0] += double{a[i]} * double{b[i]};
  return sums[0] + sums[1] + sums[2] + sums[3];
}

}  // namespace

std::vector<Neighbour> nearest_entities(const StoredModel& model, std::int32_t entity,
                                        std::size_t top) {
  // The first table of every model is of its entities.
  const std::span<const float> table = model.rows(0);
  const auto dim = static_cast<std::size_t>(model.tables()[0].width);
  const auto row_of = [&](std::int32_t id) {
    return table.subspan(static_cast<std::size_t>(id) * dim, dim);
  };
  const auto own = row_of(entity);
  const double own_size = std::sqrt(inner_product(own, own));
  std::vector<ScoredEntity> found;
  for (std::int32_t e = 0; e < model.header().entities.size(); ++e) {
    if (e == entity) continue;
    const double size = std::sqrt(inner_product(row_of(e), row_of(e)));
    const double product = inner_product(own, row_of(e));
    const bool has_angle = size > 0 && own_size > 0;
    found.push_back({e, static_cast<float>(has_angle ? product / (size * own_size) : 0)});
  }
  const std::size_t count = std::min(top, found.size());
  std::ranges::partial_sort(found, found.begin() + static_cast<std::ptrdiff_t>(count), is_better);
  std::vector<Neighbour> neighbours;
  for (const ScoredEntity& one : std::span(found).first(count))
    neighbours.push_back({model.header().entities.name(one.entity), one.score});
  return neighbours;
}

}  // namespace orrery
