// Which data a saved state goes on with.
#include <gtest/gtest.h>

#include "facts/scratch.h"
#include "learn/run_directory.h"
#include "learn/small_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

TEST(StateData, ClassesOfTimesCountWhereTheStateKnowsThem) {
  const testing::ScratchDirectory scratch;
  const testing::SmallModel model("bsca", true);
  const RunDirectory run(scratch.path());
  run.save_state(*model.engine, {}, "facts.classes", "");
  EXPECT_NO_THROW(run.load_state(*model.engine, "facts.classes"));
  EXPECT_TRUE(contains(refused([&] { run.load_state(*model.engine, "facts.others"); }),
                       "the data is not what the run was started with"));
  run.save_state(*model.engine, {}, "facts", "");  // as written before
  EXPECT_NO_THROW(run.load_state(*model.engine, "facts.classes"));
  EXPECT_TRUE(contains(refused([&] { run.load_state(*model.engine, "others.classes"); }),
                       "the data is not what the run was started with"));
}

}  // namespace
}  // namespace orrery
