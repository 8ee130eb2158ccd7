#include <algorithm>
#include <vector>

#include "base/random.h"
#include "base/thread_pool.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/engine.h"

namespace orrery {
namespace {

std::uint64_t key_of(std::string_view text) {
  std::uint64_t key = 0;
  for (const char c : text) key = mix(key ^ static_cast<unsigned char>(c));
  return key;
}

}  // namespace

std::unique_ptr<Engine> make_engine(ModelPlan plan, const EngineOptions& options) {
  return std::make_unique<cpu::CpuEngine>(std::move(plan), options);
}

void start_randomly(Engine& engine, std::uint64_t seed, double scale, int threads) {
  const auto dim = static_cast<std::size_t>(engine.plan().shape.dim);
  ThreadPool pool(threads);
  for (std::size_t t = 0; t < engine.tables().size(); ++t) {
    const TableSpec& table = engine.tables()[t];
    const std::uint64_t key = random_bits(seed, key_of(table.name));
    std::vector<float> rows(static_cast<std::size_t>(table.count) * dim);
    parallel_for(pool, rows.size(), 1 << 14, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        rows[i] = static_cast<float>(scale * random_normal(key, i));
    });
    engine.write(t, State::value, rows);
  }
}

}  // namespace orrery
