// What the history of a pair costs: a training step and the ranking of the test split of a made
// world of ICEWS14's size, with `--history near` and without; and the ranking with `lifetime`.
//   history_bench [turns] [threads] [--device cpu|cuda]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "data/examples.h"
#include "data/filter_index.h"
#include "data/lifetimes.h"
#include "data/pair_history.h"
#include "demo/events.h"
#include "engine/engine.h"
#include "engine/lifetime_scorer.h"
#include "judge/judge.h"
#include "measure.h"

namespace orrery {
namespace {

constexpr double bound = 1.1;
constexpr std::int64_t steps_at_once = 10;

struct Where {
  std::string device = "cpu";
  int threads = 0;
  std::int64_t batch = 2'000;
};

TemporalGraph graph_of(const EventWorld& world) {
  TemporalGraph graph;
  const auto numbered = [](std::int32_t count) {
    std::vector<std::string> names;
    for (std::int32_t i = 0; i < count; ++i) names.push_back(fmt::format("{:05}", i));
    return Vocabulary(std::move(names));
  };
  graph.entities = numbered(world.shape.entities);
  graph.relations = numbered(world.shape.relations);
  for (std::int32_t day = 0; day < world.shape.days; ++day) {
    graph.times.rows.push_back({day, day, fmt::format("{:05}", day)});
    graph.times.moments.push_back({day, day});
  }
  for (const Split split : all_splits)
    graph.facts[static_cast<int>(split)] = world.events[static_cast<int>(split)];
  return graph;
}

void report(const char* what, const Part& with, const Part& without, std::int32_t dim) {
  const double ratio = ratio_of(with, {&without, 1}, &Part::milliseconds);
  fmt::print("  {:<34}{:>10.3f}  (at most {})\n", fmt::format("{}: with / without history", what),
             ratio, bound);
  fmt::print(
      "{{\"bench\":\"history\",\"part\":\"{}\",\"dim\":{},\"with_ms\":{:.2f},\"without_ms\":{:.2f},"
      "\"ratio\":{:.4f},\"bound\":{}}}\n",
      what, dim, median(with.milliseconds), median(without.milliseconds), ratio, bound);
}

void measure(std::int32_t dim, const TemporalGraph& data, const FilterIndex& filter, int turns,
             const Where& where) {
  const PairHistory history(HistoryKind::near, known_facts(data), data.relation_ids(),
                            data.entities.size());
  const ModelShape shape{data.entities.size(), data.relation_ids().count(), data.times.size(), dim};
  const ModelPlan plain{&find_variant("bsca", {{"attention", "none"}}), shape, {}};
  ModelPlan knowing = plain;
  knowing.feature_count = features_per_relation(HistoryKind::near);
  knowing.features = &history;
  const TrainingExamples examples(data, 1);
  std::vector<std::unique_ptr<Engine>> engines;
  for (const ModelPlan& plan : {knowing, plain}) {
    engines.push_back(make_engine(
        plan, {.device = where.device, .threads = where.threads, .batch = where.batch}));
    start_randomly(*engines.back(), 1, 0.1, where.threads);
    engines.back()->set_examples(examples.of_epoch(1));
  }
  std::int64_t step = 0;
  // Reading the losses waits for a device.
  const auto take_steps = [&](Engine& engine) {
    for (std::int64_t i = 0; i < steps_at_once; ++i)
      engine.step(1, step++ % (examples.size() / where.batch) * where.batch, where.batch, {});
    engine.losses();
  };
  const auto rank = [&](Ranker& ranker) { judge(ranker, data, filter, Split::test); };
  const Lifetimes lifetimes(known_facts(data), data.relation_ids(), data.entities.size());
  const auto asker = asker_with_lifetimes(
      *engines[0], lifetimes, std::vector<float>(static_cast<std::size_t>(shape.relation_rows), 1),
      where.threads);
  std::vector<Part> parts = {{"steps, history", [&] { take_steps(*engines[0]); }, {}, {}},
                             {"steps", [&] { take_steps(*engines[1]); }, {}, {}},
                             {"ranking, history", [&] { rank(*engines[0]); }, {}, {}},
                             {"ranking", [&] { rank(*engines[1]); }, {}, {}},
                             {"ranking, lifetime", [&] { rank(*asker); }, {}, {}}};
  take_turns(parts, turns);
  fmt::print("\n{}, dim {}, {} entities, batch {}\n", engines[1]->description(), dim,
             data.entities.size(), where.batch);
  print_parts(parts);
  report("step", parts[0], parts[1], dim);
  report("ranking", parts[2], parts[3], dim);
  report("ranking, lifetime", parts[4], parts[3], dim);
}

}  // namespace
}  // namespace orrery

int main(int argc, char** argv) {
  std::vector<std::string_view> words(argv + 1, argv + argc);
  orrery::Where where;
  const auto device = std::ranges::find(words, "--device");
  if (device != words.end() && device + 1 != words.end()) {
    where.device = device[1];
    words.erase(device, device + 2);
  }
  const auto [turns, threads] = orrery::repetition_in(words, 5);
  where.threads = threads;
  const bool gpu = orrery::is_gpu(where.device);
  if (gpu) where.batch = 6'000;
  const auto data = orrery::graph_of(orrery::make_event_world(orrery::event_shape_like("icews14")));
  const orrery::FilterIndex filter(data);
  for (const std::int32_t dim : gpu ? std::array{4'000, 512} : std::array{1'024, 256})
    orrery::measure(dim, data, filter, turns, where);
}
