#include "engine/cuda/step_clock.h"

#include <algorithm>

namespace orrery::cuda {

void StepClock::begin_step(cudaStream_t stream) {
  if (!running_) return;
  ++steps_;
  mark("", stream);
}

void StepClock::mark(const char* part, cudaStream_t stream) {
  if (!running_) return;
  marks_.push_back({part, Event(true)});
  check(cudaEventRecord(marks_.back().event, stream), "timing a step");
}

std::vector<PartTime> StepClock::stop() {
  std::vector<PartTime> parts;
  running_ = false;
  if (marks_.empty()) return parts;
  check(cudaEventSynchronize(marks_.back().event), "timing a step");
  for (std::size_t i = 1; i < marks_.size(); ++i) {
    const std::string name = marks_[i].part;
    if (name.empty()) continue;
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, marks_[i - 1].event, marks_[i].event),
          "timing a step");
    auto part = std::ranges::find(parts, name, &PartTime::name);
    if (part == parts.end()) part = parts.insert(parts.end(), {name, 0});
    part->milliseconds += static_cast<double>(milliseconds) / steps_;
  }
  marks_.clear();
  steps_ = 0;
  return parts;
}

}  // namespace orrery::cuda
