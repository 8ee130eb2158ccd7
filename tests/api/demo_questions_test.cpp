// Forty questions to a model of the built-in world, as people ask them: who, what and when.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>

#include "api/dataset_state.h"
#include "orrery/model.h"
#include "orrery/train.h"

namespace orrery {
namespace {

class DemoQuestions : public ::testing::Test {
 protected:
  struct NamedFact {
    std::string subject, relation, object, time;
  };

  static void SetUpTestSuite() {
    world_ = Dataset::demo();
    model_ = train(*world_, {.model = "bsca",
                             .dim = 128,
                             .epochs = 30,
                             .batch = 1000,
                             .lambda_n3 = 0.01,
                             .lambda_time = 0.1})
                 .with_facts(*world_);
  }
  static void TearDownTestSuite() {
    model_.reset();
    world_.reset();
  }

  // Test facts that follow from the world's rules, spread over all of them.
  static std::vector<NamedFact> planted_facts(
      std::size_t wanted, const std::function<bool(Pattern)>& of = [](Pattern) { return true; }) {
    std::vector<NamedFact> planted;
    const auto facts = world_->facts(Split::test);
    const auto& labels = world_->state().labels;
    const auto name = [](auto names, std::int32_t id) {
      return names[static_cast<std::size_t>(id)];
    };
    for (std::size_t i = 0; i < facts.size(); ++i)
      if (labels[i].reachable_object == 1 && labels[i].reachable_subject == 1 &&
          of(labels[i].pattern))
        planted.push_back({name(world_->entity_names(), facts[i].subject),
                           name(world_->relation_names(), facts[i].relation),
                           name(world_->entity_names(), facts[i].object), world_->date(facts[i])});
    std::vector<NamedFact> spread;
    for (std::size_t i = 0; i < wanted; ++i) spread.push_back(planted[i * planted.size() / wanted]);
    return spread;
  }

  // The place of an answer among those that are no fact already; 0: it is not among them.
  static std::size_t place_of(const Answers& answers, const std::string& name) {
    std::size_t place = 1;
    for (const Answer& answer : answers) {
      if (answer.name == name) return place;
      if (!answer.known || !answer.known->now) ++place;
    }
    return 0;
  }

  static std::size_t first_answers(const std::vector<NamedFact>& facts,
                                   const std::function<Question(const NamedFact&)>& question,
                                   const std::string NamedFact::*part, std::size_t most) {
    return static_cast<std::size_t>(std::ranges::count_if(facts, [&](const NamedFact& fact) {
      const std::size_t place =
          place_of(model_->predict(question(fact), {.top = 1000}), fact.*part);
      return place > 0 && place <= most;
    }));
  }

  static inline std::optional<Dataset> world_;
  static inline std::optional<Model> model_;
};

TEST_F(DemoQuestions, Who) {
  const auto facts = planted_facts(20);
  EXPECT_GE(first_answers(
                {facts.begin(), facts.begin() + 10},
                [](const NamedFact& f) {
                  return Question{f.subject, f.relation, "", f.time};
                },
                &NamedFact::object, 1),
            9U);
  EXPECT_GE(first_answers(
                {facts.begin() + 10, facts.end()},
                [](const NamedFact& f) {
                  return Question{"", f.relation, f.object, f.time};
                },
                &NamedFact::subject, 1),
            9U);
}

TEST_F(DemoQuestions, What) {
  EXPECT_GE(first_answers(
                planted_facts(10),
                [](const NamedFact& f) {
                  return Question{f.subject, "", f.object, f.time};
                },
                &NamedFact::relation, 1),
            9U);
}

TEST_F(DemoQuestions, When) {
  // Of rules that say when; any of the best tenth of times will do.
  const auto says_when = [](Pattern pattern) {
    return pattern == Pattern::evolving || pattern == Pattern::periodic;
  };
  EXPECT_GE(first_answers(
                planted_facts(10, says_when),
                [](const NamedFact& f) {
                  return Question{f.subject, f.relation, f.object, ""};
                },
                &NamedFact::time, static_cast<std::size_t>(world_->times()) / 10),
            9U);
}

TEST_F(DemoQuestions, IsItSo) {
  ASSERT_TRUE(model_->card().calibration);
  for (const NamedFact& fact : planted_facts(10)) {
    const Answers so = model_->predict({fact.subject, fact.relation, fact.object, fact.time});
    const Answers not_so = model_->predict({fact.object, fact.relation, fact.object, fact.time});
    EXPECT_GT(so[0].calibrated, 0.5) << fact.subject << ' ' << fact.relation << ' ' << fact.object;
    EXPECT_GT(so[0].calibrated, not_so[0].calibrated);
  }
}

}  // namespace
}  // namespace orrery
