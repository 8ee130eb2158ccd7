// Models of a small world, trained in a blink and kept for all tests.
#pragma once

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"
#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/train.h"

namespace orrery::testing {

inline FactColumns small_facts() {
  FactColumns facts;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const std::uint32_t subject = random_below(1, i, 30), relation = random_below(2, i, 3);
    const std::uint32_t when = random_below(3, i, 8);
    facts.subject.push_back(fmt::format("e{:02}", subject));
    facts.relation.push_back(fmt::format("r{}", relation));
    facts.object.push_back(fmt::format("e{:02}", (3 * subject + 5 * relation + when + 1) % 30));
    facts.time.push_back(fmt::format("2014-01-{:02}", when + 1));
  }
  return facts;
}

inline const Dataset& small_data() {
  static const Dataset data = Dataset::from_columns(small_facts());
  return data;
}

inline const Model& small_model(std::uint64_t seed = 1) {
  static std::map<std::uint64_t, Model> models;
  auto found = models.find(seed);
  if (found == models.end()) {
    TrainOptions options;
    options.dim = 16;
    options.epochs = 3;
    options.seed = seed;
    options.threads = 1;
    options.device = "cpu";
    options.eval_every = 0;
    found = models.emplace(seed, train(small_data(), options)).first;
  }
  return found->second;
}

// Thirty entities, three relations, eight days: all of these have an answer.
inline Question small_question(std::size_t i) {
  Question question{.relation = fmt::format("r{}", i % 3),
                    .time = fmt::format("2014-01-{:02}", i % 8 + 1)};
  (i % 2 == 0 ? question.subject : question.object) = fmt::format("e{:02}", i % 30);
  return question;
}

}  // namespace orrery::testing
