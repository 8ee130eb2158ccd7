// The words of a request that is refused.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "base/caught.h"

namespace orrery {

// The message of the Error, not a broken one, that `ask` ends with; anything else fails the test.
std::string refusal(const auto& ask) {
  const Error error = caught(ask);
  EXPECT_NE(error.kind(), Error::Kind::broken) << error.what();
  return error.what();
}

}  // namespace orrery
