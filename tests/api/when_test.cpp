// When? Fitted at the end of training, stored, used by answers and measured.
#include "orrery/when.h"

#include <gtest/gtest.h>

#include "orrery/mix.h"
#include "small_runs.h"

namespace orrery {
namespace {

using testing::refused;

// Pairs meet on days of their own, by several relations at once; nothing repeats.
FactColumns meetings(int count) {
  FactColumns facts;
  for (int i = 0; i < count; ++i) {
    const auto meeting = static_cast<std::uint64_t>(i / 4);
    facts.subject.push_back(fmt::format("a{:02}", random_below(1, meeting, 40)));
    facts.object.push_back(fmt::format("b{:02}", random_below(2, meeting, 40)));
    facts.relation.push_back(fmt::format("r{}", i % 4));
    facts.time.push_back(fmt::format("2014-{:02}-{:02}", 1 + random_below(3, meeting, 6),
                                     1 + random_below(4, meeting, 28)));
  }
  return facts;
}

class WhenRuns : public testing::SmallRuns {
 protected:
  void SetUp() override {
    DataOptions reading;
    reading.split = "70/15/15";
    data_ = Dataset::from_columns(meetings(2400), {}, {}, reading);
  }
  TrainOptions small() const {
    TrainOptions options;
    options.dim = 16;
    options.epochs = 4;
    options.device = "cpu";
    options.eval_every = 2;
    return options;
  }
  std::optional<Dataset> data_;
};

TEST_F(WhenRuns, TimesAreFoundByWhatElseTrainTells) {
  const Model model = train(*data_, small());
  ASSERT_TRUE(model.card().when.has_value());
  const WhenReport report = measure_when(model, *data_, Split::test, 100);
  EXPECT_EQ(report.facts, 100U);
  ASSERT_TRUE(report.fit);
  EXPECT_LT(report.fit->mean, 0.3 * report.model.mean);

  // Answers have it where the model knows its facts.
  const Model knowing = model.with_facts(*data_);
  int first = 0, asked = 0;
  for (const Fact& fact : data_->facts(Split::test)) {
    if (++asked > 60) break;
    const auto name = [](const auto& names, std::int32_t id) {
      return names[static_cast<std::size_t>(id)];
    };
    const Question question{.subject = name(data_->entity_names(), fact.subject),
                            .relation = name(data_->relation_names(), fact.relation),
                            .object = name(data_->entity_names(), fact.object)};
    const Answers answers = knowing.predict(question, {.top = 3});
    ASSERT_EQ(answers.curve.size(), static_cast<std::size_t>(data_->times()));
    double sum = 0;
    for (const TimeScore& point : answers.curve) sum += point.probability;
    EXPECT_NEAR(sum, 1, 1e-9);
    first += answers[0].name == data_->date(fact) || answers[1].name == data_->date(fact) ? 1 : 0;
  }
  EXPECT_GT(first, 36);
}

TEST_F(WhenRuns, IsStoredInFilesAndMixtures) {
  const Model model = train(*data_, small());
  model.save(at("model.safetensors"));
  const Model opened = Model::open(at("model.safetensors"));
  EXPECT_EQ(opened.card().when, model.card().when);
  TrainOptions other = small();
  other.seed = 2;
  const Model mixed = mix(std::vector<Model>{model, train(*data_, other)}, *data_);
  ASSERT_TRUE(mixed.card().when.has_value());
  mixed.save(at("mixed"));
  EXPECT_EQ(Model::open(at("mixed")).card().when, mixed.card().when);
}

TEST_F(WhenRuns, IntervalsHaveNone) {
  write_world("terms", true);
  const Dataset terms = Dataset::open(at("terms").string());
  const Model model = train(terms, small());
  EXPECT_FALSE(model.card().when.has_value());
  EXPECT_NE(refused([&] { measure_when(model, terms); }).find("intervals"), std::string::npos);
}

}  // namespace
}  // namespace orrery
