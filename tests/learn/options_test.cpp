#include "learn/options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <type_traits>

#include "base/caught.h"
#include "facts/scratch.h"
#include "models/registry.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

// Every option away from its default, and awkward to write down.
TrainOptions unusual_options() {
  TrainOptions options;
  int n = 0;
  for (const OptionInfo& info : option_table()) {
    ++n;
    OptionValue value = info.default_value;
    std::visit(
        [&]<class Value>(Value& v) {
          if constexpr (std::is_same_v<Value, std::string>)
            v = info.values.empty() ? "a \"b\"\\\n#" + std::to_string(n) : info.values.back();
          else if constexpr (std::is_same_v<Value, bool>)
            v = true;
          else if constexpr (std::is_same_v<Value, std::vector<std::string>>)
            v = {"time_add", "x, \"y\""};
          else if constexpr (std::is_same_v<Value, double>)
            v = 0.1 * n / 3;
          else
            v = static_cast<Value>(~std::uint64_t{0} >> 1) - static_cast<Value>(n);
        },
        value);
    set_option(options, info.name, value);
  }
  return options;
}

TEST(ConfigOptions, EveryOptionComesBackFromTheConfig) {
  const TrainOptions options = unusual_options();
  const std::string toml = config_text(options);
  const TrainOptions back = read_config_text(toml, "config.toml");
  EXPECT_EQ(config_text(back), toml);
  for (const OptionInfo& info : option_table()) {
    EXPECT_EQ(option_value(back, info.name), option_value(options, info.name)) << info.name;
    EXPECT_NE(option_value(back, info.name), info.default_value) << info.name;
  }
}

TEST(ConfigOptions, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  const TrainOptions options;
  for (const OptionInfo& info : option_table()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    for (const std::string& former : info.formerly)
      EXPECT_TRUE(names.insert(former).second) << former;
    EXPECT_FALSE(info.sentence.empty()) << info.name;
    EXPECT_TRUE(contains(config_text(options), info.sentence));
    EXPECT_EQ(option_value(options, info.name), info.default_value) << info.name;
  }
  EXPECT_NO_THROW(check_options(options));
}

TEST(ConfigOptions, TheSeedIsOneOfReadingWhereItDecidesTheSplit) {
  TrainOptions one, other;
  other.seed = 7;
  EXPECT_EQ(data_options(one), data_options(other));
  set_options(one, {{"split", "80/10/10"}, {"min-facts", "5"}});
  set_options(other, {{"split", "80/10/10"}, {"min-facts", "5"}});
  EXPECT_EQ(one.reading.min_facts, 5);
  EXPECT_EQ(data_options(other).seed, 7U);
  EXPECT_LT(data_options(one), data_options(other));
  set_option(one, "split-by", "time");
  set_option(other, "split-by", "time");
  EXPECT_EQ(data_options(one), data_options(other));
}

TEST(ConfigOptions, TextsAreReadAsTheCommandLineWritesThem) {
  TrainOptions options;
  for (const OptionInfo& info : option_table()) {
    set_option(options, info.name, option_text(info.default_value));
    EXPECT_EQ(option_value(options, info.name), info.default_value) << info.name;
  }
  set_options(options, {{"lambda_n3", "0.5"}, {"without", "a,b"}, {"skip-bad", "true"}});
  EXPECT_EQ(options.lambda_n3, 0.5);
  EXPECT_EQ(options.without, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(options.reading.skip_bad);
  const auto blamed = [&](const std::string& name, const std::string& text) {
    return caught([&] { set_option(options, name, text); }).option();
  };
  EXPECT_EQ(blamed("dim", "many"), "dim");
  EXPECT_EQ(blamed("dim", "8.5"), "dim");
  EXPECT_EQ(blamed("seed", "-1"), "seed");
  EXPECT_EQ(blamed("lr", ""), "lr");
  EXPECT_EQ(blamed("skip-bad", "yes"), "skip-bad");
  EXPECT_EQ(caught([&] { option_named("lambda-n"); }).advice(), "did you mean 'lambda-n3'?");
}

TEST(ConfigOptions, FormerNamesAreRead) {
  const auto options = read_config_text("teacher = 0.25\naverage = 0.5\nwarmup = 3\n", "f");
  EXPECT_EQ(options.self_distillation, 0.25);
  EXPECT_EQ(options.ema, 0.5);
  EXPECT_EQ(options.algebra_warmup, 3);
  EXPECT_FALSE(contains(config_text(options), "teacher"));
  EXPECT_TRUE(contains(refused([] { read_config_text("ema = 0\naverage = 0.5\n", "f"); }),
                       "f:2: 'average' is given twice"));
}

TEST(ConfigOptions, WhatIsNotSaidKeepsTheGivenDefault) {
  TrainOptions defaults;
  defaults.dim = 64;
  const TrainOptions options = read_config_text("lr = 0.5\n", "f", defaults);
  EXPECT_EQ(options.dim, 64);
  EXPECT_EQ(options.lr, 0.5);
  EXPECT_EQ(options.optimizer, "adagrad") << "which a config from before the option means";
}

TEST(ConfigOptions, WhatIsWrongIsRefusedWithFileAndLine) {
  const auto refusal = [](const std::string& text) {
    return refused([&] { read_config_text(text, "my.toml"); });
  };
  EXPECT_EQ(refusal("dim = 8\n\nepoch = 3\n"),
            "my.toml:3: there is no option 'epoch'; did you mean 'epochs'?");
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
  EXPECT_EQ(refusal([](auto& o) { o.optimizer = "sgd"; }),
            "--optimizer is 'sgd', but must be one of adagrad, adam");
  EXPECT_TRUE(contains(refusal([](auto& o) { o.lambda_n3 = 1.0 / 0.0; }), "--lambda-n3"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.dropout = 1; }), "--dropout"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.dropout_of = "row"; }), "component, lane"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.ema = -0.1; }), "--ema"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) { o.self_distillation = 0.95; }), "--self-distillation"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.self_distillation = 0.3; }), "--ema"));
  EXPECT_TRUE(
      contains(refusal([](auto& o) { o.self_distillation_from = 0; }), "--self-distillation-from"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.epochs = -1; }), "--epochs"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.batch = 0; }), "--batch"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.exponent = 1; }), "--exponent"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.threads = 2000; }), "--threads"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.reading.min_facts = 0; }), "--min-facts"));
  EXPECT_EQ(refusal([](auto& o) { o.precision = "fp16"; }),
            "--precision is 'fp16', but must be one of auto, fp32, tf32, bf16");
  EXPECT_TRUE(contains(refusal([](auto& o) { o.choices["attention"] = "both"; }),
                       "--attention is 'both', but must be one of split, none, real"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.choices["atention"] = "none"; }),
                       "no model has a choice 'atention'; there are attention, product"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.reading.granularity = "century"; }),
                       "auto, second, minute"));
  EXPECT_TRUE(contains(refusal([](auto& o) { o.memory = "much"; }), "much"));
  EXPECT_EQ(refusal([](auto& o) { o.patience = 2; }),
            "--patience needs validation; add --eval-every N");
}

TEST(ConfigOptions, DevicesAreNamedWhetherTheyAreThereOrNot) {
  const auto check = [](const std::string& device) {
    check_options(read_config_text("device = \"" + device + "\"\n", "f"));
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
    const auto options = read_config_text("dim = 8\nprecision = \"" + precision + "\"\n", "f");
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
  const std::string toml = config_text(options);
  EXPECT_TRUE(contains(toml, "\n# bsca: how its two views are weighed\nattention = \"real\"\n"));
  EXPECT_EQ(read_config_text(toml, "f").choices.at("attention"), "real");
  EXPECT_EQ(read_config_text("product = \"componentwise\"\n", "f").choices.at("product"),
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
  EXPECT_EQ(config_text(missing), config_text(empty));
  EXPECT_NO_THROW(check_options(empty));
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
  EXPECT_EQ(read_config(file).dim, 40);
  EXPECT_EQ(read_config(scratch.write("empty.toml", "")).dim, TrainOptions().dim);
  EXPECT_TRUE(contains(refused([&] { read_config(scratch.path()); }), scratch.path().string()));
  EXPECT_TRUE(contains(refused([&] { read_config(scratch.path() / "no"); }), "no"));
  const auto bad = scratch.write("bad.toml", "dim = 8\nsteps = 2\n");
  EXPECT_TRUE(refused([&] { read_config(bad); }).starts_with(bad.string() + ":2: "));
}

TEST(ConfigOptions, RandomDamageIsReadOrRefused) {
  const std::string whole = config_text(unusual_options());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (const char put : {'\0', '"', '\\', '\n', '=', '\xff'}) {
      std::string damaged = whole;
      damaged[i] = put;
      try {
        read_config_text(damaged, "f");
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::request);
      }
    }
  }
}

TEST(Options, RecordsFromBeforeReadIntervalsByTheirEnds) {
  EXPECT_EQ(TrainOptions().reading.intervals, "auto");
  EXPECT_EQ(read_recorded_options("dim = 8\n", "f").reading.intervals, "ends");
  EXPECT_EQ(read_recorded_options("intervals = \"within\"\n", "f").reading.intervals, "within");
  EXPECT_EQ(read_config_text("dim = 8\n", "f").reading.intervals, "auto");
}

}  // namespace
}  // namespace orrery
