// A trained model in memory: embeddings, files, and many threads at once.
#include "orrery/model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <thread>

#include "api/small_runs.h"
#include "orrery/run.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;

class ModelTest : public testing::SmallRuns {
 protected:
  Dataset data() const { return Dataset::open(at("data").string()); }
  Model trained(const std::string& model = "tcomplex") const {
    TrainOptions o = options();
    o.model = model;
    return train(data(), o);
  }
  static std::vector<Question> questions() {
    std::vector<Question> asked;
    for (int i = 0; i < 40; ++i)
      asked.push_back({.subject = fmt::format("e{:02}", i % 20),
                       .relation = fmt::format("r{}", i % 3),
                       .time = fmt::format("2014-01-{:02}", i % 8 + 1)});
    return asked;
  }
};

TEST_F(ModelTest, TrainingInMemoryIsARunWithoutADirectory) {
  for (const auto& o : {options(), rich_options()}) {
    const Model model = train(data(), o);
    std::filesystem::remove_all(at("run"));
    auto run = orrery::Run::begin(at("run"), data(), o);
    const TrainSummary summary = run.train();
    model.save(at("saved.safetensors"));
    EXPECT_EQ(read_bytes(at("saved.safetensors")), model_bytes("run"));
    EXPECT_EQ(model.training().summary.epochs_done, summary.epochs_done);
    EXPECT_EQ(model.training().summary.best_epoch, summary.best_epoch);
    const TrainRecord record = run_record(at("run"));
    ASSERT_EQ(model.training().epochs.size(), record.epochs.size());
    for (std::size_t i = 0; i < record.epochs.size(); ++i) {
      EXPECT_EQ(model.training().epochs[i].loss, record.epochs[i].loss);
      EXPECT_EQ(model.training().epochs[i].valid, record.epochs[i].valid);
    }
  }
}

TEST_F(ModelTest, FactsFromMemoryTrainARunThatTheSameFactsResume) {
  const FactColumns columns{.subject = {"a", "b", "c", "a"},
                            .relation = {"p", "p", "q", "q"},
                            .object = {"b", "c", "a", "c"},
                            .time = {"1", "2", "3", "4"}};
  const Dataset memory = Dataset::from_columns(columns);
  TrainOptions o = options();
  o.data.clear();
  testing::StopAfter stop(2);
  orrery::Run::begin(at("run"), memory, o).train(&stop);
  EXPECT_THROW(orrery::Run::resume(at("run")).train(), Error);
  EXPECT_EQ(orrery::Run::resume(at("run"), memory).train().epochs_done, 4);
  orrery::Run::begin(at("whole"), memory, o).train();
  expect_same_run("run", "whole");
}

TEST_F(ModelTest, TheCardNamesTheTimesThatTheDataCheckNames) {
  const FactColumns columns{.subject = {"a", "b"},
                            .relation = {"p", "p"},
                            .object = {"b", "c"},
                            .time = {"1990", "1995"},
                            .end = {"2001", "2010"}};
  const Dataset data =
      Dataset::from_columns(columns, {}, {}, {.min_facts = 10, .intervals = "ends"});
  ASSERT_EQ(data.time_names().front(), "1990..2010");
  const Model model = train(data, options());
  EXPECT_EQ(model.card().first_time, "1990");
  EXPECT_EQ(model.card().last_time, "2010");
  EXPECT_EQ(data.check().first_time, "1990");
  EXPECT_EQ(data.check().last_time, "2010");
}

TEST_F(ModelTest, EmbeddingsAreViewsWithNames) {
  const Model model = trained("tntcomplex");
  const ModelCard& card = model.card();
  EXPECT_EQ(card.entities, 20);
  EXPECT_EQ(card.lanes, 8);
  std::int64_t parameters = 0;
  for (const EmbeddingInfo& info : card.embeddings) {
    const Embeddings table = model.embeddings(info.name);
    EXPECT_EQ(table.info.dim, 16);
    ASSERT_EQ(std::ssize(table.values), info.rows * info.dim);
    EXPECT_EQ(std::ssize(table.names), info.rows) << info.name;
    EXPECT_EQ(table.row(1).data(), table.values.data() + 16);
    parameters += std::ssize(table.values);
    EXPECT_EQ(table.values.data(), Model(model).embeddings(info.name).values.data());
  }
  EXPECT_EQ(parameters, card.parameters);
  const Embeddings relations = model.embeddings("relation");
  EXPECT_EQ(relations.names[0], "r0");
  EXPECT_EQ(relations.names[3], "r0 (reciprocal)");
  EXPECT_TRUE(contains(refused([&] { model.embeddings("entities"); }), "there are entity"));
}

// What a view shows is what answers: the score of TComplEx by hand.
TEST_F(ModelTest, EmbeddingsAreWhatIsAskedWith) {
  const Model model = trained();
  const auto at_row = [&](const char* table, std::int64_t row, int lane, int part) {
    return static_cast<double>(
        model.embeddings(table).row(row)[static_cast<std::size_t>(part * 8 + lane)]);
  };
  double expected = 0;  // Re⟨s, r, conj(o), t⟩
  for (int lane = 0; lane < 8; ++lane) {
    using Complex = std::complex<double>;
    const auto number = [&](const char* table, std::int64_t row) {
      return Complex(at_row(table, row, lane, 0), at_row(table, row, lane, 1));
    };
    expected += (number("entity", 3) * number("relation", 1) * number("time", 4) *
                 std::conj(number("entity", 7)))
                    .real();
  }
  const Answers answers =
      model.predict({.subject = "e03", .relation = "r1", .time = "2014-01-05"}, {.top = 20});
  for (const Answer& answer : answers)
    if (answer.name == "e07") {
      EXPECT_NEAR(answer.score, expected, 1e-5);
    }
}

TEST_F(ModelTest, AFileIsTheSameModel) {
  const Model model = trained();
  model.save(at("m.safetensors"));
  const Model opened = Model::open(at("m.safetensors"));
  EXPECT_TRUE(
      std::ranges::equal(opened.embeddings("entity").values, model.embeddings("entity").values));
  EXPECT_EQ(opened.card().data_fingerprint, model.card().data_fingerprint);
  EXPECT_EQ(evaluate(opened, data()).ranks, evaluate(model, data()).ranks);
  opened.save(at("again.safetensors"));
  EXPECT_EQ(read_bytes(at("m.safetensors")), read_bytes(at("again.safetensors")));
  // A view outlives everything but the last copy of its model, and its file.
  std::filesystem::remove(at("m.safetensors"));
  const Embeddings view = [&] { return opened.embeddings("time"); }();
  EXPECT_TRUE(std::ranges::equal(view.values, model.embeddings("time").values));
  EXPECT_TRUE(contains(refused([&] { model.training_data(); }), "name them"));
}

TEST_F(ModelTest, ABatchIsItsQuestions) {
  const Model model = trained();
  const auto asked = questions();
  const auto together = model.predict(asked);
  ASSERT_EQ(together.size(), asked.size());
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const Answers alone = model.predict(asked[i]);
    ASSERT_EQ(together[i].size(), alone.size());
    EXPECT_EQ(together[i].time, asked[i].time);
    EXPECT_EQ(together[i].asked, "object");
    for (std::size_t k = 0; k < alone.size(); ++k) {
      EXPECT_EQ(together[i][k].name, alone[k].name);
      EXPECT_NEAR(together[i][k].score, alone[k].score, 1e-5);
      EXPECT_NEAR(together[i][k].probability, alone[k].probability, 1e-6);
    }
  }
  EXPECT_TRUE(model.predict(std::span<const Question>()).empty());
}

// Under the thread sanitizer this is the proof that requests share nothing they write.
TEST_F(ModelTest, EightThreadsAskOneModelAtOnce) {
  for (const auto* name : {"bsca", "de-simple", "ttranse"}) {
    const Model model = trained(name);
    const Dataset facts = data();
    const auto asked = questions();
    std::vector<double> expected;
    for (const Question& question : asked) expected.push_back(model.predict(question)[0].score);
    const double mrr = evaluate(model, facts).pessimistic.mrr;
    std::vector<std::jthread> threads;
    std::vector<int> wrong(8);
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back([&, t, copy = model] {
        for (std::size_t i = 0; i < asked.size(); ++i)
          wrong[t] += copy.predict(asked[i])[0].score != expected[i];
        wrong[t] += evaluate(copy, facts).pessimistic.mrr != mrr;
        wrong[t] += copy.embeddings("entity").values.size() != 20U * 16U;
      });
    threads.clear();
    EXPECT_EQ(wrong, std::vector<int>(8)) << name;
  }
}

TEST_F(ModelTest, EvaluationsHoldRanksAndBreakdowns) {
  const Evaluation test = evaluate(trained(), data());
  ASSERT_EQ(test.ranks.size(), 50U);
  double reciprocals = 0;
  for (const RankCounts& counts : test.ranks) reciprocals += 1 / rank_of(counts);
  EXPECT_NEAR(test.pessimistic.mrr, reciprocals / 50, 1e-12);
  EXPECT_EQ(test.pessimistic.queries, 50U);
  for (const By by : {By::relation, By::entity, By::time}) {
    std::uint64_t queries = 0;
    for (const BreakdownRow& row : test.by(by)) queries += row.scores.queries;
    EXPECT_EQ(queries, 50U) << name_of(by);
  }
  EXPECT_EQ(test.data.facts(Split::test).size(), 25U);
}

TEST_F(ModelTest, AnObserverStopsATrainingAndStillGetsAModel) {
  testing::StopAfter stop(9);
  const Model model = train(data(), options(), &stop);
  EXPECT_EQ(model.training().summary.ending, TrainSummary::Ending::interrupted);
  EXPECT_EQ(model.card().epoch, 1);
  EXPECT_EQ(model.training().epochs.size(), 1U);
}

TEST_F(ModelTest, ARunRefusesFactsThatItCouldNotReadAgain) {
  const auto file = scratch_.write("all.tsv", testing::world_lines(0, 270, false));
  const Dataset split = Dataset::open(file.string(), {.split = "80/10/10", .seed = 7});
  EXPECT_TRUE(
      contains(refused([&] { orrery::Run::begin(at("run"), split, options()); }), "seed 7"));
  TrainOptions o = options();
  o.seed = 7;
  EXPECT_EQ(orrery::Run::begin(at("run"), split, o).train().epochs_done, 4);
  EXPECT_TRUE(orrery::Run::resume(at("run")).train().was_finished);
}

}  // namespace
}  // namespace orrery
