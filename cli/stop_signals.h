// Ctrl-C, SIGTERM and a hang-up ask a run to stop and to save. They are answered at once, by a
// thread of their own: the others may be deep in a step, or hold signals while oneDNN multiplies.
#pragma once

#include <csignal>

#include "exit_codes.h"

namespace orrery {

// While one lives, signals ask what goes on to stop. Afterwards nothing is left to save, and they
// end the program as they end any. The first is to be made before other threads are started.
class Stoppable {
 public:
  Stoppable();
  ~Stoppable();
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;
};

int stop_signal();  // the first that came; 0: none did
// The exit code. A process that none has come to was stopped by another that trains with it.
inline int stopped() {
  return exit_codes::stopped_by(stop_signal() != 0 ? stop_signal() : SIGTERM);
}

}  // namespace orrery
