#include "orrery/processes.h"

#include <fmt/format.h>

#include "base/agreement.h"
#include "base/carried_communicator.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/mpi_communicator.h"
#include "base/processes.h"

namespace orrery {

ProcessRank process_rank() {
  const Launched launched = launched_here();
  return {launched.rank, launched.size};
}

struct TrainTogether::Carried {
  explicit Carried(Carrier& carrier) : processes(carrier) {}
  CarriedCommunicator processes;
};

TrainTogether::TrainTogether() { set_current_processes(launched_processes()); }
TrainTogether::TrainTogether(Carrier& carrier) {
  if (carrier.size() <= 1) return;
  carried_ = std::make_unique<Carried>(carrier);
  set_current_processes(&carried_->processes);
}
TrainTogether::~TrainTogether() { set_current_processes(nullptr); }

TrainTogether::Ending TrainTogether::end(const std::string& failure) {
  if (!carried_) return {};
  CarriedCommunicator& processes = carried_->processes;
  try {
    if (!processes.farewell(failure)) return {.must_end_others = true, .failure = failure};
  } catch (const Error& lost) {
    return {.must_end_others = true, .failure = lost.what()};
  }
  const auto [rank, text] = processes.first_failure();
  if (text.empty()) return {};
  return {.failure = fmt::format("{}: {}", name_of_rank(rank, processes.size()), text)};
}

bool decided_together(bool decision) {
  Communicator* processes = current_processes();
  return processes != nullptr ? processes->decided_by_leader(decision) : decision;
}

std::string last_words(const std::string& failure) { return last_words_of_launched(failure); }
void end_together(int code) { end_launched(code); }

}  // namespace orrery
