#include "base/error.h"

#include <gtest/gtest.h>

#include "base/caught.h"

namespace orrery {
namespace {

Error bad_dim() {
  return caught([] {
    fail_request(About{.option = "dim",
                       .place = {"a.toml", 7},
                       .advice = worded("take $dim {}, or another $lambda-n3", 8)},
                 "$dim is {}, and must be a multiple of {}", 7, 8);
  });
}

TEST(Error, HoldsItsPartsAsFields) {
  const Error error = bad_dim();
  EXPECT_EQ(error.kind(), Error::Kind::request);
  EXPECT_EQ(error.option(), "dim");
  EXPECT_EQ(error.place(), (Place{"a.toml", 7}));
  EXPECT_EQ(error.message(), "--dim is 7, and must be a multiple of 8");
  EXPECT_EQ(error.advice(), "take --dim 8, or another --lambda-n3");
}

TEST(Error, IsASentenceInTheWordsOfEachFrontEnd) {
  const Error error = bad_dim();
  EXPECT_STREQ(error.what(),
               "a.toml:7: --dim is 7, and must be a multiple of 8; take --dim 8, or another "
               "--lambda-n3");
  EXPECT_EQ(error.text(OptionStyle::keyword),
            "a.toml:7: dim is 7, and must be a multiple of 8; take dim 8, or another lambda_n3");
}

TEST(Error, TakesArgumentsAsTheyAre) {
  const Error error = caught([] { fail_broken("{}: cannot be read", "$dim/{}"); });
  EXPECT_STREQ(error.what(), "$dim/{}: cannot be read");
}

TEST(Error, IsToldFurtherWithWhatIsKnownOfIt) {
  const Error error = caught([] { fail_model("it diverged"); });
  EXPECT_STREQ(error.while_at("trial 3").at({"s.toml", 2}).what(),
               "s.toml:2: trial 3: it diverged");
  EXPECT_EQ(error.at({"s.toml", 2}).at({"other", 1}).place(), (Place{"s.toml", 2}));
  EXPECT_EQ(error.of_option("lr").of_option("dim").option(), "lr");
  EXPECT_EQ(error.while_at("x").kind(), Error::Kind::model);
  EXPECT_STREQ(error.with_advice("rest").with_advice("try again").what(),
               "it diverged; rest; try again");
}

}  // namespace
}  // namespace orrery
