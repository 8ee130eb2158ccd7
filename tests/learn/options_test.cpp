#include "learn/options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "facts/scratch.h"
#include "learn/toml_line.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

// Every option away from its default, and awkward to write down.
TrainOptions unusual_options() {
  TrainOptions options;
  visit_options(options, [n = 0](const OptionInfo& info, auto& value) mutable {
    using Value = std::decay_t<decltype(value)>;
    ++n;
    if constexpr (std::is_same_v<Value, std::string>)
      value = info.values.empty() ? "a \"b\"\\\n#" + std::to_string(n) : info.values.back();
    else if constexpr (std::is_same_v<Value, bool>)
      value = true;
    else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
      value = {"time_add", "x, \"y\""};
    else if constexpr (std::is_same_v<Value, double>)
      value = 0.1 * n / 3;
    else
      value = static_cast<Value>(~std::uint64_t{0} >> 1) - static_cast<Value>(n);
  });
  return options;
}

TEST(ConfigOptions, EveryOptionComesBackFromTheConfig) {
  const TrainOptions options = unusual_options();
  const std::string toml = options_to_toml(options);
  const TrainOptions back = options_from_toml(toml, "config.toml");
  EXPECT_EQ(options_to_toml(back), toml);
  const TrainOptions defaults;
  visit_options(back, [&](const OptionInfo& info, const auto& value) {
    visit_options(options, [&](const OptionInfo& other, const auto& expected) {
      if constexpr (std::is_same_v<decltype(value), decltype(expected)>) {
        if (other.name == info.name) {
          EXPECT_EQ(value, expected) << info.name;
        }
      }
    });
    visit_options(defaults, [&](const OptionInfo& other, const auto& standard) {
      if constexpr (std::is_same_v<decltype(value), decltype(standard)>) {
        if (other.name == info.name) {
          EXPECT_NE(value, standard) << info.name;
        }
      }
    });
  });
}

TEST(ConfigOptions, NamesAreUniqueAndDescribed) {
  std::set<std::string_view> names;
  const TrainOptions options;
  visit_options(options, [&](const OptionInfo& info, const auto&) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.sentence.empty()) << info.name;
    EXPECT_TRUE(contains(options_to_toml(options), std::string(info.sentence)));
  });
  EXPECT_NO_THROW(check_options(options));
}

TEST(ConfigOptions, WhatIsNotSaidKeepsTheGivenDefault) {
  TrainOptions defaults;
  defaults.dim = 64;
  const TrainOptions options = options_from_toml("lr = 0.5\n", "f", defaults);
  EXPECT_EQ(options.dim, 64);
  EXPECT_EQ(options.lr, 0.5);
}

TEST(ConfigOptions, WhatIsWrongIsRefusedWithFileAndLine) {
  const auto refusal = [](const std::string& text) {
    return refused([&] { options_from_toml(text, "my.toml"); });
  };
  EXPECT_EQ(refusal("dim = 8\n\nepoch = 3\n"),
            "my.toml:3: there is no option 'epoch'; `orrery train --help` lists them");
  EXPECT_EQ(refusal("dim = 8\ndim = 8\n"), "my.toml:2: 'dim' is given twice");
  EXPECT_TRUE(refusal("# x\ndim = many").starts_with("my.toml:2: "));
  EXPECT_TRUE(refusal("model = bsca").starts_with("my.toml:1: "));
  EXPECT_TRUE(refusal("model = \"bsca").starts_with("my.toml:1: "));
  EXPECT_TRUE(refusal("without = \"time_add\"").starts_with("my.toml:1: "));
  EXPECT_TRUE(refusal("seed = -1").starts_with("my.toml:1: "));
}

TEST(ConfigOptions, BoundsAreKept) {
  const auto refusal = [](auto change) {
    TrainOptions options;
    change(options);
    return refused([&] { check_options(options); });
  };
  EXPECT_EQ(refusal([](auto& o) { o.dim = 0; }), "--dim is 0, but must be from 1 to 1048576");
  EXPECT_TRUE(contains(refusal([](auto& o) { o.lr = 0.0 / 0.0; }), "--lr"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.lambda_n3 = 1.0 / 0.0; }), "--lambda-n3"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.dropout = 1; }), "--dropout"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.dropout_of = "row"; }), "component, lane"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.ema = -0.1; }), "--average"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.self_distillation = 0.95; }), "--teacher"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.self_distillation = 0.3; }), "--average"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.self_distillation_from = 0; }), "--teacher-from"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.epochs = -1; }), "--epochs"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.batch = 0; }), "--batch"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.exponent = 1; }), "--exponent"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.threads = 2000; }), "--threads"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.min_facts = 0; }), "--min-facts"));
  EXPECT_EQ(refusal([](auto& o) { o.precision = "fp16"; }),
            "--precision is 'fp16', but must be one of auto, fp32, tf32, bf16");
  EXPECT_TRUE(contains(refusal([](auto& o) { o.choices["attention"] = "both"; }),
                       "--attention is 'both', but must be one of split, none, real"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.choices["atention"] = "none"; }),
                       "no model has a choice 'atention'; there are attention, product"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.granularity = "hour"; }), "auto, day, week"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.memory = "much"; }), "much"));
  EXPECT_EQ(refusal([](auto& o) { o.patience = 2; }),
            "--patience needs validation: add --eval-every N");
}

TEST(ConfigOptions, DevicesAreNamedWhetherTheyAreThereOrNot) {
  const auto check = [](const std::string& device) {
    check_options(options_from_toml("device = \"" + device + "\"\n", "f"));
  };
  for (const auto* device : {"auto", "cpu", "cuda", "cuda:0", "cuda:17"})
    EXPECT_NO_THROW(check(device)) << device;
  for (const std::string device : {"bananas", "", "gpu", "CUDA", "cuda:", "cuda:-1", "cuda:1x",
                                   "cuda:99999999999", "cuda 1", "cpu:0", "auto "}) {
    EXPECT_EQ(refused([&] { check(device); }),
              "--device '" + device + "' is unknown; there are auto, cpu, cuda and cuda:N");
  }
}

// Configs of runs from before there was a choice of device.
TEST(ConfigOptions, AConfigWithoutADeviceTakesWhatIsThere) {
  for (const std::string precision : {"fp32", "bf16"}) {
    const auto options = options_from_toml("dim = 8\nprecision = \"" + precision + "\"\n", "f");
    EXPECT_NO_THROW(check_options(options));
    EXPECT_EQ(options.precision, precision);
    EXPECT_EQ(options.device, "auto");
  }
}

// In the form they have always had, whoever has them now.
TEST(ConfigOptions, ChoicesOfModelsAreOptionsLikeOthers) {
  TrainOptions options;
  EXPECT_TRUE(contains(shaping_options_to_toml(options), "\nattention = \"\"\nproduct = \"\"\n"));
  options.choices = {{"attention", "real"}};
  const std::string toml = options_to_toml(options);
  EXPECT_TRUE(contains(toml, "\n# bsca: how its two views are weighed\nattention = \"real\"\n"));
  EXPECT_EQ(options_from_toml(toml, "f").choices.at("attention"), "real");
  EXPECT_EQ(options_from_toml("product = \"componentwise\"\n", "f").choices.at("product"),
            "componentwise");
  for (const ChoiceOption& choice : choice_options())
    for (const auto value : choice.values) {
      options.choices = {{std::string(choice.name), std::string(value)}};
      EXPECT_NO_THROW(check_options(options)) << choice.name << ' ' << value;
    }
}

TEST(ConfigOptions, AnEmptyChoiceIsAMissingOne) {
  TrainOptions missing, empty;
  empty.choices = {{"attention", ""}};
  EXPECT_EQ(options_to_toml(missing), options_to_toml(empty));
  EXPECT_NO_THROW(check_options(empty));
  overwrite_options(empty, missing, {"attention"});
  EXPECT_EQ(options_to_toml(missing), options_to_toml(empty));
}

TEST(ConfigOptions, OverwritingTakesTheNamedOnesOnly) {
  TrainOptions to, from;
  from.dim = 8;
  from.lr = 0.7;
  from.without = {"time_mul"};
  overwrite_options(to, from, {"dim", "without"});
  EXPECT_EQ(to.dim, 8);
  EXPECT_EQ(to.without, from.without);
  EXPECT_EQ(to.lr, TrainOptions().lr);
}

TEST(ConfigOptions, WhereAndHowFastARunGoesDoesNotShapeTheModel) {
  TrainOptions options, elsewhere;
  elsewhere.data = "other";
  elsewhere.device = "cuda:1";
  elsewhere.threads = 7;
  elsewhere.memory = "3G";
  EXPECT_EQ(shaping_options_to_toml(options), shaping_options_to_toml(elsewhere));
  elsewhere.seed = 2;
  EXPECT_NE(shaping_options_to_toml(options), shaping_options_to_toml(elsewhere));
  elsewhere.seed = options.seed;
  elsewhere.precision = "tf32";
  EXPECT_NE(shaping_options_to_toml(options), shaping_options_to_toml(elsewhere));
}

TEST(ConfigOptions, FilesThatAreNoneAreRefused) {
  const testing::ScratchDirectory scratch;
  const auto file = scratch.write("c.toml", "dim = 40\n");
  EXPECT_EQ(read_options(file).dim, 40);
  EXPECT_EQ(read_options(scratch.write("empty.toml", "")).dim, TrainOptions().dim);
  EXPECT_TRUE(contains(refused([&] { read_options(scratch.path()); }), scratch.path().string()));
  EXPECT_TRUE(contains(refused([&] { read_options(scratch.path() / "no"); }), "no"));
  const auto bad = scratch.write("bad.toml", "dim = 8\nsteps = 2\n");
  EXPECT_TRUE(refused([&] { read_options(bad); }).starts_with(bad.string() + ":2: "));
}

TEST(ConfigOptions, RandomDamageIsReadOrRefused) {
  const std::string whole = options_to_toml(unusual_options());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char put : {'\0', '"', '\\', '\n', '=', '\xff'}) {
      std::string damaged = whole;
      damaged[i] = put;
      try {
        options_from_toml(damaged, "f");
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::request);
      }
    }
  }
}

}  // namespace
}  // namespace orrery
