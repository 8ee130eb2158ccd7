// The model is the average of the rows where one is kept.
#pragma once

#include "base/error.h"
#include "engine/engine.h"

namespace orrery {

// As long as it lives the engine's values are those of the model; then, whatever happened, the rows
// that are trained are in their place again.
class FinalValues {
 public:
  explicit FinalValues(Engine& engine) : engine_(engine) { engine_.swap_average(); }
  ~FinalValues() {
    try {
      engine_.swap_average();
    } catch (const Error&) {  // the device is gone, and its next use says so
    }
  }
  FinalValues(const FinalValues&) = delete;
  FinalValues& operator=(const FinalValues&) = delete;

 private:
  Engine& engine_;
};

}  // namespace orrery
