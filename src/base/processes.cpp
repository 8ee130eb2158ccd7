#include "base/processes.h"

#include <sched.h>

#include <algorithm>
#include <string>

#include "base/launcher.h"

namespace orrery {
namespace {

thread_local Communicator* processes_of_thread = nullptr;

// The cores that this process may use, as a text of bits.
std::string own_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return "all";
  std::string cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) cores += CPU_ISSET(core, &set) ? '1' : '0';
  return cores;
}

int count_equal(Communicator& processes, const std::string& own) {
  return static_cast<int>(std::ranges::count(processes.texts(own), own));
}

}  // namespace

Communicator* current_processes() { return processes_of_thread; }
void set_current_processes(Communicator* processes) { processes_of_thread = processes; }

int sharers_of_cores(Communicator& processes) {
  return count_equal(processes, name_of_machine() + own_cores());
}

int sharers_of_machine(Communicator& processes) {
  return count_equal(processes, name_of_machine());
}

int rank_on_machine(Communicator& processes) {
  const std::string own = name_of_machine();
  const std::vector<std::string> all = processes.texts(own);
  return static_cast<int>(std::count(all.begin(), all.begin() + processes.rank(), own));
}

}  // namespace orrery
