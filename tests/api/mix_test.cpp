// Mixtures: chosen, saved, opened, evaluated and asked like any model.
#include "orrery/mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "api/small_runs.h"
#include "base/caught.h"
#include "judge/questions.h"
#include "orrery/checkpoint.h"
#include "orrery/evaluate.h"
#include "orrery/explain.h"
#include "orrery/inspect.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

class Mixtures : public testing::SmallRuns {
 protected:
  void SetUp() override {
    SmallRuns::SetUp();
    for (const char* name : {"tntcomplex", "complex"}) train_as(name, "data", name);
  }

  void train_as(const std::string& model, const std::string& data, const std::string& run) const {
    TrainOptions all = options();
    all.data = at(data).string();
    all.model = model;
    all.choices.clear();
    all.epochs = 12;
    all.history = model == "tntcomplex" ? "gap" : "none";
    testing::train_run(all, at(run));
  }

  std::vector<Model> models() const {
    return {Model::open(at("tntcomplex")), Model::open(at("complex"))};
  }
  Model mixed() const { return mix(models(), models().front().training_data(), {.threads = 1}); }
  // The same models with weights of one's own, as if validation had chosen them.
  Model weighed(double first, double second) const {
    auto mixture = std::make_shared<Mixture>();
    const auto parts = models();
    const double weights[] = {first, second};
    mixture->record.data = at("data").string();
    mixture->record.card.chosen = "fitted";
    for (std::size_t i = 0; i < 2; ++i) {
      mixture->record.card.parts.push_back({.model = parts[i].card().options.model,
                                            .dim = 16,
                                            .history = "none",
                                            .weight = weights[i],
                                            .file = {}});
      mixture->models.push_back({parts[i].state().stored, weights[i]});
    }
    const auto stored = mixture->models.front().model;
    return Model(std::make_shared<ModelState>(stored, MachineOptions(), fs::path(), TrainRecord(),
                                              std::move(mixture)));
  }
  std::string saved_part(const std::string& folder) const {
    for (const std::string& name : names_in(folder))
      if (name.starts_with("part-")) return name;
    return {};
  }
};

// Every score of each part, mixed and counted in double.
TEST_F(Mixtures, AreEvaluatedByTheRanksOfTheirWeightedScores) {
  const Model mixture = weighed(0.75, 2.5);
  const Dataset data = mixture.training_data();
  const Evaluation evaluation = evaluate(mixture, data);
  const TemporalGraph& graph = data.state().graph;
  const auto asked = questions_of(graph, data.state().filter(), graph.split(Split::test));
  const auto entities = static_cast<std::size_t>(graph.entities.size());
  ASSERT_EQ(evaluation.ranks.size(), asked.questions.size());
  const auto parts = models();
  for (std::size_t q = 0; q < asked.questions.size(); ++q) {
    const RankQuestion& question = asked.questions[q];
    std::vector<double> sums(entities);
    for (std::size_t p = 0; p < 2; ++p) {
      std::vector<float> scores(entities);
      const auto asker = parts[p].state().borrow_asker();
      (*asker).score({&question.queries, 1}, scores);
      for (std::size_t e = 0; e < entities; ++e) sums[e] += (p == 0 ? 0.75 : 2.5) * scores[e];
    }
    const double target = sums[static_cast<std::size_t>(question.target)];
    std::int32_t higher = 0;
    for (std::size_t e = 0; e < entities; ++e)
      if (!std::ranges::binary_search(question.known, static_cast<std::int32_t>(e)))
        higher += sums[e] > target;
    EXPECT_EQ(evaluation.ranks[q], (RankCounts{higher, 0})) << q;
  }
}

TEST_F(Mixtures, AnswerByTheSoftmaxOfTheirWeightedScores) {
  const Model mixture = weighed(0.5, 1.5);
  const Question question{.subject = "e03", .relation = "r1", .time = "2014-01-04"};
  const std::size_t all = mixture.entity_names().size();
  std::map<std::string, double> sums;
  const auto parts = models();
  for (std::size_t p = 0; p < 2; ++p)
    for (const Answer& answer : parts[p].predict(question, {.top = all}))
      sums[answer.name] += (p == 0 ? 0.5 : 1.5) * answer.score;
  double total = 0;
  for (const auto& [name, score] : sums) total += std::exp(score);
  const Answers answers = mixture.predict(question, {.top = 5});
  ASSERT_EQ(answers.size(), 5U);
  for (const Answer& answer : answers) {
    EXPECT_NEAR(answer.score, sums.at(answer.name), 1e-4);
    EXPECT_NEAR(answer.probability, std::exp(sums.at(answer.name)) / total, 1e-5);
  }
  for (std::size_t i = 1; i < 5; ++i) EXPECT_GE(answers[i - 1].score, answers[i].score);
  // One part knows times, so the mixture does, whichever comes first.
  EXPECT_THROW(mixture.predict({.subject = "e03", .relation = "r1"}), Error);
}

TEST_F(Mixtures, SavedAndOpenedAnswerAsBeforeAndInTheSameBytes) {
  const Model mixture = weighed(0.75, 2.5);
  mixture.save(at("mixed"));
  mixture.save(at("again"));
  EXPECT_EQ(names_in("mixed").size(), 3U);
  for (const std::string& name : names_in("mixed"))
    EXPECT_TRUE(testing::read_bytes(at("mixed") / name) == testing::read_bytes(at("again") / name));
  const Model opened = Model::open(at("mixed"));
  EXPECT_EQ(evaluate(opened, opened.training_data()).ranks,
            evaluate(mixture, mixture.training_data()).ranks);
  EXPECT_EQ(opened.on({.threads = 1}).card().formula, "0.75 · tntcomplex + 2.5 · complex");
  EXPECT_EQ(opened.card().mixture->parts.size(), 2U);
  EXPECT_EQ(opened.card().parameters,
            models()[0].card().parameters + models()[1].card().parameters);
  for (const FileCheck& check : check_files(at("mixed"))) EXPECT_FALSE(check.damaged());
  EXPECT_EQ(check_files(at("mixed")).size(), 2U);
}

TEST_F(Mixtures, OfTheSameModelsAreTheSameBytesAndStandAlone) {
  mixed().save(at("one"));
  mixed().save(at("other"));
  EXPECT_EQ(names_in("one"), names_in("other"));
  EXPECT_EQ(testing::read_bytes(at("one/mix.json")), testing::read_bytes(at("other/mix.json")));
  const Evaluation before = testing::evaluate_run(at("one"));
  fs::remove_all(at("tntcomplex"));
  fs::remove_all(at("complex"));
  EXPECT_EQ(testing::evaluate_run(at("one")).ranks, before.ranks);
  const MixCard card = *Model::open(at("one")).card().mixture;
  EXPECT_EQ(card.facts, 25U);
  EXPECT_TRUE(card.chosen == "best part" || card.chosen == "average" || card.chosen == "fitted");
}

// What a part's probabilities mean says nothing of a mixture's: it has a calibration of its own.
TEST_F(Mixtures, AreCalibratedByThemselves) {
  const Model mixture = weighed(0.75, 2.5);
  EXPECT_FALSE(mixture.card().calibration);
  const Question question{.subject = "e03", .relation = "r1", .time = "2014-01-04"};
  EXPECT_TRUE(std::isnan(mixture.predict(question)[0].calibrated));
  fs::create_directories(at("more"));
  fs::copy_file(at("data/train.txt"), at("more/train.txt"));
  fs::copy_file(at("data/test.txt"), at("more/test.txt"));
  scratch_.write("more/valid.txt", testing::world_lines(300, 80, false));
  for (const char* name : {"tntcomplex", "tcomplex"})
    train_as(name, "more", std::string("more-") + name);
  const Model parts[] = {Model::open(at("more-tntcomplex")), Model::open(at("more-tcomplex"))};
  const Model own = mix(parts, parts[0].training_data());
  ASSERT_TRUE(own.card().calibration);
  EXPECT_EQ(own.card().calibration->facts, 80U);
  own.save(at("calibrated"));
  const Model opened = Model::open(at("calibrated"));
  EXPECT_EQ(opened.card().calibration, own.card().calibration);
  EXPECT_FALSE(std::isnan(opened.predict(question)[0].calibrated));
  EXPECT_EQ(opened.predict(question)[0].calibrated, own.predict(question)[0].calibrated);
}

// Another mixture in the same place: whole at every moment, and nothing of the old one stays.
TEST_F(Mixtures, AreReplacedByMixturesButNeverReplaceAnythingElse) {
  weighed(0.75, 2.5).save(at("mixed"));
  train_as("tcomplex", "data", "tcomplex");
  const Model parts[] = {Model::open(at("tcomplex")), Model::open(at("tntcomplex"))};
  mix(parts, parts[0].training_data()).save(at("mixed"));
  const MixCard card = *Model::open(at("mixed")).card().mixture;
  EXPECT_EQ(card.parts.front().model, "tcomplex");
  const auto stored = std::ranges::count_if(card.parts, [](auto& p) { return p.weight > 0; });
  EXPECT_EQ(names_in("mixed").size(), 1 + static_cast<std::size_t>(stored));
  const std::string before = model_bytes("complex");
  EXPECT_TRUE(testing::contains(testing::refused([&] { mixed().save(at("complex")); }),
                                "which is no part of a mixture"));
  EXPECT_TRUE(model_bytes("complex") == before);
  EXPECT_FALSE(fs::exists(at("complex/mix.json")));
}

TEST_F(Mixtures, OfOtherDataAreRefusedByWhatDiffers) {
  write_world("intervals", true);
  train_as("tcomplex", "intervals", "years");
  const Model first = Model::open(at("tntcomplex")), years = Model::open(at("years"));
  const auto refusal = [&](const Model& second) {
    const Model pair[] = {first, second};
    return testing::refused([&] { mix(pair, first.training_data()); });
  };
  EXPECT_TRUE(testing::contains(refusal(years), "intervals"));
  EXPECT_TRUE(testing::contains(refusal(years), at("years").string()));
  fs::create_directories(at("less"));
  for (const char* name : {"train.txt", "valid.txt", "test.txt"})
    fs::copy_file(at("data") / name, at("less") / name);
  scratch_.write("less/valid.txt", testing::world_lines(220, 20, false));
  train_as("tcomplex", "less", "other");
  EXPECT_TRUE(testing::contains(refusal(Model::open(at("other"))), "fingerprints"));
  const auto pair = models();
  EXPECT_TRUE(testing::contains(
      testing::refused([&] { mix(pair, Dataset::open(at("less").string())); }), "fingerprint"));
  EXPECT_TRUE(testing::contains(
      testing::refused([&] { mix(std::span(pair).first(1), first.training_data()); }),
      "several models"));
  EXPECT_TRUE(testing::contains(refusal(weighed(1, 2)), "is a mixture already"));
}

TEST_F(Mixtures, WhatIsDamagedOrMissingIsRefusedWithASentence) {
  const auto refusal = [&] { return testing::refused([&] { Model::open(at("mixed")); }); };
  const auto renew = [&] {
    fs::remove_all(at("mixed"));
    weighed(0.75, 2.5).save(at("mixed"));
  };
  renew();
  const fs::path part = at("mixed") / saved_part("mixed");
  fs::remove(part);
  EXPECT_TRUE(testing::contains(refusal(), "is missing: a part of the mixture"));
  EXPECT_TRUE(testing::contains(refusal(), part.filename().string()));

  renew();
  train_as("tcomplex", "data", "tcomplex");
  fs::copy_file(at("tcomplex/model.safetensors"), part, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(testing::contains(refusal(), "another model than the one that was mixed"));

  renew();
  std::string bytes = testing::read_bytes(part);
  bytes[bytes.size() / 2] ^= 1;
  scratch_.write("mixed/" + part.filename().string(), bytes);
  EXPECT_TRUE(testing::contains(refusal(), "damaged"));

  renew();
  const std::string text = testing::read_bytes(at("mixed/mix.json"));
  for (const auto& [was, is] :
       {std::pair("0.75", "0.76"), std::pair("orrery-mix 1", "orrery-mix 2"),
        std::pair("\"parts\"", "\"party\""), std::pair("{", "")}) {
    std::string changed = text;
    changed.replace(changed.find(was), std::string(was).size(), is);
    scratch_.write("mixed/mix.json", changed);
    EXPECT_TRUE(testing::contains(refusal(), "mix.json: is damaged")) << was << refusal();
  }
  fs::remove(at("mixed/mix.json"));
  EXPECT_TRUE(testing::contains(refusal(), "holds no model.safetensors"));
}

TEST_F(Mixtures, SayWhatTheyCannotDo) {
  const Model mixture = weighed(1, 2);
  const auto explained = [&] {
    explain(mixture, mixture.training_data(), {"e03", "r1", "e04", "2014-01-04"});
  };
  EXPECT_TRUE(testing::contains(testing::refused(explained), "is a mixture"));
  EXPECT_TRUE(testing::contains(testing::refused([&] { mixture.embeddings("entity"); }),
                                "a mixture has no embeddings 'entity'"));
  EXPECT_TRUE(testing::contains(no_transforms_reason(mixture), "a mixture has none"));
  EXPECT_TRUE(mixture.card().embeddings.empty());
  EXPECT_EQ(mixture.card().options.model, "mixture");
}

}  // namespace
}  // namespace orrery
