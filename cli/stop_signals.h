// Ctrl-C, SIGTERM and a hang-up ask a run to stop and to save. They are answered at once, by a
// thread of their own: the others may be deep in a step, or hold signals while oneDNN multiplies.
#pragma once

namespace orrery {

// From now on; to be called before other threads are started. Calling it again changes nothing.
void listen_for_stop_signals();

int stop_signal();                                    // the first that came; 0: none did
inline int stopped() { return 128 + stop_signal(); }  // the exit code of it, as shells say it

}  // namespace orrery
