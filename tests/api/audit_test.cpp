// Facts that were made false are among the first that an audit shows.
#include "orrery/audit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "facts/scratch.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

constexpr std::uint32_t people = 40;

std::string person(std::uint32_t number) { return fmt::format("p{:02}", number); }

struct MadeFact {
  std::string subject, relation, object, time;
  auto operator<=>(const MadeFact&) const = default;
};

// Objects follow from subject, relation and month.
std::uint32_t object_of(std::uint32_t subject, std::uint32_t relation, std::uint32_t month) {
  return (3 * subject + 7 * relation + month) % people;
}

MadeFact made_fact(std::uint64_t i) {
  const std::uint32_t subject = random_below(1, i, people), relation = random_below(2, i, 3),
                      month = random_below(3, i, 2) + 1, day = random_below(6, i, 20) + 1;
  return {person(subject), fmt::format("r{}", relation),
          person(object_of(subject, relation, month)), fmt::format("2020-{:02}-{:02}", month, day)};
}

bool follows_the_rule(const MadeFact& fact) {
  const auto number = [](const std::string& text, std::size_t from, std::size_t size) {
    return static_cast<std::uint32_t>(std::stoul(text.substr(from, size)));
  };
  return number(fact.object, 1, 2) == object_of(number(fact.subject, 1, 2),
                                                number(fact.relation, 1, 1),
                                                number(fact.time, 5, 2));
}

void add_made(FactColumns& columns, const MadeFact& fact) {
  columns.subject.push_back(fact.subject);
  columns.relation.push_back(fact.relation);
  columns.object.push_back(fact.object);
  columns.time.push_back(fact.time);
}

struct CorruptedFacts {
  Dataset data;
  std::set<MadeFact> changed;
};

// One fact in ten has another object or subject.
CorruptedFacts corrupted_facts(std::size_t facts = 1500) {
  FactColumns train, valid;
  std::set<MadeFact> changed;
  for (std::uint64_t i = 0; i < facts; ++i) {
    MadeFact fact = made_fact(i);
    if (i % 10 == 0) {
      std::string& side = random_below(4, i, 2) == 0 ? fact.object : fact.subject;
      const std::string was = side;
      for (std::uint64_t draw = i; side == was; draw += facts)
        side = person(random_below(5, draw, people));
      changed.insert(fact);
    }
    add_made(train, fact);
  }
  for (std::uint64_t i = 0; i < 120; ++i) add_made(valid, made_fact(100000 + i));
  return {Dataset::from_columns(train, valid, {}), std::move(changed)};
}

TrainOptions small_options() {
  TrainOptions options;
  options.model = "tntcomplex";
  options.dim = 32;
  options.epochs = 25;
  options.batch = 100;
  options.threads = 1;
  return options;
}

MadeFact made_of(const AuditedFact& fact) {
  return {fact.subject, fact.relation, fact.object, fact.time};
}

TEST(Audit, ShowsCorruptedFactsFirst) {
  const auto [data, changed] = corrupted_facts();
  const Model model = train(data, small_options());
  const Audit found = audit(model, data, {.folds = 3});
  ASSERT_EQ(found.facts.size(), data.facts(Split::train).size());
  EXPECT_EQ(found.folds, 3);
  EXPECT_TRUE(found.calibrated);
  std::set<MadeFact> caught;
  std::size_t put_right = 0;
  for (std::size_t i = 0; i < found.facts.size() / 10; ++i) {
    const AuditedFact& fact = found.facts[i];
    if (!changed.contains(made_of(fact)) || !caught.insert(made_of(fact)).second) continue;
    ASSERT_FALSE(fact.likelier.empty());
    MadeFact repaired = made_of(fact);
    (fact.weaker == "object" ? repaired.object : repaired.subject) = fact.likelier.front().name;
    put_right += follows_the_rule(repaired);
  }
  EXPECT_GE(2 * caught.size(), changed.size());
  EXPECT_GE(4 * put_right, 3 * caught.size()) << "either side could be put right";
  for (std::size_t i = 1; i < found.facts.size(); ++i)
    EXPECT_GE(found.facts[i - 1].doubt, found.facts[i].doubt);

  const Audit again = audit(model, data, {.folds = 3});
  for (std::size_t i = 0; i < found.facts.size(); ++i) {
    ASSERT_EQ(made_of(again.facts[i]), made_of(found.facts[i]));
    ASSERT_EQ(again.facts[i].plausibility, found.facts[i].plausibility);
  }
}

TEST(Audit, DrillsOnFactsThatItMakesFalse) {
  FactColumns train_facts, valid_facts;
  for (std::uint64_t i = 0; i < 1600; ++i)
    add_made(i < 1500 ? train_facts : valid_facts, made_fact(i));
  const Dataset clean = Dataset::from_columns(train_facts, valid_facts);
  const Model model = train(clean, small_options());
  const Audit drill = audit(model, clean, {.folds = 3, .corrupt = 0.1});
  EXPECT_GT(drill.corrupted, 110);
  EXPECT_LT(drill.corrupted, 190);
  EXPECT_GE(2 * drill.found, drill.corrupted);
  EXPECT_EQ(audit(model, clean, {.folds = 3, .corrupt = 0.1}).found, drill.found);
  EXPECT_EQ(audit(model, clean, {.folds = 2}).corrupted, 0);
  EXPECT_TRUE(contains(refused([&] { audit(model, clean, {.corrupt = 1}); }), "a share of facts"));
}

class StopInFold : public AuditObserver {
 public:
  explicit StopInFold(std::int64_t fold) : last_(fold) {}
  void on_fold(std::int64_t fold, std::int64_t) override { now_ = fold; }
  bool stop_requested() override { return now_ == last_; }

 private:
  std::int64_t last_, now_ = 0;
};

TEST(Audit, ShowsWhatWasJudgedWhereItWasStopped) {
  const Dataset data = corrupted_facts(300).data;
  TrainOptions options = small_options();
  options.epochs = 1;
  const Model model = train(data, options);
  StopInFold second(2);
  const Audit found = audit(model, data, {.folds = 3}, &second);
  EXPECT_TRUE(found.interrupted);
  EXPECT_EQ(found.folds, 1);
  EXPECT_GT(found.facts.size(), 50);
  EXPECT_LT(found.facts.size(), 150);
}

TEST(Audit, RefusesWhatCannotBeCut) {
  const Dataset data = corrupted_facts(25).data;
  TrainOptions options = small_options();
  options.epochs = 1;
  const Model model = train(data, options);
  EXPECT_TRUE(contains(refused([&] { audit(model, data, {.folds = 1}); }), "nothing to train on"));
  EXPECT_TRUE(contains(refused([&] { audit(model, data, {.folds = 3}); }),
                       "25 training facts are too few for 3 folds"));
}

TEST(Audit, OfOtherFactsKnowsWhatWasTrainedAndWhatIsUnknown) {
  const auto [data, changed] = corrupted_facts();
  const Model model = train(data, small_options());
  const MadeFact learned = made_fact(1);
  std::set<MadeFact> all;
  for (std::uint64_t i = 0; i < 1500; ++i) all.insert(made_fact(i));
  std::uint64_t other = 100000;
  while (all.contains(made_fact(other))) ++other;
  const MadeFact held_out = made_fact(other);
  const auto as_columns = [](const std::vector<MadeFact>& facts) {
    FactColumns columns;
    for (const MadeFact& fact : facts) add_made(columns, fact);
    return Dataset::from_columns(columns);
  };
  MadeFact wrong = held_out;
  wrong.object = wrong.object == "p05" ? "p06" : "p05";
  const Dataset given =
      as_columns({learned, held_out, wrong, {"nobody", "r0", "p01", "2020-01-01"}});
  const Audit found = audit_facts(model, given, data);
  ASSERT_EQ(found.facts.size(), 3U);
  EXPECT_EQ(found.folds, 0);
  ASSERT_EQ(found.notes.size(), 1U);
  EXPECT_TRUE(contains(found.notes[0], "such as 'nobody'"));
  EXPECT_EQ(made_of(found.facts[0]), wrong);
  EXPECT_FALSE(found.facts[0].likelier.empty());
  for (const AuditedFact& fact : found.facts) {
    EXPECT_EQ(fact.trained_on, made_of(fact) == learned);
    EXPECT_GT(fact.subject_facts, 10);
  }
  EXPECT_TRUE(contains(audit_facts(model, given, {}).notes.back(), "are not at hand"));
  EXPECT_TRUE(
      contains(refused([&] {
                 audit_facts(model, as_columns({{"nobody", "r0", "p01", "2020-01-01"}}), data);
               }),
               "none of its facts can be judged"));
}

}  // namespace
}  // namespace orrery
