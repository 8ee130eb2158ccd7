#include "paper/study_plan.h"

#include <gtest/gtest.h>

#include "base/processor.h"
#include "paper/small_sets.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;

class StudyPlanned : public testing::SmallSets {
 protected:
  void SetUp() override {
    for (const auto* set : {"icews14", "icews05-15", "gdelt", "yago11k", "wikidata12k"})
      std::filesystem::create_directories(at("sets") / set);
  }
  StudyPlan plan(const std::string& study, const std::map<std::string, std::string>& changes = {},
                 const std::string& configs = "") const {
    return plan_study(study, PaperFiles(configs.empty() ? "" : at(configs)), at("sets"), changes);
  }
};

TEST_F(StudyPlanned, TheBuiltInFilesAreThoseOfTheRepository) {
  const auto folder = std::filesystem::path(ORRERY_SOURCE_DIR) / "configs/paper";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    const std::string name = entry.path().lexically_relative(folder).string();
    EXPECT_EQ(PaperFiles().text(name), read_bytes(entry.path())) << name;
  }
  EXPECT_EQ(built_in_paper_files().size(), files);
  EXPECT_TRUE(contains(refused([] { PaperFiles().text("x.toml"); }), "configs/paper/x.toml"));
}

TEST_F(StudyPlanned, TheMainTableIsThePapersSettingOnFiveSets) {
  const StudyPlan results = plan("results");
  ASSERT_EQ(results.sets.size(), 5U);
  EXPECT_TRUE(results.missing.empty());
  EXPECT_TRUE(results.changed_settings.empty());
  const std::map<std::string, std::pair<double, double>> weights = {{"icews14", {0.008, 0.01}},
                                                                    {"icews05-15", {0.002, 0.05}},
                                                                    {"gdelt", {5e-5, 0.2}},
                                                                    {"yago11k", {0.1, 0.009}},
                                                                    {"wikidata12k", {0.1, 5e-4}}};
  for (const StudySet& set : results.sets) {
    const TrainOptions& paper = set.row("paper").options;
    EXPECT_EQ(paper.data, (at("sets") / set.name).string());
    EXPECT_EQ(paper.model, "bsca");
    EXPECT_EQ(paper.dim, 4000);
    EXPECT_EQ(paper.epochs, 150);
    EXPECT_EQ(paper.batch, 6000);
    EXPECT_EQ(paper.lr, 0.1);
    EXPECT_EQ(paper.eval_every, 10);
    EXPECT_EQ(paper.reading.min_facts, set.name == "yago11k" ? 100 : 1);
    EXPECT_EQ(paper.lambda_n3, weights.at(set.name).first) << set.name;
    EXPECT_EQ(paper.lambda_time, weights.at(set.name).second) << set.name;
    EXPECT_EQ(set.row("paper").model, "paper");
    EXPECT_EQ(set.published.size(), set.name == "gdelt" ? 0U : 64U);
  }
}

TEST_F(StudyPlanned, EveryStudyAsksForWhatThereIs) {
  for (const StudyInfo& study : studies())
    for (const StudySet& set : plan(study.name).sets) {
      EXPECT_FALSE(set.models.empty());
      for (const ComparedModel& model : set.models) {
        EXPECT_NO_THROW(check_options(model.options)) << study.name << model.name;
        EXPECT_GT(model.options.eval_every, 0);
      }
    }
}

// The paper has none; our best configurations may, and no row of the paper is made of one.
TEST_F(StudyPlanned, ThePapersRowsAreWithoutHistory) {
  const auto config = [](const std::string& name) {
    return read_config_text(PaperFiles().text(name), name);
  };
  for (const auto* set : {"icews14", "icews05-15", "gdelt", "yago11k", "wikidata12k"})
    EXPECT_EQ(config(std::string(set) + ".toml").history, "none") << set;
  std::size_t rows = 0, with_history = 0;
  for (const StudyInfo& study : studies())
    for (const StudySet& set : plan(study.name).sets)
      for (const StudyRow& row : set.rows) {
        ++rows;
        const bool best = study.name == "results" && row.name == "best";
        if (best && row.options.history != "none") ++with_history;
        if (best) continue;
        EXPECT_EQ(row.options.history, "none") << study.name << " " << set.name << " " << row.name;
      }
  EXPECT_GT(rows, 50U);
  EXPECT_GT(with_history, 0U);
}

TEST_F(StudyPlanned, ModelsOfTheSameOptionsAreOne) {
  const StudyPlan sensitivity = plan("sensitivity");
  const StudySet& set = sensitivity.sets.front();
  EXPECT_EQ(set.rows.size(), 17U);
  EXPECT_EQ(set.models.size(), 15U);  // the paper's setting is on all three of its curves
  const StudyPlan shorter = plan("sensitivity", {{"epochs", "64"}});
  EXPECT_EQ(shorter.sets.front().models.size(), 15U);
  EXPECT_EQ(shorter.changed_settings, (std::map<std::string, std::string>{{"epochs", "64"}}));
  EXPECT_EQ(shorter.sets.front().rows.front().published.epochs, 150);
  const StudyPlan elsewhere =
      plan("ablation", {{"device", "cpu"}, {"threads", "2"}, {"seed", "7"}});
  EXPECT_TRUE(elsewhere.changed_settings.empty());
  EXPECT_EQ(elsewhere.sets[0].models[6].options.choices.at("product"), "componentwise");
  EXPECT_EQ(elsewhere.sets[0].models[6].options.seed, 7U);
}

TEST_F(StudyPlanned, OnlyTheSetsThatAreAskedFor) {
  std::filesystem::remove_all(at("sets/gdelt"));
  const auto planned = [&](const std::string& study, const std::vector<std::string>& asked) {
    return plan_study(study, PaperFiles(), at("sets"), {{"min-facts", "100"}}, asked);
  };
  const StudyPlan two = planned("results", {"yago11k", "icews14", "yago11k"});
  ASSERT_EQ(two.sets.size(), 2U);
  EXPECT_EQ(two.sets[0].name, "icews14");
  EXPECT_EQ(two.sets[1].rows.size(), 2U);
  EXPECT_TRUE(two.missing.empty());
  EXPECT_EQ(two.not_asked, (std::vector<std::string>{"icews05-15", "gdelt", "wikidata12k"}));
  // A change is one of what is trained: these are the paper's classes of years on YAGO11k.
  EXPECT_TRUE(planned("ablation", {"yago11k"}).changed_settings.empty());
  EXPECT_EQ(planned("ablation", {"icews14"}).changed_settings.size(), 1U);

  const auto refusal = [&](const std::string& study, const std::vector<std::string>& asked) {
    return refused([&] { planned(study, asked); });
  };
  EXPECT_TRUE(contains(refusal("curves", {"icews14", "icews15"}),
                       "the study curves has no set 'icews15'; there are icews14, yago11k"));
  EXPECT_TRUE(contains(refusal("curves", {"gdelt"}), "no set 'gdelt'"));
  EXPECT_TRUE(contains(refusal("curves", {""}), "no set ''"));
  const std::string absent = refusal("results", {"icews14", "gdelt"});
  EXPECT_TRUE(contains(absent,
                       "holds no folder of gdelt; of the study's sets it has icews14, "
                       "icews05-15, yago11k, wikidata12k;"))
      << absent;
}

TEST_F(StudyPlanned, ValuesAreFoundByTheOptionsName) {
  TrainOptions options;
  options.lambda_time = 0.25;
  EXPECT_EQ(number_of_option(options, "lambda-time"), 0.25);
  EXPECT_EQ(number_of_option(options, "dim"), 256);
  for (const auto* name : {"model", "skip-bad", "nothing"})
    EXPECT_TRUE(contains(refused([&] { number_of_option(options, name); }), name));
}

TEST_F(StudyPlanned, TheProcessorIsNamed) {
  std::filesystem::create_directories(at("proc"));
  EXPECT_EQ(processor_here(at("")).name, "unknown");
  scratch_.write("proc/cpuinfo",
                 "processor\t: 0\nmodel name\t: Abacus 3000\n\nprocessor\t: 1\nmodel name\t: "
                 "Abacus 3000\n");
  EXPECT_EQ(processor_here(at("")).name, "Abacus 3000");
  EXPECT_EQ(processor_here(at("")).cores, 2);
}

}  // namespace
}  // namespace orrery
