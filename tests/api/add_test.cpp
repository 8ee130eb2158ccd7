// Facts added to a trained model: what is new is learned, and what was there stays to the bit.
#include "orrery/add.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "api/small_runs.h"
#include "orrery/demo.h"

namespace orrery {
namespace {

using testing::contains;
using testing::StopAfter;

bool same(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

FactColumns facts_of(const std::vector<std::vector<std::string>>& rows) {
  FactColumns facts;
  for (const auto& row : rows) {
    facts.subject.push_back(row[0]);
    facts.relation.push_back(row[1]);
    facts.object.push_back(row[2]);
    facts.time.push_back(row[3]);
    if (row.size() > 4) facts.end.push_back(row[4]);
  }
  return facts;
}

// Names before, between and after those of the world, a new relation, and times on all sides.
FactColumns new_points() {
  return facts_of({{"a new one", "r0", "e03", "2014-01-02"},
                   {"e05", "r1a new", "a new one", "2014-01-05"},
                   {"e05a new", "r1", "e06", "2013-12-30"},
                   {"e07", "r2", "z new one", "2014-02-05"},
                   {"z new one", "r2", "e08", "2014-02-09"}});
}
FactColumns new_intervals() {
  return facts_of({{"a new one", "r0", "e03", "1890", "1901"},
                   {"e05", "r1a new", "a new one", "1903", "1905"},
                   {"e05a new", "r1", "e06", "1906", "1950"},
                   {"e07", "r2", "z new one", "1940", ""}});
}

class Add : public testing::SmallRuns {
 protected:
  Model trained(const TrainOptions& o) const { return train(Dataset::open(o.data, o.reading), o); }
  Model trained(const std::string& model) const {
    TrainOptions o = options();
    o.model = model;
    return trained(o);
  }
  TrainOptions interval_options(const std::string& reading) const {
    write_world("intervals", true);
    TrainOptions o = options();
    o.data = at("intervals").string();
    o.reading.intervals = reading;
    return o;
  }
  static Dataset points(const FactColumns& facts) {
    return Dataset::from_columns(facts, {}, {}, {.granularity = "day"});
  }
  static Dataset intervals(const FactColumns& facts, const std::string& reading) {
    return Dataset::from_columns(facts, {}, {}, {.granularity = "year", .intervals = reading});
  }
  static AddOptions quick() { return {.epochs = 3, .threads = 1}; }

  // Every row that both have, by its name.
  static void expect_frozen(const Model& before, const Model& after) {
    for (const EmbeddingInfo& info : before.card().embeddings) {
      const Embeddings old = before.embeddings(info.name), now = after.embeddings(info.name);
      EXPECT_EQ(old.names.empty() ? info.rows : now.info.rows, now.info.rows);
      for (std::int64_t row = 0; row < info.rows; ++row) {
        std::int64_t place = row;
        if (info.of != "window" && !old.names.empty()) {
          const auto found = std::ranges::find(now.names, old.names[static_cast<std::size_t>(row)]);
          ASSERT_NE(found, now.names.end()) << info.name;
          place = found - now.names.begin();
        }
        EXPECT_TRUE(same(old.row(row), now.row(place))) << info.name << " row " << row;
      }
    }
  }

  static std::map<std::string, double> scores_of(const Model& model, const Question& question) {
    std::map<std::string, double> scores;
    for (const Answer& answer : model.predict(question, {.top = 1000}))
      scores[answer.name] = answer.score;
    return scores;
  }
  // Old questions, over old candidates, in both directions.
  static void expect_same_answers(const Model& before, const Model& after) {
    int asked = 0;
    for (const std::string& relation : before.relation_names())
      for (const std::string& time : before.time_names())
        for (const char* const entity : {"e01", "e05", "e19"})
          for (const Question& question :
               {Question{.subject = entity, .relation = relation, .time = time},
                Question{.relation = relation, .object = entity, .time = time}}) {
            const auto then = scores_of(before, question), now = scores_of(after, question);
            ASSERT_EQ(then.size(), before.entity_names().size());
            for (const auto& [name, score] : then) EXPECT_EQ(score, now.at(name)) << name;
            ++asked;
          }
    EXPECT_GT(asked, 50);
  }

  template <class Action>
  static std::string refusal(const Action& action) {
    try {
      action();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::request);
      return error.what();
    }
    ADD_FAILURE() << "was not refused";
    return {};
  }
};

TEST_F(Add, OldRowsAndOldAnswersStayToTheBit) {
  for (const auto* kind : {"bsca", "complex", "telm", "tuckertnt", "boxte", "tero"}) {
    const Model before = trained(kind);
    const Model after = add(before, points(new_points()), quick());
    EXPECT_EQ(after.card().entities, 23);
    EXPECT_EQ(after.card().relations, 4);
    EXPECT_EQ(after.card().times, 11);
    EXPECT_EQ(after.card().first_time, "2013-12-30");
    EXPECT_EQ(after.card().last_time, "2014-02-09");
    expect_frozen(before, after);
    expect_same_answers(before, after);
  }
}

// Their readings of the calendar are of the axis they were trained on.
TEST_F(Add, ModelsThatReadTheCalendarAnswerAsBefore) {
  for (const auto* kind : {"de-simple", "atise"}) {
    const Model before = trained(kind);
    Model after = add(before, points(new_points()), quick());
    expect_frozen(before, after);
    expect_same_answers(before, after);
    after.save(at("grown.safetensors"));
    expect_same_answers(before, Model::open(at("grown.safetensors")));
  }
}

TEST_F(Add, IntervalsKeepTheirRowsAndGetMoreOutside) {
  for (const auto* reading : {"within", "ends"}) {
    const Model before = trained(interval_options(reading));
    const Model after = add(before, intervals(new_intervals(), reading), quick());
    EXPECT_GT(after.card().times, before.card().times + 1);
    EXPECT_EQ(after.card().first_time, "1890");
    expect_frozen(before, after);
    expect_same_answers(before, after);
    const auto names = after.time_names();
    EXPECT_TRUE(std::ranges::includes(names, before.time_names()));
  }
}

TEST_F(Add, WindowsOfTimesTakeLaterOnesAlone) {
  TrainOptions o = options();
  o.model = "tlt-kge";
  o.window = 3;
  const Model before = trained(o);
  const FactColumns later = facts_of(
      {{"a new one", "r0", "e03", "2014-02-02"}, {"a new one", "r0", "e04", "2014-02-05"}});
  const Model after = add(before, points(later), quick());
  expect_frozen(before, after);
  expect_same_answers(before, after);
  const std::string said = refusal([&] { add(before, points(new_points()), quick()); });
  EXPECT_TRUE(contains(said, "new times can only come after the last, 2014-01-08")) << said;
}

TEST_F(Add, HistoryKnowsTheNewFactsAndItsNumbersStay) {
  TrainOptions o = options();
  o.history = "near";
  o.epochs = 8;
  o.eval_every = 4;
  const Model before = trained(o);
  // Of names that the questions below do not ask about, and at times after all others.
  const FactColumns facts = facts_of(
      {{"e10", "r0", "a new one", "2014-01-08"}, {"e10", "r1", "a new one", "2014-01-09"}});
  Model after = add(before, points(facts), quick());
  expect_frozen(before, after);
  expect_same_answers(before, after);
  after.save(at("grown.safetensors"));
  expect_same_answers(before, Model::open(at("grown.safetensors")));
}

// Nothing but history changes where all names are known: its new fact counts at other times.
TEST_F(Add, HistoryTakesFactsOfKnownNames) {
  TrainOptions o = options();
  o.history = "relation";
  o.history_from = "train";
  const Model before = trained(o);
  const Model after = add(before, points(facts_of({{"e10", "r0", "e11", "2014-01-08"}})));
  expect_frozen(before, after);
  expect_same_answers(before, after);
  EXPECT_EQ(after.training().summary.epochs_done, 0);
  const Question elsewhen{.subject = "e10", .relation = "r0", .time = "2014-01-03"};
  const auto then = scores_of(before, elsewhen), now = scores_of(after, elsewhen);
  const Embeddings history = before.embeddings("history");
  const auto r0 = std::ranges::find(history.names, "r0") - history.names.begin();
  ASSERT_NE(history.row(r0)[0], 0);
  for (const auto& [name, score] : then)
    EXPECT_TRUE(name == "e11" || score == now.at(name)) << name;
  EXPECT_NEAR(now.at("e11") - then.at("e11"), history.row(r0)[0], 1e-5);
  const Question at_that_time{.subject = "e10", .relation = "r0", .time = "2014-01-08"};
  EXPECT_EQ(scores_of(before, at_that_time), scores_of(after, at_that_time));
}

// A name that only validation had is noise until there are facts of it.
TEST_F(Add, WhatTrainingNeverSawIsAsGoodAsNew) {
  write_world("more", false);
  scratch_.write("more/valid.txt", testing::world_lines(220, 25, false) +
                                       "stranger\tr0\te03\t2014-01-02\n"
                                       "other\tr0\te03\t2014-01-02\n");
  TrainOptions o = options();
  o.data = at("more").string();
  const Model before = trained(o);
  const FactColumns facts = facts_of({{"stranger", "r0", "e03", "2014-01-05"}});
  Model after = add(before, points(facts), quick());
  const auto row = [](const Model& model, const std::string& name) {
    const Embeddings table = model.embeddings("entity");
    return table.row(std::ranges::find(table.names, name) - table.names.begin());
  };
  EXPECT_FALSE(same(row(before, "stranger"), row(after, "stranger")));
  EXPECT_TRUE(same(row(before, "other"), row(after, "other")));
  EXPECT_EQ(after.card().additions.back().entities, 0);
  after.save(at("grown.safetensors"));
  after = Model::open(at("grown.safetensors"));
  const Question question{.subject = "stranger", .relation = "r0", .time = "2014-01-05"};
  EXPECT_EQ(after.predict(question, {.top = 3}).size(), 3U);
  for (const auto& [model, name] :
       {std::pair(before, "stranger"), {before, "other"}, {after, "other"}})
    EXPECT_THROW(model.predict({.subject = name, .relation = "r0", .time = "2014-01-05"}), Error);
}

TEST_F(Add, TouchedNamesAreTrainedOnRequest) {
  const Model before = trained("bsca");
  AddOptions o = quick();
  o.touched = true;
  const Model after = add(before, points(new_points()), o);
  const auto row = [](const Model& model, const std::string& name) {
    const Embeddings table = model.embeddings("entity");
    return table.row(std::ranges::find(table.names, name) - table.names.begin());
  };
  EXPECT_FALSE(same(row(before, "e05"), row(after, "e05")));  // in a new fact
  EXPECT_TRUE(same(row(before, "e01"), row(after, "e01")));   // in none
  EXPECT_TRUE(after.card().additions.back().touched);
}

TEST_F(Add, RepeatsToTheSameBytesForAnyNumberOfThreads) {
  const Model before = trained("bsca");
  const Dataset world = Dataset::open(options().data, options().reading);
  for (const std::int64_t threads : {1, 2, 3}) {
    AddOptions o = quick();
    o.threads = threads;
    o.known = world;
    add(before, points(new_points()), o).save(at(fmt::format("{}.safetensors", threads)));
  }
  const std::string one = testing::read_bytes(at("1.safetensors"));
  EXPECT_TRUE(one == testing::read_bytes(at("2.safetensors")));
  EXPECT_TRUE(one == testing::read_bytes(at("3.safetensors")));
}

TEST_F(Add, WhatWasAddedIsRecordedAndMoreCanBe) {
  testing::train_run(options(), at("run"));
  const Model before = Model::open(at("run"));
  const Dataset facts = points(new_points());
  const Model grown = add_into(at("run") / "grown.safetensors", false, before, facts, quick());
  const Model opened = Model::open(at("run") / "grown.safetensors");
  ASSERT_EQ(opened.card().additions.size(), 1U);
  const Addition& added = opened.card().additions[0];
  EXPECT_EQ(added.facts, 5);
  EXPECT_EQ(added.entities, 3);
  EXPECT_EQ(added.relations, 1);
  EXPECT_EQ(added.times, 3);
  EXPECT_EQ(added.first_time, "2013-12-30");
  EXPECT_EQ(added.facts_fingerprint, facts.facts_fingerprint());
  EXPECT_EQ(added.model_fingerprint.size(), 64U);
  EXPECT_EQ(opened.card().data_fingerprint, before.card().data_fingerprint);
  // The facts of the run are found by the config beside it, and asked as before.
  EXPECT_EQ(evaluate(opened, opened.training_data()).ranks.size(), 50U);
  const Model more = add(opened, points(facts_of({{"b new one", "r0", "e03", "2014-01-02"}})));
  EXPECT_EQ(more.card().additions.size(), 2U);
  expect_frozen(opened, more);
  expect_same_answers(before, more);
}

TEST_F(Add, FilesAreOnlyReplacedOnRequestAndARunsModelNever) {
  testing::train_run(options(), at("run"));
  const Model model = Model::open(at("run"));
  const Dataset facts = points(new_points());
  const auto into = [&](const std::filesystem::path& file, bool replace) {
    return refusal([&] { add_into(file, replace, model, facts, quick()); });
  };
  add_into(at("grown.safetensors"), false, model, facts, quick());
  EXPECT_TRUE(contains(into(at("grown.safetensors"), false), "exists already"));
  add_into(at("grown.safetensors"), true, model, facts, quick());
  EXPECT_TRUE(contains(into(at("run") / "model.safetensors", true), "is the model of a run"));
  scratch_.write("words.txt", "no model\n");
  EXPECT_TRUE(contains(into(at("words.txt"), true), "exists and is no model"));
  EXPECT_EQ(testing::read_bytes(at("words.txt")), "no model\n");
  EXPECT_TRUE(contains(into(at("run"), true), "is a directory"));
  // Put there by hand, it is not what the run goes on from.
  TrainOptions o = options();
  o.eval_every = 1;
  testing::train_run(o, at("validated"));
  std::filesystem::copy_file(at("grown.safetensors"), at("validated") / "model.safetensors",
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(refusal([&] {
                         testing::resume_run(at("validated"), {{"epochs", "6"}});
                       }),
                       "is not this run's best model"));
}

TEST_F(Add, AStopWritesNothing) {
  const Model model = trained("bsca");
  StopAfter soon(2);
  const Model grown =
      add_into(at("grown.safetensors"), false, model, points(new_points()), {}, &soon);
  EXPECT_EQ(grown.training().summary.ending, TrainSummary::Ending::interrupted);
  EXPECT_FALSE(std::filesystem::exists(at("grown.safetensors")));
}

TEST_F(Add, WhatCannotBeAddedIsRefused) {
  const Model model = trained("bsca");
  const FactColumns known = facts_of({{"e01", "r0", "e02", "2014-01-02"}});
  EXPECT_TRUE(contains(refusal([&] { add(model, points(known), quick()); }), "--touched"));
  AddOptions o = quick();
  o.touched = true;
  EXPECT_EQ(add(model, points(known), o).card().entities, 20);
  EXPECT_TRUE(contains(refusal([&] { add(model, intervals(new_intervals(), "within"), quick()); }),
                       "the model was trained on point facts"));
  EXPECT_TRUE(contains(
      refusal([&] { add(model, Dataset::from_columns(known, {}, {}, {.granularity = "month"})); }),
      "--granularity day"));
  const Model within = trained(interval_options("within"));
  EXPECT_TRUE(contains(refusal([&] { add(within, intervals(new_intervals(), "ends"), quick()); }),
                       "'within'"));
}

TEST_F(Add, NewFactsAreReadAsTheModelsWere) {
  TrainOptions o = options();
  o.reading.columns = "subject=1,relation=2,object=3,time=4";
  testing::train_run(o, at("run"));
  const Model model = Model::open(at("run"));
  scratch_.write("new.txt", "a new one\tr0\te03\t2014-01-02\n");
  const Dataset facts = read_new_facts(model, at("new.txt").string());
  EXPECT_EQ(facts.facts(Split::train).size(), 1U);
  EXPECT_EQ(facts.granularity(), "day");
  scratch_.write("turned.txt", "2014-01-02\te03\tr0\ta new one\n");
  const Dataset turned = read_new_facts(model, at("turned.txt").string(),
                                        {{"columns", "time=1,object=2,relation=3,subject=4"}});
  EXPECT_EQ(turned.facts_fingerprint(), facts.facts_fingerprint());
}

}  // namespace
}  // namespace orrery
