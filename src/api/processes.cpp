#include "orrery/processes.h"

#include "base/launcher.h"
#include "base/mpi_communicator.h"
#include "base/processes.h"

namespace orrery {

ProcessRank process_rank() {
  const Launched launched = launched_here();
  return {launched.rank, launched.size};
}

TrainTogether::TrainTogether() { set_current_processes(launched_processes()); }
TrainTogether::~TrainTogether() { set_current_processes(nullptr); }

std::string last_words(const std::string& failure) { return last_words_of_launched(failure); }
void end_together(int code) { end_launched(code); }

}  // namespace orrery
