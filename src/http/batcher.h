// Questions of requests that wait at the same time, asked in one call of the model.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "orrery/error.h"
#include "orrery/model.h"

namespace orrery {

// What became of a question: its answers, or why there are none.
struct Outcome {
  Answers answers = {};
  std::optional<Error> error = {};
};

// True where questions can be asked in one call: more answers than were wanted can be cut, but
// everything else must be the same.
bool asked_alike(const PredictOptions& a, const PredictOptions& b);

// There is no thread of its own: who comes first asks for all who wait by then, and hands this on
// to the next. So a lone request asks at once, and none waits for more than the call before its
// own.
class Batcher {
 public:
  using Clock = std::chrono::steady_clock;
  struct Limits {
    std::size_t waiting = 4096;  // questions
    std::size_t together = 512;  // questions in one call
    std::chrono::milliseconds turn{30'000};
  };
  // `on_batch` is told how many questions were asked in a call.
  Batcher(Model model, const Limits& limits, std::function<void(std::size_t)> on_batch);

  // In the order of the questions. Too many who wait already, and a turn that does not come in
  // time, are a Problem of status 429 and 503.
  std::vector<Outcome> ask(std::span<const Question> questions, const PredictOptions& options);

 private:
  struct Waiting {
    std::span<const Question> questions;
    const PredictOptions& options;
    std::vector<Outcome> outcomes = {};
    enum { queued, leads, asked, done } state = queued;
    std::condition_variable changed = {};
  };

  void await_turn(std::unique_lock<std::mutex>& lock, Waiting& mine);
  std::vector<Waiting*> take_batch();
  void ask_together(std::span<Waiting* const> batch) const;
  void ask_alike(std::span<Waiting* const> alike) const;
  void ask_or_halve(std::span<const Question> questions, const PredictOptions& options,
                    std::span<Outcome*> outcomes) const;

  Model model_;
  Limits limits_;
  std::function<void(std::size_t)> on_batch_;
  std::mutex mutex_;
  std::deque<Waiting*> queue_;
  std::size_t waiting_ = 0;  // questions in it
  bool led_ = false;         // somebody asks, and will hand on
};

}  // namespace orrery
