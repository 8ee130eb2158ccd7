// What rows start with.
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/engine.h"

namespace orrery {
namespace {

std::uint64_t key_of(std::string_view text) {
  std::uint64_t key = 0;
  for (const char c : text) key = mix(key ^ static_cast<unsigned char>(c));
  return key;
}

struct StartRule {
  std::uint64_t key;
  double mean, spread;

  StartRule(const Engine& engine, const TableSpec& table, std::uint64_t seed, double scale)
      : key(random_bits(seed, key_of(table.name))) {
    const RowSpec& row = engine.plan().variant->rows[table.row];
    mean = row.start_mean;
    spread = row.start_spread > 0 ? row.start_spread : scale;
  }
  float at(std::size_t place) const {
    return static_cast<float>(mean + spread * random_normal(key, place));
  }
};

std::size_t floats_of(const TableSpec& table) {
  return static_cast<std::size_t>(table.count) * static_cast<std::size_t>(table.width);
}

// Sets the later components of all rows to value_in(table)(place).
template <class ValueIn>
void set_later_components(Engine& engine, const ValueIn& value_in) {
  const ModelPlan& plan = engine.plan();
  const auto dim = static_cast<std::size_t>(plan.shape.dim);
  const std::size_t lanes = dim / static_cast<std::size_t>(plan.variant->algebra_size);
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    if (engine.tables()[t].row == no_row) continue;
    std::vector<float> rows(floats_of(engine.tables()[t]));
    engine.read(t, State::value, rows);
    const auto value = value_in(engine.tables()[t]);
    for (const int component : plan.variant->later_components)
      for (std::size_t row = 0; row < rows.size(); row += dim)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::size_t place = row + static_cast<std::size_t>(component) * lanes + lane;
          rows[place] = value(place);
        }
    engine.write(t, State::value, rows);
  }
}

}  // namespace

void start_randomly(Engine& engine, std::uint64_t seed, double scale, int threads) {
  ThreadPool pool(threads);
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const TableSpec& table = engine.tables()[t];
    std::vector<float> rows(floats_of(table));
    if (table.row != no_row) {
      const StartRule start(engine, table, seed, scale);
      parallel_for(pool, rows.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) rows[i] = start.at(i);
      });
    }
    engine.write(t, State::value, rows);
  }
}

void clear_later_components(Engine& engine) {
  set_later_components(engine, [](const TableSpec&) { return [](std::size_t) { return 0.0F; }; });
}

void start_later_components(Engine& engine, std::uint64_t seed, double scale) {
  set_later_components(engine, [&](const TableSpec& table) {
    return [rule = StartRule(engine, table, seed, scale)](std::size_t place) {
      return rule.at(place);
    };
  });
}

}  // namespace orrery
