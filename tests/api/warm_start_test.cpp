// `from`: a training that starts from a model's embeddings.
#include <gtest/gtest.h>

#include <cstring>

#include "api/in_memory.h"
#include "api/small_runs.h"
#include "orrery/defaults.h"
#include "orrery/model.h"
#include "orrery/train.h"

namespace orrery {
namespace {

using testing::contains;
using testing::resume_run;
using testing::StopAfter;
using testing::train_run;

class WarmStart : public testing::SmallRuns {
 protected:
  // The world, and a few facts of a name that sorts before all others and of one after them.
  void write_changed_world() const {
    write_world("changed", false);
    scratch_.write("changed/train.txt", testing::world_lines(0, 200, false) +
                                            "a new one\tr0\te03\t2014-01-02\n"
                                            "e05\tr9\ta new one\t2014-01-05\n"
                                            "e05\tr1\tz new one\t2014-02-05\n");
  }
  TrainOptions warm(const std::string& from = "cold") const {
    TrainOptions o = options();
    o.data = at("changed").string();
    o.from = at(from).string();
    return o;
  }
  std::string refusal(const TrainOptions& o) const {
    try {
      train_run(o, at("refused"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      EXPECT_FALSE(std::filesystem::exists(at("refused")));
      return error.what();
    }
    ADD_FAILURE() << "was not refused";
    return {};
  }
};

bool same(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST_F(WarmStart, NamesThatBothKnowStartWithTheModelsRows) {
  write_changed_world();
  train_run(options(), at("cold"));
  TrainOptions none = warm();
  none.epochs = 0;  // what training starts with
  StopAfter seen;
  train_run(none, at("warm"), &seen);
  EXPECT_EQ(seen.start.from_entities, 20);
  EXPECT_EQ(seen.start.from_relations, 3);
  EXPECT_EQ(seen.start.from_times, 8);
  EXPECT_EQ(seen.start.entities, 22);
  const Model cold = Model::open(at("cold")), now = Model::open(at("warm"));
  TrainOptions anew = none;
  anew.from.clear();
  train_run(anew, at("anew"));
  const Model random = Model::open(at("anew"));
  int known = 0, others = 0;
  for (const EmbeddingInfo& info : now.card().embeddings) {
    const Embeddings before = cold.embeddings(info.name), after = now.embeddings(info.name);
    for (std::int64_t row = 0; row < info.rows; ++row) {
      const auto& name = after.names[static_cast<std::size_t>(row)];
      const auto found = std::ranges::find(before.names, name);
      const bool is_known = found != before.names.end();
      (is_known ? known : others) += 1;
      EXPECT_TRUE(same(after.row(row), is_known ? before.row(found - before.names.begin())
                                                : random.embeddings(info.name).row(row)))
          << info.name << ' ' << name;
    }
  }
  EXPECT_GT(known, 30);
  EXPECT_GT(others, 5);
}

TEST_F(WarmStart, RepeatsAndResumesToTheSameBytesWithoutTheModel) {
  write_changed_world();
  train_run(options(), at("cold"));
  TrainOptions o = warm();
  o.eval_every = 1;
  train_run(o, at("one"));
  train_run(o, at("two"));
  expect_same_run("one", "two");
  StopAfter soon(9);
  train_run(o, at("stopped"), &soon);
  std::filesystem::rename(at("cold"), at("moved away"));
  resume_run(at("stopped"));
  expect_same_run("one", "stopped");
  EXPECT_EQ(Model::open(at("one")).card().started_from,
            Model::open(at("stopped")).card().started_from);
  EXPECT_EQ(Model::open(at("one")).card().started_from.size(), 64U);
  EXPECT_EQ(Model::open(at("moved away")).card().started_from, "");
}

TEST_F(WarmStart, IsFixedForTheLifeOfARun) {
  write_changed_world();
  train_run(options(), at("cold"));
  StopAfter soon(9);
  train_run(warm(), at("run"), &soon);
  EXPECT_THROW(resume_run(at("run"), {{"from", at("other").string()}}), Error);
  std::string config = testing::read_bytes(at("run") / "config.toml");
  const std::string line = "\nfrom = \"" + at("cold").string() + "\"\n";
  ASSERT_TRUE(contains(config, line)) << config;
  config.replace(config.find(line), line.size(), "\nfrom = \"\"\n");
  scratch_.write("run/config.toml", config);
  try {
    resume_run(at("run"));
    ADD_FAILURE() << "was not refused";
  } catch (const Error& error) {
    EXPECT_TRUE(contains(error.what(), "was started from a model")) << error.what();
  }
}

TEST_F(WarmStart, WhatDoesNotFitIsNamed) {
  write_changed_world();
  train_run(options(), at("cold"));
  TrainOptions o = warm();
  o.dim = 24;
  o.choices["attention"] = "none";
  o.without = {"time_add"};
  const std::string said = refusal(o);
  for (const auto* part :
       {"dim = '16'", "dim = '24'", "attention = 'none'", "without = 'time_add'"})
    EXPECT_TRUE(contains(said, part)) << said;
  o = warm();
  o.model = "complex";
  EXPECT_TRUE(contains(refusal(o), "model = 'bsca', and this training has model = 'complex'"));
  o = warm();
  o.reading.granularity = "month";
  EXPECT_TRUE(contains(refusal(o), "--granularity day")) << refusal(o);
  o = warm();
  o.algebra_warmup = 1;
  EXPECT_TRUE(contains(refusal(o), "--algebra-warmup"));
  o = warm("nowhere");
  EXPECT_TRUE(contains(refusal(o), "nowhere"));
  write_world("intervals", true);
  o = warm();
  o.data = at("intervals").string();
  EXPECT_TRUE(contains(refusal(o),
                       "the model was trained on point facts, and the data has interval facts"));
}

TEST_F(WarmStart, StrangersAreRefused) {
  write_changed_world();
  train_run(options(), at("cold"));
  std::filesystem::create_directories(at("strange"));
  scratch_.write("strange/train.txt", "x\tr0\ty\t2014-01-02\n");
  TrainOptions o = warm();
  o.data = at("strange").string();
  EXPECT_TRUE(contains(refusal(o), "knows none of the data's 2 entities"));
}

TEST_F(WarmStart, TheModelsOptionsShapeTheTraining) {
  TrainOptions o = options();
  o.without = {"time_add"};
  train_run(o, at("cold"));
  TrainOptions shaped;
  set_options(shaped, options_to_start_from(Model::open(at("cold")), {{"epochs", "3"}}));
  EXPECT_EQ(shaped.dim, 16);
  EXPECT_EQ(shaped.without, o.without);
  EXPECT_EQ(shaped.reading.granularity, "day");
  EXPECT_EQ(shaped.epochs, 3);
  shaped = {};
  set_options(shaped, options_to_start_from(Model::open(at("cold")), {{"dim", "32"}}));
  EXPECT_EQ(shaped.dim, 32);
}

// The demo world with a tenth of its train facts unknown to the first training.
TEST(WarmStartOnTheDemoWorld, IsThereInFarFewerEpochs) {
  const Dataset world = Dataset::demo();
  FactColumns all = testing::columns_of(world, Split::train), most;
  for (std::size_t i = 0; i < all.subject.size(); ++i) {
    if (i % 10 == 0) continue;
    most.subject.push_back(all.subject[i]);
    most.relation.push_back(all.relation[i]);
    most.object.push_back(all.object[i]);
    most.time.push_back(all.time[i]);
  }
  const FactColumns valid = testing::columns_of(world, Split::valid);
  const Dataset before = Dataset::from_columns(most, valid),
                now = Dataset::from_columns(all, valid);
  TrainOptions o{.dim = 64, .batch = 1000, .lambda_n3 = 0.01, .lambda_time = 0.1};
  o.epochs = 20;
  o.eval_every = 1;
  testing::ScratchDirectory scratch;
  train(before, o).save(scratch.path() / "before.safetensors");
  const auto mrr = [](const Model& model, std::size_t epoch) {
    return model.training().epochs.at(epoch).valid->mrr;
  };
  const Model cold = train(now, o);
  o.from = (scratch.path() / "before.safetensors").string();
  o.epochs = 3;
  const Model warm = train(now, o);
  EXPECT_GE(mrr(warm, 2), mrr(cold, 19) - 0.005);
  EXPECT_GT(mrr(warm, 0), mrr(cold, 2) + 0.05);
}

}  // namespace
}  // namespace orrery
