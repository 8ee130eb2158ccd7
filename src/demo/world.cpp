#include "demo/world.h"

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "demo/names.h"
#include "demo/rules.h"
#include "facts/date.h"

namespace orrery {
namespace {

constexpr double test_share = 0.14;
constexpr double valid_share = 0.06;

struct SplitFacts {
  std::vector<PlantedFact> train, valid, test;
};

int target_of(const DemoFact& fact, Direction asked) {
  return asked == Direction::object ? fact.object : fact.subject;
}

bool can_be_concluded(const DemoFacts& given, const PlantedFact& planted, Direction asked) {
  const auto candidates = demo_candidates(given, planted.fact, planted.pattern, asked);
  const int target = target_of(planted.fact, asked);
  return std::binary_search(candidates.begin(), candidates.end(), target);
}

void sort_by_week(std::vector<PlantedFact>& facts) {
  const auto place = [](const DemoFact& fact) {
    return std::tuple(fact.week, fact.subject, fact.relation, fact.object);
  };
  std::sort(facts.begin(), facts.end(), [place](const PlantedFact& a, const PlantedFact& b) {
    return place(a.fact) < place(b.fact);
  });
}

SplitFacts split_facts(const std::vector<PlantedFact>& planted, std::uint64_t seed) {
  SplitFacts split;
  DemoFacts given;
  std::vector<PlantedFact> held_out;
  const std::uint64_t key = random_bits(seed, 200);
  const auto lot = [key](const PlantedFact& fact) {
    const double drawn = random_uniform(key, fact.fate);
    // Noise teaches nothing, so twice as much of it is held out: its mean varies the most.
    return fact.pattern == Pattern::noise ? drawn / 2 : drawn;
  };
  for (const PlantedFact& fact : planted) {
    if (fact.follows && lot(fact) < test_share + valid_share) {
      held_out.push_back(fact);
    } else {
      split.train.push_back(fact);
      given.add(fact.fact);
    }
  }
  // A fact whose grounds were held out too is given back; that can only help the others.
  for (const PlantedFact& fact : held_out) {
    if (!can_be_concluded(given, fact, Direction::object) ||
        !can_be_concluded(given, fact, Direction::subject)) {
      split.train.push_back(fact);
      given.add(fact.fact);
    } else {
      (lot(fact) < test_share ? split.test : split.valid).push_back(fact);
    }
  }
  for (auto* facts : {&split.train, &split.valid, &split.test}) sort_by_week(*facts);
  return split;
}

// The expected reciprocal rank of the one true answer among what the rules allow, in random order:
// H_k / k for k candidates. Other answers on record do not compete, as in the filtered protocol.
double reachable(const DemoFacts& given, const DemoFacts& known, const PlantedFact& planted,
                 Direction asked) {
  const int target = target_of(planted.fact, asked);
  const std::vector<int>& true_answers = known.answers(planted.fact, asked);
  int candidates = 0;
  double harmonic = 0;
  for (const int candidate : demo_candidates(given, planted.fact, planted.pattern, asked)) {
    const bool filtered = candidate != target && std::find(true_answers.begin(), true_answers.end(),
                                                           candidate) != true_answers.end();
    if (!filtered) harmonic += 1.0 / ++candidates;
  }
  return harmonic / candidates;
}

std::string date_of(int week) {
  const TimePoint first_monday = time_point({2022, 1, 3}, Granularity::day);
  return label(first_monday + 7 * week, Granularity::day);
}

Reachable mean_reachable(const std::vector<LabelledFact>& facts, const auto& wanted) {
  Reachable result;
  for (const LabelledFact& fact : facts) {
    if (!wanted(fact)) continue;
    ++result.facts;
    result.mrr += (fact.reachable_object + fact.reachable_subject) / 2;
  }
  if (result.facts > 0) result.mrr /= static_cast<double>(result.facts);
  return result;
}

}  // namespace

std::string_view name_of(Pattern pattern) {
  switch (pattern) {
    case Pattern::symmetric:
      return "symmetric";
    case Pattern::asymmetric:
      return "asymmetric";
    case Pattern::inverse:
      return "inverse";
    case Pattern::evolving:
      return "evolving";
    case Pattern::periodic:
      return "periodic";
    case Pattern::hierarchical:
      return "hierarchical";
    case Pattern::once:
      return "once";
    case Pattern::repeating:
      return "repeating";
    case Pattern::yearly:
      return "yearly";
    case Pattern::noise:
      return "noise";
  }
  fail_broken("no name for pattern {}", static_cast<int>(pattern));
}

DemoWorld make_demo_world(std::uint64_t seed) {
  const std::vector<std::string> names = make_demo_names(seed);
  const SplitFacts split = split_facts(plant_demo_facts(seed), seed);
  DemoFacts given, known;
  for (const PlantedFact& fact : split.train) given.add(fact.fact);
  for (const auto* facts : {&split.train, &split.valid, &split.test})
    for (const PlantedFact& fact : *facts) known.add(fact.fact);

  const auto labelled = [&](const std::vector<PlantedFact>& facts, bool held_out) {
    std::vector<LabelledFact> result;
    result.reserve(facts.size());
    for (const PlantedFact& planted : facts) {
      const DemoFact& fact = planted.fact;
      result.push_back(
          {names.at(static_cast<std::size_t>(fact.subject)), std::string(name_of(fact.relation)),
           names.at(static_cast<std::size_t>(fact.object)), date_of(fact.week), planted.pattern,
           held_out ? reachable(given, known, planted, Direction::object) : 0,
           held_out ? reachable(given, known, planted, Direction::subject) : 0});
    }
    return result;
  };
  return {seed, labelled(split.train, false), labelled(split.valid, true),
          labelled(split.test, true)};
}

Reachable reachable_mrr(const std::vector<LabelledFact>& facts, Pattern pattern) {
  return mean_reachable(facts, [pattern](const LabelledFact& f) { return f.pattern == pattern; });
}

Reachable reachable_mrr(const std::vector<LabelledFact>& facts) {
  return mean_reachable(facts, [](const LabelledFact&) { return true; });
}

}  // namespace orrery
