#include "demo/world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>

#include "base/caught.h"
#include "base/sha256.h"
#include "facts/date.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

// The rules are written down here a second time, over names and dates, by brute force.
using Triple = std::tuple<std::string, std::string, std::string>;
using Quad = std::tuple<std::string, std::string, std::string, std::string>;

Quad quad(const LabelledFact& fact) {
  return {fact.subject, fact.relation, fact.object, fact.date};
}

std::string shifted(const std::string& date, int weeks) {
  return label(time_point(parse_date(date).date, Granularity::day) + 7 * weeks, Granularity::day);
}

int week_of(const std::string& date) {
  return static_cast<int>(time_point(parse_date(date).date, Granularity::day) / 7);
}

struct Facts {
  explicit Facts(std::uint64_t seed = 1) : world(make_demo_world(seed)) {
    for (const LabelledFact& fact : world.train) {
      train.insert(quad(fact));
      train_triples.insert({fact.subject, fact.relation, fact.object});
      dates.insert(fact.date);
      entities.insert({fact.subject, fact.object});
      relations.insert(fact.relation);
      if (fact.relation == "meets in")
        tours.insert({fact.subject, fact.object, week_of(fact.date) % 6});
      if (fact.relation == "recognises") {
        recognised.push_back(fact);
        states.insert({fact.subject, fact.object});
      }
      if (fact.relation == "lies in") wholes[{fact.subject, fact.date}].insert(fact.object);
      if (fact.relation == "comments on") {
        newspapers.insert(fact.subject);
        organisations.insert(fact.object);
      }
    }
    for (const auto* split : {&world.train, &world.valid, &world.test})
      for (const LabelledFact& fact : *split) known.insert(quad(fact));
    for (const LabelledFact& fact : recognised)
      diplomacy.insert({region_of(fact.subject), region_of(fact.object)});
    held_out = world.valid;
    held_out.insert(held_out.end(), world.test.begin(), world.test.end());
  }

  bool given(const std::string& s, const std::string& r, const std::string& o,
             const std::string& date) const {
    return train.contains({s, r, o, date});
  }

  std::string region_of(const std::string& state) const {
    for (const char* side : {"Northern ", "Central ", "Southern "})
      for (const char* continent : {"Auster", "Borealia", "Meridia", "Occasia"})
        if (train_triples.contains({state, "lies in", std::string(side) + continent}))
          return std::string(side) + continent;
    ADD_FAILURE() << state << " lies in no region";
    return {};
  }

  // Do the rules and the train facts allow this fact?
  bool allowed(const std::string& s, const std::string& r, const std::string& o,
               const std::string& date) const {
    static const std::map<std::string, std::pair<std::string, int>> causes = {
        {"negotiates with", {"negotiates with", 0}},
        {"supplies energy to", {"buys energy from", 0}},
        {"buys energy from", {"supplies energy to", 0}},
        {"chairs", {"is chaired by", 0}},
        {"is chaired by", {"chairs", 0}},
        {"retaliates against", {"threatens", 3}},
        {"visits", {"invites", 2}}};
    if (const auto cause = causes.find(r); cause != causes.end())
      return given(o, cause->second.first, s, shifted(date, -cause->second.second));
    if (r == "lends to" || r == "consults") return train_triples.contains({s, r, o});
    if (r == "speaks in")
      return given(s, r, o, shifted(date, -52)) || given(s, r, o, shifted(date, 52));
    if (r == "recognises")
      return states.contains(s) && states.contains(o) &&
             diplomacy.contains({region_of(s), region_of(o)}) && !train_triples.contains({s, r, o});
    if (r == "meets in") return tours.contains({s, o, week_of(date) % 6});
    if (r == "lies in") {
      const auto middles = wholes.find({s, date});
      return middles != wholes.end() &&
             std::any_of(middles->second.begin(), middles->second.end(),
                         [&](const std::string& middle) { return given(middle, r, o, date); });
    }
    return r == "comments on" && newspapers.contains(s) && organisations.contains(o);
  }

  double expected_rank(const LabelledFact& fact, bool ask_object) const {
    int candidates = 0;
    for (const std::string& other : entities) {
      const std::string& s = ask_object ? fact.subject : other;
      const std::string& o = ask_object ? other : fact.object;
      const bool target = other == (ask_object ? fact.object : fact.subject);
      if (!target && known.contains({s, fact.relation, o, fact.date})) continue;
      if (allowed(s, fact.relation, o, fact.date)) ++candidates;
    }
    double sum = 0;
    for (int rank = 1; rank <= candidates; ++rank) sum += 1.0 / rank;
    return sum / candidates;
  }

  DemoWorld world;
  std::vector<LabelledFact> held_out;
  std::set<Quad> train, known;
  std::set<Triple> train_triples;
  std::vector<LabelledFact> recognised;
  std::set<std::pair<std::string, std::string>> diplomacy;  // regions of states that recognise
  std::set<std::string> states;
  std::set<std::tuple<std::string, std::string, int>> tours;  // with the week of six
  std::map<std::pair<std::string, std::string>, std::set<std::string>> wholes;  // by part and date
  std::set<std::string> dates, entities, relations, newspapers, organisations;
};

const Facts& facts() {
  static const Facts shared;
  return shared;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

class DemoFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    directory = fs::path(ORRERY_BINARY_DIR) / "demo_world_test" /
                ::testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(directory);
    fs::create_directories(directory.parent_path());
  }
  void TearDown() override { fs::remove_all(directory); }

  void expect_bad_labels(const std::string& text, const std::string& part_of_message) {
    fs::create_directories(directory);
    write(directory / "labels.tsv", text);
    const Error error = caught([&] { read_demo_labels(directory); });
    EXPECT_EQ(error.kind(), Error::Kind::request) << text;
    EXPECT_EQ(error.place().file, (directory / "labels.tsv").string());
    EXPECT_GT(error.place().line, 0U);
    EXPECT_NE(std::string(error.what()).find(part_of_message), std::string::npos) << error.what();
  }

  fs::path directory;
};

TEST(DemoWorld, HasTheSizeItPromises) {
  const Facts& f = facts();
  EXPECT_GE(f.known.size(), 15000u);
  EXPECT_LE(f.known.size(), 25000u);
  EXPECT_LE(f.entities.size(), 400u);
  EXPECT_EQ(f.relations.size(), 16u);
  EXPECT_EQ(f.dates.size(), 104u);
  EXPECT_EQ(*f.dates.begin(), "2022-01-03");
  EXPECT_EQ(*f.dates.rbegin(), "2023-12-25");
  for (const Pattern pattern : all_patterns) {
    EXPECT_GE(reachable_mrr(f.world.test, pattern).facts, 100u) << name_of(pattern);
    EXPECT_GE(reachable_mrr(f.world.valid, pattern).facts, 30u) << name_of(pattern);
  }
}

TEST(DemoWorld, HoldsNoFactTwice) {
  const Facts& f = facts();
  EXPECT_EQ(f.known.size(), f.world.train.size() + f.world.valid.size() + f.world.test.size());
}

TEST(DemoWorld, AsksOnlyAboutWhatTrainHasSeen) {
  const Facts& f = facts();
  for (const LabelledFact& fact : f.held_out) {
    EXPECT_TRUE(f.entities.contains(fact.subject)) << fact.subject;
    EXPECT_TRUE(f.entities.contains(fact.object)) << fact.object;
    EXPECT_TRUE(f.relations.contains(fact.relation)) << fact.relation;
    EXPECT_TRUE(f.dates.contains(fact.date)) << fact.date;
  }
}

TEST(DemoWorld, EachHeldOutFactFollowsFromTrainByItsRule) {
  static const std::map<std::string, Pattern> patterns = {{"negotiates with", Pattern::symmetric},
                                                          {"lends to", Pattern::asymmetric},
                                                          {"supplies energy to", Pattern::inverse},
                                                          {"buys energy from", Pattern::inverse},
                                                          {"chairs", Pattern::inverse},
                                                          {"is chaired by", Pattern::inverse},
                                                          {"retaliates against", Pattern::evolving},
                                                          {"visits", Pattern::evolving},
                                                          {"meets in", Pattern::periodic},
                                                          {"lies in", Pattern::hierarchical},
                                                          {"recognises", Pattern::once},
                                                          {"consults", Pattern::repeating},
                                                          {"speaks in", Pattern::yearly},
                                                          {"comments on", Pattern::noise}};
  const Facts& f = facts();
  for (const LabelledFact& fact : f.held_out) {
    EXPECT_EQ(patterns.at(fact.relation), fact.pattern);
    EXPECT_TRUE(f.allowed(fact.subject, fact.relation, fact.object, fact.date))
        << fact.subject << " " << fact.relation << " " << fact.object << " " << fact.date;
  }
}

TEST(DemoWorld, SymmetricInverseAndEvolvingPairsAreNewAtTest) {
  const Facts& f = facts();
  for (const LabelledFact& fact : f.held_out)
    if (fact.pattern == Pattern::symmetric || fact.pattern == Pattern::inverse ||
        fact.pattern == Pattern::evolving) {
      EXPECT_FALSE(f.train_triples.contains({fact.subject, fact.relation, fact.object}));
    }
}

TEST(DemoWorld, RulesHoldForAllFactsInAllSplits) {
  const Facts& f = facts();
  for (const auto& [s, r, o, date] : f.known) {
    if (r == "lends to") {
      for (const std::string& day : f.dates) ASSERT_FALSE(f.known.contains({o, r, s, day}));
    } else if (r == "negotiates with") {
      EXPECT_TRUE(f.known.contains({o, r, s, date}));
    } else if (r == "chairs") {
      EXPECT_TRUE(f.known.contains({o, "is chaired by", s, date}));
    } else if (r == "buys energy from") {
      EXPECT_TRUE(f.known.contains({o, "supplies energy to", s, date}));
    } else if (r == "threatens") {
      const std::string answer = shifted(date, 3);
      EXPECT_EQ(f.known.contains({o, "retaliates against", s, answer}), answer <= "2023-12-25");
    } else if (r == "invites") {
      const std::string answer = shifted(date, 2);
      EXPECT_EQ(f.known.contains({o, "visits", s, answer}), answer <= "2023-12-25");
    } else if (r == "speaks in") {
      EXPECT_NE(f.known.contains({s, r, o, shifted(date, -52)}),
                f.known.contains({s, r, o, shifted(date, 52)}));
    }
  }
}

TEST(DemoWorld, WhatHappensOnceHappensOnceAndWhatRepeatsRepeats) {
  std::map<Triple, int> times;
  for (const auto& [s, r, o, date] : facts().known) ++times[{s, r, o}];
  int consulted = 0, pairs = 0;
  for (const auto& [triple, count] : times) {
    if (std::get<1>(triple) == "recognises") {
      EXPECT_EQ(count, 1);
    }
    if (std::get<1>(triple) != "consults") continue;
    consulted += count;
    ++pairs;
  }
  EXPECT_LE(pairs, 24 * 8);
  EXPECT_GT(pairs, 180);
  EXPECT_GT(consulted, 3 * pairs);
}

TEST(DemoWorld, ReachableRanksAgreeWithBruteForce) {
  const Facts& f = facts();
  for (const LabelledFact& fact : f.held_out) {
    ASSERT_NEAR(fact.reachable_object, f.expected_rank(fact, true), 1e-12) << fact.relation;
    ASSERT_NEAR(fact.reachable_subject, f.expected_rank(fact, false), 1e-12) << fact.relation;
    if (fact.pattern == Pattern::yearly) {
      EXPECT_EQ(fact.reachable_object, 1);
    }
    if (fact.pattern < Pattern::once) {
      EXPECT_EQ(fact.reachable_object, 1);
      EXPECT_EQ(fact.reachable_subject, 1);
    }
  }
  const Reachable noise = reachable_mrr(f.world.test, Pattern::noise);
  EXPECT_GT(noise.mrr, 0.15);  // H_24 / 24 and H_12 / 12, and a little more by the filter
  EXPECT_LT(noise.mrr, 0.25);
}

TEST(DemoWorld, WithoutTimeTheEvolvingAnswersAreAmbiguous) {
  const Facts& f = facts();
  std::map<std::pair<std::string, std::string>, std::set<std::string>> objects, subjects;
  for (const auto& [s, r, o, date] : f.known) {
    objects[{s, r}].insert(o);
    subjects[{o, r}].insert(s);
  }
  for (const LabelledFact& fact : f.held_out)
    if (fact.pattern == Pattern::evolving) {
      EXPECT_GE((objects[{fact.subject, fact.relation}].size()), 3u);
      EXPECT_GE((subjects[{fact.object, fact.relation}].size()), 3u);
    }
}

TEST(DemoWorld, TheSeedDecidesEverything) {
  const DemoWorld again = make_demo_world(1), other = make_demo_world(2);
  EXPECT_EQ(again.train, facts().world.train);
  EXPECT_EQ(again.valid, facts().world.valid);
  EXPECT_EQ(again.test, facts().world.test);
  EXPECT_NE(other.train, facts().world.train);
  EXPECT_NE(other.test, facts().world.test);
}

TEST_F(DemoFiles, AreTheSameBytesEverywhere) {
  Sha256 hash;
  for (const fs::path& path : write_demo_world(facts().world, directory)) hash.update(read(path));
  EXPECT_EQ(hash.hex_digest(), "5ec65ddf30167e29883b31d8c9150545bc4016658f2d0508786fa8e9aa0721db");
}

TEST_F(DemoFiles, LabelsComeBackInTheOrderOfTest) {
  const DemoWorld& world = facts().world;
  write_demo_world(world, directory);
  const std::vector<TestLabel> labels = read_demo_labels(directory);
  ASSERT_EQ(labels.size(), world.test.size());
  std::ifstream test(directory / "test.txt");
  std::string line;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const LabelledFact& fact = world.test[i];
    ASSERT_TRUE(std::getline(test, line));
    EXPECT_EQ(line, fact.subject + "\t" + fact.relation + "\t" + fact.object + "\t" + fact.date);
    EXPECT_EQ(labels[i].pattern, fact.pattern);
    EXPECT_EQ(labels[i].reachable_object, fact.reachable_object);
    EXPECT_EQ(labels[i].reachable_subject, fact.reachable_subject);
  }
  EXPECT_FALSE(std::getline(test, line));
}

TEST_F(DemoFiles, ReachableMeansAreInJson) {
  const DemoWorld& world = facts().world;
  write_demo_world(world, directory);
  const auto json = nlohmann::json::parse(read(directory / "reachable.json"));
  EXPECT_EQ(json["overall"]["facts"], world.test.size());
  double sum = 0;
  for (const Pattern pattern : all_patterns) {
    const auto& entry = json["patterns"][std::string(name_of(pattern))];
    EXPECT_DOUBLE_EQ(entry["mrr"], reachable_mrr(world.test, pattern).mrr);
    sum += entry["mrr"].get<double>() * entry["facts"].get<double>();
  }
  EXPECT_NEAR(json["overall"]["mrr"], sum / static_cast<double>(world.test.size()), 1e-12);
}

TEST_F(DemoFiles, AreNeverOverwrittenUnlessTheSame) {
  write_demo_world(facts().world, directory);
  EXPECT_NO_THROW(write_demo_world(facts().world, directory));
  write(directory / "valid.txt", "mine\n");
  fs::remove(directory / "train.txt");
  const Error error = caught([&] { write_demo_world(facts().world, directory); });
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.place(), Place{(directory / "valid.txt").string()});
  EXPECT_EQ(read(directory / "valid.txt"), "mine\n");
  EXPECT_FALSE(fs::exists(directory / "train.txt"));  // refused before the first write
}

TEST_F(DemoFiles, RefuseAPathThatIsNoDirectory) {
  write(directory, "a file");
  EXPECT_THROW(write_demo_world(facts().world, directory), Error);
  EXPECT_EQ(read(directory), "a file");
}

TEST_F(DemoFiles, DamagedLabelsAreRefusedWithTheirLine) {
  const std::string header =
      "pattern\treachable_object\treachable_subject\tsubject\trelation\tobject\tdate\n";
  const std::string rest = "\ta\tr\tb\t2022-01-03\n";
  expect_bad_labels("", "labels.tsv:1");
  expect_bad_labels("noise\t1\t1" + rest, "labels.tsv:1");
  expect_bad_labels(header + "noise\t1\t1" + rest + "odd\t1\t1" + rest, "labels.tsv:3: 'odd'");
  expect_bad_labels(header + "noise\t0\t1" + rest, "labels.tsv:2: '0'");
  expect_bad_labels(header + "noise\tnan\t1" + rest, "labels.tsv:2: 'nan'");
  expect_bad_labels(header + "noise\t1\t1x" + rest, "labels.tsv:2: '1x'");
  expect_bad_labels(header + "noise\t1\t1\n", "labels.tsv:2");
  expect_bad_labels(header + "noise\t1\t1\ta\tr\tb\t2022", "labels.tsv:2");
  fs::remove_all(directory);
  EXPECT_THROW(read_demo_labels(directory), Error);
}

}  // namespace
}  // namespace orrery
