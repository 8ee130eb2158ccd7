// Parameters of models against those that their papers report for ICEWS14.
#include <gtest/gtest.h>

#include "base/error.h"
#include "models/registry.h"

namespace orrery {
namespace {

std::int64_t parameters_of(const char* model, std::int32_t dim) {
  const ModelShape icews14{7128, 460, 365, dim};
  return parameter_count(tables_of(find_variant(model, {}), icews14, {}));
}

TEST(Sizes, AreThoseOfThePapers) {
  EXPECT_EQ(parameters_of("telm", 4 * 2000), 63'632'000);   // 63.63 million
  EXPECT_EQ(parameters_of("teast", 2 * 2000), 33'272'000);  // 33.28 with a row it never reads
}

TEST(Sizes, OfACoreTensorAreBounded) {
  EXPECT_EQ(parameters_of("tuckertnt", 300), (7128 + 2 * 460 + 365 + 300 * 300) * 300);
  EXPECT_THROW(parameters_of("tuckertnt", 2000), Error);
  EXPECT_THROW(parameters_of("tuckertnt", 50'000), Error);
}

}  // namespace
}  // namespace orrery
