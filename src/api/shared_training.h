// What several processes must settle before they train together. With null there is one process.
#pragma once

#include <memory>

#include "api/training.h"
#include "base/communicator.h"
#include "orrery/options.h"

namespace orrery {

// Only the leader's observer is told of the training; any of them may stop it.
class ObserverOfProcess : public TrainObserver {
 public:
  ObserverOfProcess(const Communicator* processes, TrainObserver* observer)
      : asked_(observer != nullptr ? observer : &silent_),
        told_(processes == nullptr || processes->leads() ? asked_ : &silent_) {}

  void on_start(const RunStart& start) override { told_->on_start(start); }
  void on_step(const StepReport& step) override { told_->on_step(step); }
  void on_epoch(const EpochReport& epoch) override { told_->on_epoch(epoch); }
  void on_warning(const std::string& text) override { told_->on_warning(text); }
  bool stop_requested() override { return asked_->stop_requested(); }

 private:
  TrainObserver silent_;
  TrainObserver *asked_, *told_;
};

// Refuses, by rank, another call than the leader's.
void require_same_call(Communicator* processes, std::string_view call);
// And a version or options that decide the result other than the leader's.
void require_same_call(Communicator* processes, std::string_view call, const TrainOptions& options);
// The leader's options, to all. Refuses, by rank, another version than the leader's.
TrainOptions told_options(Communicator* processes, const TrainOptions& options);

// Refuses, by rank, other facts than the leader's.
void require_same_facts(Communicator* processes, const Dataset& data);
// What fails in one process fails in all. Refuses, by rank, another arithmetic than the leader's.
std::unique_ptr<Training> make_training(const Dataset& data, const TrainOptions& options,
                                        TrainObserver& observer, RunSaver* saver,
                                        Communicator* processes);

}  // namespace orrery
