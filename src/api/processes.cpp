#include "orrery/processes.h"

#include "api/shared_training.h"
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

namespace {

void refuse_nested() {
  if (current_processes() != nullptr)
    fail_request("a shared training is in another one; end that first");
}

}  // namespace

TrainTogether::TrainTogether() {
  refuse_nested();
  set_current_processes(launched_processes());
}
TrainTogether::TrainTogether(Carrier& carrier) {
  refuse_nested();
  if (carrier.size() <= 1) return;
  carried_ = std::make_unique<Carried>(carrier);
  set_current_processes(&carried_->processes);
}
TrainTogether::~TrainTogether() { set_current_processes(nullptr); }

TrainTogether::Ending TrainTogether::end(const std::string& failure) {
  if (!carried_) return {};
  CarriedCommunicator& processes = carried_->processes;
  if (!failure.empty()) return {!processes.farewell(failure), failure};
  try {
    require_same_call(&processes, "end the shared training");
  } catch (const Error& error) {
    if (!processes.must_end_others()) throw;
    return {true, error.what()};
  }
  return {};
}

std::string told_together(const std::string& text) {
  Communicator* processes = current_processes();
  return processes != nullptr ? processes->told_by_leader(text) : text;
}

std::string last_words(const std::string& failure) { return last_words_of_launched(failure); }
void end_together(int code) { end_launched(code); }

}  // namespace orrery
