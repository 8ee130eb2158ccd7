// Every kind of model and of data, from training to judgement to answers.
#include "orrery/evaluate.h"

#include <gtest/gtest.h>

#include "api/small_runs.h"
#include "models/registry.h"
#include "orrery/predict.h"

namespace orrery {
namespace {

using testing::contains;
using testing::evaluate_run;
using testing::refused;
using testing::train_run;

class Evaluate : public testing::SmallRuns {
 protected:
  // Trains, judges and asks once; the model must beat guessing among 20 entities.
  void walk(const std::string& name, const TrainOptions& o, const std::string& date) const {
    SCOPED_TRACE(name);
    train_run(o, at(name));
    const Evaluation test = evaluate_run(at(name));
    EXPECT_EQ(test.pessimistic.queries, 50U);
    EXPECT_LE(test.pessimistic.mrr, test.realistic.mrr);
    EXPECT_LE(test.realistic.mrr, test.optimistic.mrr);
    EXPECT_NEAR(test.pessimistic.mrr, (test.object.mrr + test.subject.mrr) / 2, 1e-12);
    EXPECT_LE(test.pessimistic.hits1, test.pessimistic.hits3);
    EXPECT_LE(test.pessimistic.hits3, test.pessimistic.hits10);
    testing::RunEvaluation training;
    training.split = "train";
    EXPECT_GT(evaluate_run(at(name), training).pessimistic.mrr, 0.3);
    const auto answers = Model::open(at(name)).predict({"e03", "r1", "", date}, {.top = 5});
    ASSERT_EQ(answers.size(), 5U);
    EXPECT_GE(answers[0].score, answers[4].score);
  }

  TrainOptions longer_options() const {
    TrainOptions o = options();
    o.epochs = 25;
    return o;
  }
};

TEST_F(Evaluate, EveryModelWalksTheWholePath) {
  for (const std::string_view model : model_names()) {
    TrainOptions o = longer_options();
    o.model = model;
    o.lambda_n3 = o.lambda_time = 1e-4;  // so few facts would not keep ChronoR's times from zero
    walk(o.model, o, "2014-01-04");
    const Model trained = Model::open(at(o.model));
    const auto first_score = [&](const char* date) {
      return trained.predict({"e03", "r1", "", date})[0].probability;
    };
    if (model == "complex" || model == "bique") continue;  // know no time
    EXPECT_NE(first_score("2014-01-01"), first_score("2014-01-08")) << model;
    EXPECT_TRUE(contains(refused([&] { first_score(""); }), "depend on time")) << model;
  }
}

TEST_F(Evaluate, EveryAttentionProductAndAblationWalksTheWholePath) {
  for (const auto* attention : {"none", "real", "split", "product", "modulus"}) {
    TrainOptions o = longer_options();
    o.choices["attention"] = attention;
    walk(attention, o, "2014-01-04");
  }
  TrainOptions o = longer_options();
  o.choices["product"] = "componentwise";
  walk("componentwise", o, "2014-01-04");
  o.choices.erase("product");
  using Names = std::vector<std::string>;
  for (const Names& without : {Names{"time_add"}, Names{"relation_add"}, Names{"time_mul"},
                               Names{"time_add", "relation_add"}, Names{"time_joint"}}) {
    o.without = without;
    walk(fmt::format("without-{}", without.size() == 2 ? "both" : without[0]), o, "2014-01-04");
  }
}

TEST_F(Evaluate, IntervalFactsWalkTheWholePath) {
  write_world("intervals", true);
  for (const auto* model : {"bsca", "complex", "tntcomplex"}) {
    for (const int min_facts : {1, 60}) {
      TrainOptions o = longer_options();
      o.data = at("intervals").string();
      o.model = model;
      o.reading.min_facts = min_facts;
      o.eval_every = 10;
      walk(fmt::format("{}-{}", model, min_facts), o, "1903");
    }
  }
}

TEST_F(Evaluate, ThreadsAndMemoryNeverChangeAJudgement) {
  train_run(longer_options(), at("run"));
  testing::RunEvaluation o;
  o.machine.device = "cpu";
  const Evaluation first = evaluate_run(at("run"), o);
  o.machine.threads = 3;
  o.machine.memory = "8M";
  EXPECT_EQ(evaluate_run(at("run"), o).pessimistic.mrr, first.pessimistic.mrr);
  o.machine.memory = "1K";
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run"), o); }), "--memory"));
}

TEST_F(Evaluate, AModelFileAloneNeedsToBeToldItsData) {
  train_run(longer_options(), at("run"));
  std::filesystem::create_directories(at("elsewhere"));
  const auto moved = at("elsewhere") / "mine.safetensors";
  std::filesystem::copy_file(at("run") / "model.safetensors", moved);
  EXPECT_TRUE(contains(refused([&] { evaluate_run(moved); }), "--data"));
  testing::RunEvaluation o;
  o.data = at("data").string();
  EXPECT_EQ(evaluate_run(moved, o).pessimistic.mrr, evaluate_run(at("run")).pessimistic.mrr);
}

TEST_F(Evaluate, ChangedDataIsRefusedUnlessItIsNamed) {
  train_run(longer_options(), at("run"));
  const double before = evaluate_run(at("run")).pessimistic.mrr;
  scratch_.write("data/test.txt", testing::world_lines(245, 24, false));
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run")); }), "fingerprint"));
  testing::RunEvaluation o;
  o.data = at("data").string();
  EXPECT_EQ(evaluate_run(at("run"), o).pessimistic.queries, 48U);
  scratch_.write("data/test.txt", testing::world_lines(245, 25, false));
  EXPECT_EQ(evaluate_run(at("run")).pessimistic.mrr, before);
  std::filesystem::remove_all(at("data"));
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run")); }), "--data DIR"));
}

// In the other set names are missing, so its own ids differ; the filter sees only what it holds.
TEST_F(Evaluate, OtherDataIsJudgedByNameAndNotById) {
  train_run(longer_options(), at("run"));
  const std::string fact = "e17\tr2\te03\t2014-01-05\n";
  std::filesystem::create_directories(at("one"));
  scratch_.write("one/train.txt", "e19\tr2\te18\t2014-01-02\n");
  scratch_.write("one/test.txt", fact);
  testing::RunEvaluation o;
  o.data = at("one").string();
  const Evaluation judged = evaluate_run(at("run"), o);
  const Model model = Model::open(at("run"));
  double expected = 0;
  for (const auto& [question, target] :
       {std::pair<Question, std::string>{{"e17", "r2", "", "2014-01-05"}, "e03"},
        {{"", "r2", "e03", "2014-01-05"}, "e17"}}) {
    const auto answers = model.predict(question, {.top = 20});
    for (std::size_t i = 0; i < answers.size(); ++i)
      if (answers[i].name == target) expected += 0.5 / static_cast<double>(i + 1);
  }
  EXPECT_NEAR(judged.optimistic.mrr, expected, 1e-12);
}

TEST_F(Evaluate, CoarserDatesOfOtherDataAreRefused) {
  train_run(longer_options(), at("run"));
  std::filesystem::create_directories(at("months"));
  scratch_.write("months/train.txt", "e01\tr1\te02\t2014-01\n");
  testing::RunEvaluation months;
  months.data = at("months").string();
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run"), months); }),
                       "of month precision, and times are days"));
}

TEST_F(Evaluate, AFileThatWasSplitIsSplitTheSameWayAgain) {
  scratch_.write("all.tsv", testing::world_lines(0, 270, false));
  TrainOptions o = longer_options();
  o.data = at("all.tsv").string();
  o.reading.split = "80/10/10";
  train_run(o, at("run"));
  EXPECT_EQ(evaluate_run(at("run")).pessimistic.queries, 54U);
  // A model of a split file can be judged on a directory; of another file all facts are asked for.
  testing::RunEvaluation other;
  other.data = at("data").string();
  EXPECT_EQ(evaluate_run(at("run"), other).pessimistic.queries, 50U);
  train_run(longer_options(), at("directory"));
  other.data = at("all.tsv").string();
  EXPECT_EQ(evaluate_run(at("directory"), other).pessimistic.queries, 540U);
}

TEST_F(Evaluate, SplitsThatAreNoneOrEmptyAreRefused) {
  train_run(longer_options(), at("run"));
  testing::RunEvaluation o;
  o.split = "tests";
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run"), o); }), "train, valid and test"));
  std::filesystem::remove(at("data") / "valid.txt");
  o.split = "valid";
  o.data = at("data").string();
  EXPECT_TRUE(contains(refused([&] { evaluate_run(at("run"), o); }), "is empty"));
}

}  // namespace
}  // namespace orrery
