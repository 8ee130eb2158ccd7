// Waiting by asking again and again.
#pragma once

#include <chrono>
#include <thread>

namespace orrery {

// Awake for a while, since most waits are short; then it leaves the core to others.
class Patience {
 public:
  // Whether it is time to look, ten times a second, if there is anything left to wait for.
  bool wait() {
    const auto now = Clock::now();
    if (now - began_ > std::chrono::milliseconds(2))
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    else if (now - began_ > std::chrono::microseconds(100))
      std::this_thread::yield();
    if (now - looked_ < std::chrono::milliseconds(100)) return false;
    looked_ = now;
    return true;
  }
  bool is_over(std::chrono::milliseconds limit) const { return Clock::now() - began_ > limit; }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point began_ = Clock::now(), looked_ = began_;
};

}  // namespace orrery
