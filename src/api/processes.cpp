#include "orrery/processes.h"

#include <algorithm>
#include <string>
#include <vector>

#include "api/shared_training.h"
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

namespace {

void refuse_nested() {
  if (current_processes() != nullptr)
    fail_request("a shared training is in another one; end that first");
}

// What all processes say at this call, by rank; who is at another is refused.
std::vector<std::string> heard(Communicator& processes, const std::string& call,
                               const std::string& text) {
  std::vector<std::string> all = processes.texts(call + text);
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (!all[rank].starts_with(call))
      fail_request(About{.advice = "make the same calls in all processes"},
                   "{} is at another call ({})",
                   name_of_rank(static_cast<int>(rank), processes.size()), all[rank]);
    all[rank].erase(0, call.size());
  }
  return all;
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
  return processes != nullptr ? heard(*processes, "hear of the leader ", text).front() : text;
}

bool any_together(bool own) {
  Communicator* processes = current_processes();
  if (processes == nullptr) return own;
  const auto all = heard(*processes, "ask each other ", own ? "yes" : "no");
  return std::ranges::find(all, "yes") != all.end();
}

std::string last_words(const std::string& failure) { return last_words_of_launched(failure); }
void end_together(int code) { end_launched(code); }

}  // namespace orrery
