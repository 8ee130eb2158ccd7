#include "models/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "base/caught.h"

namespace orrery {
namespace {

TEST(Registry, CountsThePapersParameters) {
  const ModelVariant bsca = find_variant("bsca", {});
  const ModelShape icews14{7128, 460, 365, 4000};
  EXPECT_EQ(parameter_count(tables_of(bsca, icews14, {})), 38'412'000);
}

TEST(Registry, PicksVariantsByTheirOptions) {
  EXPECT_EQ(find_variant("bsca", {}).choice("attention"), "split");
  EXPECT_EQ(find_variant("bsca", {}).choice("product"), "hamilton");
  const ModelVariant other =
      find_variant("bsca", {{"attention", "none"}, {"product", "componentwise"}});
  EXPECT_EQ(other.choice("attention"), "none");
  EXPECT_EQ(other.choice("product"), "componentwise");
  EXPECT_EQ(find_variant("tntcomplex", {}).algebra_size, 2);
}

struct NoChoice {};
struct OneChoice {
  static constexpr std::array choices = {Choice{"attention", "none"}};
};
struct ThreeChoices {
  static constexpr std::array choices = {Choice{"attention", "none"}, Choice{"product", "hamilton"},
                                         Choice{"answer", "plain"}};
};

TEST(Registry, AModelDeclaresAnyNumberOfChoices) {
  EXPECT_TRUE(choices_of<NoChoice>().empty());
  ASSERT_EQ(choices_of<OneChoice>().size(), 1U);
  EXPECT_EQ(choices_of<OneChoice>()[0].value, "none");
  ASSERT_EQ(choices_of<ThreeChoices>().size(), 3U);
  EXPECT_EQ(choices_of<ThreeChoices>()[2].option, "answer");
  EXPECT_EQ(find_variant("bsca", {}).choices.size(), 2U);
  EXPECT_TRUE(find_variant("complex", {}).choices.empty());
  EXPECT_EQ(find_variant("complex", {}).choice("attention"), "");
}

// A model that was not thought of, beside those there are.
TEST(Registry, ChoicesBecomeOptionsOfThemselves) {
  static constexpr std::array first = {Choice{"attention", "none"}, Choice{"answer", "plain"}};
  static constexpr std::array second = {Choice{"attention", "none"}, Choice{"answer", "fused"}};
  static constexpr std::array other = {Choice{"answer", "fused", "how answers are made"}};
  std::array<ModelVariant, 4> variants;
  variants[0].name = variants[1].name = "new";
  variants[0].choices = first;
  variants[1].choices = second;
  variants[2].name = "plain";
  variants[3].name = "other";
  variants[3].choices = other;
  const auto options = choice_options_of(variants);
  ASSERT_EQ(options.size(), 2U);
  EXPECT_EQ(options[0].name, "attention");
  EXPECT_EQ(options[0].sentence, "new: attention, one of none");
  EXPECT_EQ(options[1].name, "answer");
  EXPECT_EQ(options[1].values, (std::vector<std::string_view>{"plain", "fused"}));
  EXPECT_EQ(options[1].sentence, "new: answer, one of plain, fused; other: how answers are made");
}

TEST(Registry, TheOptionsAreThoseOfTheList) {
  const auto options = choice_options();
  ASSERT_GE(options.size(), 2U);
  EXPECT_EQ(options[0].name, "attention");
  EXPECT_TRUE(options[0].sentence.starts_with("bsca: how its two views are weighed"));
  for (const ModelVariant& variant : all_variants())
    for (const Choice& choice : variant.choices) {
      const auto option = std::ranges::find(options, choice.option, &ChoiceOption::name);
      ASSERT_NE(option, options.end());
      EXPECT_EQ(std::ranges::count(option->values, choice.value), 1);
    }
}

// The Error blames `option`, and says `words`.
void expect_refusal(const auto& call, const std::string& option, const std::string& words) {
  const Error error = caught(call);
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.option(), option) << error.what();
  EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
}

TEST(Registry, SaysWhatThereIsWhenAskedForWhatThereIsNot) {
  expect_refusal([] { find_variant("bscb", {}); }, "model", "bsca, complex");
  expect_refusal(
      [] {
        find_variant("bsca", {{"attention", "loud"}});
      },
      "attention", "no attention 'loud'; there are modulus, none, product, real, split");
  expect_refusal(
      [] {
        find_variant("complex", {{"attention", "none"}});
      },
      "attention", "no option --attention");
  const ModelShape shape{7, 6, 5, 24};
  const std::vector<std::string> entity = {"entity"};
  expect_refusal([&] { tables_of(find_variant("bsca", {}), shape, entity); }, "without",
                 "relation_add, time_mul, time_add, time_joint");
  const ModelShape odd{7, 6, 5, 20};
  expect_refusal([&] { tables_of(find_variant("bsca", {}), odd, {}); }, "dim", "multiple of 8");
}

TEST(Registry, LeavesOutWhatIsSwitchedOff) {
  const ModelShape shape{7, 6, 5, 24};
  const std::vector<std::string> without = {"time_add", "relation_add"};
  const auto tables = tables_of(find_variant("bsca", {}), shape, without);
  std::vector<std::string_view> names;
  for (const auto& table : tables) names.push_back(table.name);
  EXPECT_EQ(names, (std::vector<std::string_view>{"entity", "relation_mul", "attention", "time_mul",
                                                  "time_joint"}));
  for (const auto& table : tables_of(find_variant("bsca", {{"attention", "none"}}), shape, {}))
    EXPECT_NE(table.name, "attention");
}

}  // namespace
}  // namespace orrery
