// The Error that some work ends with, for its fields.
#pragma once

#include <gtest/gtest.h>

#include "orrery/error.h"

namespace orrery {

template <class Work>
Error caught(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "an Error was expected";
  return {Error::Kind::broken, ""};
}

}  // namespace orrery
