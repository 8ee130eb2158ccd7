// Marks the parts of a step with device events; does nothing until it is started.
#pragma once

#include <string>
#include <vector>

#include "engine/cuda/device.h"
#include "engine/cuda/profile.h"

namespace orrery::cuda {

class StepClock {
 public:
  void start() { running_ = true; }
  std::vector<PartTime> stop();  // waits for the device

  void begin_step(cudaStream_t stream);
  // Ends the part that began at the last mark.
  void mark(const char* part, cudaStream_t stream);

 private:
  struct Mark {
    const char* part;
    Event event;
  };
  bool running_ = false;
  int steps_ = 0;
  std::vector<Mark> marks_;
};

}  // namespace orrery::cuda
