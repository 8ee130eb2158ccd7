#include "orrery/demo.h"

#include <utility>

#include "api/dataset_state.h"
#include "base/error.h"
#include "demo/events.h"
#include "demo/statements.h"
#include "demo/world.h"

namespace orrery {
namespace {

DemoPattern pattern_of(std::string_view name, const Reachable& reachable) {
  return {std::string(name), reachable.facts, reachable.mrr};
}

std::vector<TestLabel> labels_of(const Dataset& data) {
  if (!data.state().labels.empty()) return data.state().labels;
  if (data.source().empty())
    fail_request("only the demo world has patterns, and these facts are from memory");
  return read_demo_labels(data.source());
}

LargeDemo described(const auto& shape, std::vector<std::filesystem::path> files, std::string like,
                    std::int32_t times, std::string times_are) {
  return {.files = std::move(files),
          .like = std::move(like),
          .train = shape.facts[0],
          .valid = shape.facts[1],
          .test = shape.facts[2],
          .entities = shape.entities,
          .relations = shape.relations,
          .times = times,
          .times_are = std::move(times_are)};
}

}  // namespace

DemoFiles write_demo(const std::filesystem::path& directory, std::uint64_t seed) {
  const DemoWorld world = make_demo_world(seed);
  DemoFiles demo{.files = write_demo_world(world, directory),
                 .train = world.train.size(),
                 .valid = world.valid.size(),
                 .test = world.test.size(),
                 .patterns = {},
                 .overall = pattern_of("all", reachable_mrr(world.test))};
  for (const Pattern pattern : all_patterns)
    demo.patterns.push_back(pattern_of(name_of(pattern), reachable_mrr(world.test, pattern)));
  return demo;
}

LargeDemo write_large_demo(const std::filesystem::path& directory, const std::string& like,
                           double scale, std::uint64_t seed) {
  if (like == StatementShape::like) {
    const StatementShape shape = statement_shape(scale);
    return described(shape, write_statement_world(shape, seed, directory), like, shape.years,
                     "years");
  }
  const EventShape shape = event_shape_like(like, scale);
  return described(shape, write_event_world(make_event_world(shape, seed), directory), shape.like,
                   shape.days, "days");
}

std::vector<PatternScores> scores_by_pattern(const Evaluation& evaluation) {
  const std::vector<TestLabel> labels = labels_of(evaluation.data);
  if (evaluation.split != Split::test ||
      evaluation.ranks.size() != labels.size() * queries_per_fact)
    fail_request(
        "the labels are of {} test facts, and {} facts of {} were evaluated; are they of "
        "this data?",
        labels.size(), evaluation.ranks.size() / queries_per_fact, name_of(evaluation.split));
  std::vector<PatternScores> patterns;
  for (const Pattern pattern : all_patterns) {
    const Scores scores =
        evaluation.of_facts([&](std::size_t fact) { return labels[fact].pattern == pattern; });
    if (scores.queries == 0) continue;
    double reachable = 0;
    for (const TestLabel& label : labels)
      if (label.pattern == pattern) reachable += label.reachable_object + label.reachable_subject;
    patterns.push_back(
        {std::string(name_of(pattern)), scores, reachable / static_cast<double>(scores.queries)});
  }
  return patterns;
}

}  // namespace orrery
