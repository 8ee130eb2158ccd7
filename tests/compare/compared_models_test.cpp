#include "compare/compared_models.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TEST(ComparedModels, AreNamedWithTheirChoices) {
  TrainOptions base = comparison_defaults();
  base.lr = 0.3;
  base.choices = {{"attention", "real"}};  // of whatever model the base was written for
  const ComparedModel plain = compared_model("complex", base);
  EXPECT_EQ(plain.name, "");  // until its options are final
  EXPECT_EQ(plain.options.model, "complex");
  EXPECT_EQ(plain.options.lr, 0.3);
  EXPECT_EQ(plain.options.eval_every, 5);
  EXPECT_TRUE(plain.options.choices.empty());

  const ComparedModel chosen = compared_model("bsca:product=componentwise+attention=none");
  EXPECT_EQ(chosen.options.choices.at("attention"), "none");
  EXPECT_EQ(chosen.options.choices.at("product"), "componentwise");
}

TEST(ComparedModels, AreCalledWhatTheyAre) {
  CompareOptions options;
  options.models = {compared_model("bsca:product=componentwise+attention=none"),
                    compared_model("bsca"), compared_model("complex")};
  for (ComparedModel& model : options.models) model.options.data = "facts/../facts/of";
  options.models[1].options.choices["attention"] = "real";  // as the command line does
  options.models[2].name = "plain";
  const auto models = settled(options).models;
  EXPECT_EQ(models[0].name, "bsca:attention=none+product=componentwise");
  EXPECT_EQ(run_of(models[0], 3, "out"), "out/bsca-attention-none-product-componentwise-seed3");
  EXPECT_EQ(models[1].name, "bsca:attention=real");
  EXPECT_EQ(models[2].name, "plain");
  EXPECT_EQ(models[2].options.data, (std::filesystem::current_path() / "facts/of").string());
  for (ComparedModel& model : options.models) model.options.data = "icews14";  // a benchmark set
  EXPECT_EQ(settled(options).models[2].options.data, "icews14");
}

TEST(ComparedModels, MayBeConfigFiles) {
  const testing::ScratchDirectory scratch;
  const auto file = scratch.write("tuned.toml", "model = \"tcomplex\"\nlr = 0.2\n").string();
  TrainOptions base = comparison_defaults();
  base.lr = 0.3;
  base.epochs = 7;
  const ComparedModel tuned = compared_model(file, base);
  EXPECT_EQ(tuned.name, "tuned");
  EXPECT_EQ(tuned.options.model, "tcomplex");
  EXPECT_EQ(tuned.options.lr, 0.2);
  EXPECT_EQ(tuned.options.epochs, 7);
  EXPECT_EQ(tuned.options.eval_every, 5);
  EXPECT_TRUE(contains(refused([&] { compared_model(file + ".toml"); }), "tuned.toml.toml"));
}

TEST(ComparedModels, WhatThereIsNotIsRefused) {
  const auto refusal = [](const std::string& words) {
    return refused([&] { compared_model(words); });
  };
  EXPECT_TRUE(contains(refusal("bcsa"), "there is no model 'bcsa'; there are bsca"));
  EXPECT_TRUE(contains(refusal(""), "there is no model ''"));
  EXPECT_TRUE(contains(refusal("complex:attention=none"), "has no option --attention"));
  EXPECT_TRUE(contains(refusal("bsca:attention=loud"), "no attention 'loud'; there are modulus"));
  EXPECT_TRUE(contains(refusal("bsca:attention=none+attention=real"), "given twice"));
  for (const auto* words : {"bsca:", "bsca:attention", "bsca:=none", "bsca:attention=",
                            "bsca:attention=none+", "bsca:+", "bsca:attention=none++product=x"})
    EXPECT_TRUE(contains(refusal(words), "is not a choice in the model")) << words;
}

TEST(ComparedModels, ParametersAreCountedAsPeopleWriteThem) {
  EXPECT_EQ(parse_parameters("20000"), 20'000);
  EXPECT_EQ(parse_parameters("500k"), 500'000);
  EXPECT_EQ(parse_parameters("500K"), 500'000);
  EXPECT_EQ(parse_parameters("38M"), 38'000'000);
  EXPECT_EQ(parse_parameters("1.5M"), 1'500'000);
  EXPECT_EQ(parse_parameters("2G"), 2'000'000'000);
  for (const auto* text : {"", "0", "-5", "M", "38m", "38 M", "38MB", "1e6", "nan", "inf", "0x10",
                           "0.1", "38M ", "99999999G"})
    EXPECT_TRUE(contains(refused([&] { parse_parameters(text); }), "--budget is '")) << text;
}

TEST(ComparedModels, NoTwoMayBeTheSame) {
  const auto refusal = [](const std::vector<ComparedModel>& models, std::int64_t seeds = 1) {
    CompareOptions options;
    options.models = models;
    options.seeds = seeds;
    for (ComparedModel& model : options.models)
      if (model.options.data.empty()) model.options.data = "/facts";
    return refused([&] { settled(options); });
  };
  EXPECT_TRUE(contains(refusal({}), "--models"));
  EXPECT_TRUE(contains(refusal({compared_model("bsca")}, 0), "--seeds is 0"));
  EXPECT_TRUE(contains(refusal({compared_model("bsca")}, 1001), "from 1 to 1000"));
  ComparedModel idle = compared_model("bsca");
  idle.options.epochs = 0;
  EXPECT_TRUE(contains(refusal({idle}), "--epochs is 0"));
  EXPECT_EQ(refusal({compared_model("bsca"), compared_model("complex"), compared_model("bsca")}),
            "'bsca' is named twice in --models");
  // Its default by name.
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), compared_model("bsca:attention=split")}),
                       "'bsca' is named twice in --models, once as 'bsca:attention=split'"));
  ComparedModel tuned = compared_model("bsca");
  tuned.options.lr = 0.01;
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), tuned}), "two of --models are called"));
  ComparedModel unseen = compared_model("complex");
  unseen.options.eval_every = 0;
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), unseen}), "--eval-every"));
  ComparedModel elsewhere = compared_model("complex");
  elsewhere.options.data = "/other";
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), elsewhere}), "compared on one"));
  ComparedModel by_ends = compared_model("complex");
  by_ends.options.reading.intervals = "ends";
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), by_ends}), "scores cannot be compared"));
  ComparedModel wrong = compared_model("complex");
  wrong.options.lr = -1;
  EXPECT_TRUE(contains(refusal({compared_model("bsca"), wrong}), "--lr"));
}

}  // namespace
}  // namespace orrery
