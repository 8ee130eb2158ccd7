// The history of a pair: learned, stored, asked and resumed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "api/dataset_state.h"
#include "api/in_memory.h"
#include "api/small_runs.h"
#include "base/caught.h"
#include "base/random.h"
#include "data/examples.h"
#include "data/filter_index.h"
#include "data/pair_history.h"
#include "engine/engine.h"
#include "judge/fit_history.h"
#include "judge/judge.h"
#include "orrery/dataset.h"
#include "orrery/evaluate.h"
#include "orrery/predict.h"
#include "orrery/train.h"

namespace orrery {
namespace {

// `once`: everybody goes through almost all places of a group, in an order of one's own, and to
// none of them twice. `again`: everybody has three places and comes back to them. `yearly`: a place
// of one's own for each of four seasons.
Dataset made_world() {
  FactColumns splits[3];
  std::uint64_t drawn = 0;
  const auto draw = [&](std::uint32_t bound) { return random_below(7, ++drawn, bound); };
  const auto add = [&](int person, const char* relation, std::uint32_t place, std::uint32_t time) {
    FactColumns& to = splits[draw(10) == 0 ? 1 : 0];
    to.subject.push_back("person " + std::to_string(person));
    to.relation.push_back(relation);
    to.object.push_back("place " + std::to_string(place));
    to.time.push_back(std::to_string(1900 + time));
  };
  constexpr std::uint32_t times = 24, places = 60;
  for (int person = 0; person < 60; ++person) {
    std::vector<std::uint32_t> order(places);
    std::iota(order.begin(), order.end(), 0U);
    std::vector<std::uint32_t> group(14);
    std::iota(group.begin(), group.end(), static_cast<std::uint32_t>(places + 14 * (person / 10)));
    for (auto* list : {&order, &group})
      for (std::size_t i = list->size(); i > 1; --i)
        std::swap((*list)[i - 1], (*list)[draw(static_cast<std::uint32_t>(i))]);
    for (std::uint32_t time = 0; time < times; ++time) {
      if (time % 2 == 0) add(person, "once", group[time / 2], time);
      add(person, "again", order[30 + draw(3)], time);
      add(person, "yearly", order[40 + time % 4], time);
    }
  }
  return Dataset::from_columns(splits[0], splits[1], splits[2]);
}

TrainOptions options_with(const std::string& history) {
  TrainOptions options;
  options.dim = 32;
  options.batch = 400;
  options.epochs = 15;
  options.threads = 1;
  options.history = history;
  options.history_from = "both";
  return options;
}

double valid_mrr(const Model& model, const Dataset& data) {
  return evaluate(model, data, {.split = Split::valid}).pessimistic.mrr;
}

// By the relation's name; of both directions, objects first.
std::span<const float> worth(const Model& model, const std::string& relation) {
  const Embeddings history = model.embeddings("history");
  for (std::int64_t row = 0; row < history.info.rows; ++row)
    if (history.names[static_cast<std::size_t>(row)] == relation) return history.row(row);
  return {};
}

TEST(History, LearnsWhichRelationsRepeat) {
  const Dataset data = made_world();
  const Model model = train(data, options_with("relation"));
  EXPECT_LT(worth(model, "once").front(), -2);
  EXPECT_GT(worth(model, "again").front(), 1);
  EXPECT_GT(worth(model, "yearly").front(), 0);
  EXPECT_GT(valid_mrr(model, data), valid_mrr(train(data, options_with("none")), data) + 0.05);
}

TEST(History, LearnsHowFarAwayItRepeats) {
  const Dataset data = made_world();
  const Model model = train(data, options_with("gap"));
  const auto yearly = worth(model, "yearly");
  ASSERT_EQ(yearly.size(), 7U);
  EXPECT_GT(yearly[2], 1) << "known four to seven times away";
  EXPECT_LT(yearly[0], yearly[2]) << "one time away another place is right";
  EXPECT_LT(yearly[1], yearly[2]) << "and two or three";
}

// The embeddings are those of a training without history: only what is added to them differs.
TEST(History, FittedOnValidationAloneLeavesEmbeddingsAsTheyAre) {
  const Dataset data = made_world();
  TrainOptions fitted = options_with("gap");
  fitted.history_from = "valid";
  const Model plain = train(data, options_with("none")), model = train(data, fitted);
  EXPECT_TRUE(
      std::ranges::equal(plain.embeddings("entity").values, model.embeddings("entity").values));
  EXPECT_TRUE(model.card().history_fitted);
  EXPECT_LT(worth(model, "once")[2], -1);
  EXPECT_GT(valid_mrr(model, data), valid_mrr(plain, data) + 0.05);
  const EvaluateOptions without{.split = Split::valid, .history = false};
  EXPECT_EQ(evaluate(model, data, without).ranks, evaluate(plain, data, without).ranks)
      << "left out of an evaluation";
  EXPECT_EQ(evaluate(plain, data, without).pessimistic.mrr, valid_mrr(plain, data));
}

// Facts that are read by their ends share time rows; a model's file tells their dates apart.
TEST(History, KnowsFactsOfOneTimeRowByTheirDates) {
  FactColumns splits[3];
  for (std::uint32_t i = 0; i < 240; ++i) {
    FactColumns& to = splits[i % 4 == 3 ? 1 : 0];
    to.subject.push_back("town " + std::to_string(i % 6));
    to.relation.push_back("is the birthplace of");
    to.object.push_back("person " + std::to_string(i % 80));
    to.time.push_back(std::to_string(1900 + random_below(3, i, 40)));
    to.end.push_back(std::to_string(1950 + i % 7));
  }
  DataOptions reading;
  reading.intervals = "ends";
  reading.min_facts = 100;  // so that a row holds many years
  const Dataset data = Dataset::from_columns(splits[0], splits[1], splits[2], reading);
  TrainOptions options = options_with("gap");
  options.history_from = "valid";
  const Model model = train(data, options);
  const testing::ScratchDirectory scratch;
  const auto file = scratch.path() / "model.safetensors";
  model.save(file);
  EXPECT_EQ(evaluate(Model::open(file), data, {.split = Split::valid}).ranks,
            evaluate(model, data, {.split = Split::valid}).ranks);
  EXPECT_LT(worth(model, "is the birthplace of (reciprocal, start)").back(), 0)
      << "born in another year of the same row";
}

TEST(History, FittingNeedsValidation) {
  const Dataset all =
      Dataset::from_columns(testing::columns_of(made_world(), Split::train), {}, {});
  TrainOptions options = options_with("gap");
  options.history_from = "valid";
  EXPECT_TRUE(testing::contains(testing::refused([&] { train(all, options); }), "valid split"));
  options.history_from = "train";
  options.epochs = 1;
  EXPECT_FALSE(train(all, options).card().history_fitted);
}

// What is known of other pairs must be worth nothing.
class ShuffledHistory final : public CandidateFeatures {
 public:
  ShuffledHistory(const PairHistory& history, std::int32_t entities)
      : history_(history), entities_(entities) {}
  void append(const Query& query, std::vector<CandidateFeature>& features) const override {
    Query other = query;
    other.subject = static_cast<std::int32_t>(random_below(
        3, static_cast<std::uint64_t>(query.subject), static_cast<std::uint32_t>(entities_)));
    history_.append(other, features);
  }

 private:
  const PairHistory& history_;
  std::int32_t entities_;
};

// Trained with them, or beside them.
std::unique_ptr<Engine> trained_engine(const Dataset& data, const CandidateFeatures* features,
                                       std::int32_t per_relation, bool in_steps) {
  const TemporalGraph& graph = data.state().graph;
  ModelPlan plan{&find_variant("tcomplex", {}),
                 {graph.entities.size(), graph.relation_ids().count(), graph.times.size(), 32},
                 {}};
  plan.feature_count = features == nullptr ? 0 : per_relation;
  plan.features = features;
  auto engine = make_engine(plan, {.threads = 1});
  start_randomly(*engine, 1, 0.01);
  const TrainingExamples examples(graph, 1);
  engine->set_examples(examples.of_epoch(1));
  StepRules rules;
  rules.loss.lambda_n3 = 0.01;
  rules.loss.with_features = in_steps;
  constexpr std::int64_t batch = 400;
  for (std::uint64_t epoch = 1; epoch <= 15; ++epoch)
    for (std::int64_t first = 0; first < examples.size(); first += batch)
      engine->step(epoch, first, std::min(batch, examples.size() - first), rules);
  return engine;
}

double mrr_with(const Dataset& data, const CandidateFeatures* features, std::int32_t per_relation) {
  const auto engine = trained_engine(data, features, per_relation, true);
  const TemporalGraph& graph = data.state().graph;
  return judge(*engine, graph, FilterIndex(graph), Split::valid).pessimistic.mrr;
}

TEST(History, OfOtherPairsGainsNothing) {
  const Dataset data = made_world();
  const TemporalGraph& graph = data.state().graph;
  const auto facts = known_facts(graph);
  const std::int32_t count = features_per_relation(HistoryKind::gap);
  const PairHistory own(HistoryKind::gap, facts, graph.relation_ids(), graph.entities.size());
  const ShuffledHistory shuffled(own, graph.entities.size());
  const double none = mrr_with(data, nullptr, 0);
  EXPECT_GT(mrr_with(data, &own, count), none + 0.05);
  EXPECT_LT(mrr_with(data, &shuffled, count), none + 0.02);
}

// As own data get it: fitted, with what else is known of the two.
TEST(History, OfOtherPairsGainsNothingWhereItIsFitted) {
  const Dataset data = made_world();
  const TemporalGraph& graph = data.state().graph;
  const auto facts = known_facts(graph);
  const std::int32_t count = features_per_relation(HistoryKind::near);
  const PairHistory own(HistoryKind::near, facts, graph.relation_ids(), graph.entities.size());
  const ShuffledHistory shuffled(own, graph.entities.size());
  const std::vector<float> nothing(static_cast<std::size_t>(graph.relation_ids().count() * count));
  const auto gain = [&](const CandidateFeatures& features) {
    const auto engine = trained_engine(data, &features, count, false);
    const HistoryFit fit =
        fit_history(*engine, features, nothing, feature_groups(HistoryKind::near, false), graph, 1);
    return fit.before - fit.after;  // on facts that it was not fitted on
  };
  EXPECT_GT(gain(own), 0.2);
  EXPECT_LT(gain(shuffled), 0.01);
}

TEST(History, KnowsTrainAlone) {
  const Dataset data = made_world();
  TemporalGraph changed = data.state().graph;
  for (Fact& fact : changed.facts[static_cast<int>(Split::valid)]) fact.object = 0;
  EXPECT_EQ(known_facts(changed), known_facts(data.state().graph));
  changed.facts[static_cast<int>(Split::valid)].clear();
  EXPECT_EQ(known_facts(changed), known_facts(data.state().graph));
}

// The facts of valid cut in two, for valid and test; with `other`, what these say is exchanged
// among them, so that all names stay.
Dataset with_held_out_facts(const Dataset& data, bool other_valid, bool other_test) {
  const FactColumns held_out = testing::columns_of(data, Split::valid);
  FactColumns splits[2];
  for (std::size_t i = 0; i < held_out.subject.size(); ++i) {
    FactColumns& to = splits[i % 2];
    to.subject.push_back(held_out.subject[i]);
    to.relation.push_back(held_out.relation[i]);
    to.object.push_back(held_out.object[i]);
    to.time.push_back(held_out.time[i]);
  }
  if (other_valid) std::ranges::reverse(splits[0].object);
  if (other_test) std::ranges::reverse(splits[1].object);
  return Dataset::from_columns(testing::columns_of(data, Split::train), splits[0], splits[1]);
}

void expect_same_answers(const Model& found, const Model& wanted) {
  for (const std::string_view table : {"entity", "relation_mul", "history"})
    EXPECT_TRUE(std::ranges::equal(found.embeddings(table).values, wanted.embeddings(table).values))
        << table;
  for (int person = 0; person < 60; person += 7)
    for (const char* relation : {"once", "again", "yearly"}) {
      const Question question{.subject = fmt::format("person {}", person),
                              .relation = relation,
                              .time = std::to_string(1900 + person % 24)};
      const Answers one = found.predict(question, {.top = 200});
      const Answers other = wanted.predict(question, {.top = 200});
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(one[i].name, other[i].name);
        EXPECT_EQ(one[i].score, other[i].score);
      }
    }
}

// All of a model, not only its list of facts: what is learned in training knows train alone, and
// what is fitted afterwards nothing of test.
TEST(History, HeldOutFactsReachNoAnswer) {
  const Dataset data = made_world();
  for (const bool fitted : {false, true}) {
    TrainOptions options = options_with("lifetime");
    options.history_from = fitted ? "valid" : "train";
    options.epochs = 5;
    const Model wanted = train(with_held_out_facts(data, false, false), options);
    expect_same_answers(train(with_held_out_facts(data, !fitted, true), options), wanted);
    if (!fitted) continue;
    const Model other = train(with_held_out_facts(data, true, false), options);
    EXPECT_FALSE(
        std::ranges::equal(other.embeddings("history").values, wanted.embeddings("history").values))
        << "what it is fitted on has no part in it";
  }
}

class HistoryRuns : public testing::SmallRuns {
 protected:
  TrainOptions with_history() const {
    TrainOptions all = rich_options();
    all.history = "near";
    all.history_from = "both";
    all.lambda_history = 0.001;
    return all;
  }
};

TEST_F(HistoryRuns, ResumedInMidEpochARunEndsInTheSameBytes) {
  for (const int steps : {3, 10}) {
    const std::string whole = fmt::format("whole{}", steps), cut = fmt::format("cut{}", steps);
    testing::train_run(with_history(), at(whole));
    testing::StopAfter stop(steps);
    testing::train_run(with_history(), at(cut), &stop);
    testing::resume_run(at(cut));
    expect_same_run(whole, cut);
  }
}

// Ctrl-C while history is fitted, after the last epoch.
TEST_F(HistoryRuns, AFitThatIsStoppedIsMadeUpForByResuming) {
  class StopAtTheFit final : public TrainObserver {
   public:
    explicit StopAtTheFit(std::int64_t epochs) : epochs_(epochs) {}
    void on_epoch(const EpochReport& epoch) override { trained_ = epoch.epoch == epochs_; }
    bool stop_requested() override { return trained_; }

   private:
    std::int64_t epochs_;
    bool trained_ = false;
  };
  for (const std::int64_t eval_every : {0, 1}) {
    TrainOptions options = with_history();
    options.eval_every = eval_every;
    if (eval_every == 0) options.patience = 0;
    const std::string whole = fmt::format("fitted{}", eval_every),
                      cut = fmt::format("stopped{}", eval_every);
    testing::train_run(options, at(whole));
    StopAtTheFit stop(options.epochs);
    EXPECT_EQ(testing::train_run(options, at(cut), &stop).ending,
              TrainSummary::Ending::interrupted);
    EXPECT_EQ(testing::resume_run(at(cut)).ending, TrainSummary::Ending::finished);
    expect_same_run(whole, cut);
  }
}

TEST_F(HistoryRuns, ThreadsDoNotMatter) {
  TrainOptions one = with_history(), three = one;
  three.threads = 3;
  testing::train_run(one, at("one"));
  testing::train_run(three, at("three"));
  EXPECT_TRUE(model_bytes("one") == model_bytes("three"));
}

TEST_F(HistoryRuns, AModelFileAnswersAsTheModelInMemoryDid) {
  const Dataset data = Dataset::open(at("data").string());
  const Model model = train(data, with_history());
  model.save(at("model.safetensors"));
  const Model opened = Model::open(at("model.safetensors"));
  EXPECT_EQ(opened.card().parameters, model.card().parameters);
  const Question question{.subject = "e03", .relation = "r1", .time = "2014-01-04"};
  const Answers before = model.predict(question), after = opened.predict(question);
  ASSERT_EQ(before.size(), after.size());
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(before[i].name, after[i].name);
    EXPECT_EQ(before[i].score, after[i].score);
  }
  EXPECT_EQ(valid_mrr(model, data), valid_mrr(opened, data));
}

TEST_F(HistoryRuns, AStaticModelWithHistoryAsksForADate) {
  TrainOptions options = with_history();
  options.model = "complex";
  options.history = "gap";
  options.self_distillation = 0;
  options.aux_relation = options.aux_time = 0;
  options.choices.clear();
  const Model model = train(Dataset::open(at("data").string()), options);
  EXPECT_THROW(model.predict({.subject = "e03", .relation = "r1"}), Error);
}

}  // namespace
}  // namespace orrery
