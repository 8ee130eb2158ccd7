#include "http/batcher.h"

#include <algorithm>
#include <exception>

#include "base/error.h"
#include "http/problem.h"

namespace orrery {

bool asked_alike(const PredictOptions& a, const PredictOptions& b) {
  return a.known == b.known && a.seen_only == b.seen_only && a.untrained == b.untrained &&
         a.only == b.only && a.without == b.without;
}

Batcher::Batcher(Model model, const Limits& limits, std::function<void(std::size_t)> on_batch)
    : model_(std::move(model)), limits_(limits), on_batch_(std::move(on_batch)) {}

std::vector<Outcome> Batcher::ask(std::span<const Question> questions,
                                  const PredictOptions& options) {
  if (questions.empty()) return {};
  Waiting mine{questions, options};
  mine.outcomes.resize(questions.size());
  std::unique_lock lock(mutex_);
  if (waiting_ > 0 && waiting_ + questions.size() > limits_.waiting)
    throw Problem{429, "too many questions are waiting for this model", "",
                  "try again in a second"};
  queue_.push_back(&mine);
  waiting_ += questions.size();
  if (led_) await_turn(lock, mine);
  if (mine.state == Waiting::done) return std::move(mine.outcomes);

  led_ = true;
  const std::vector<Waiting*> batch = take_batch();
  lock.unlock();
  ask_together(batch);
  lock.lock();
  for (Waiting* one : batch) {
    one->state = Waiting::done;
    if (one != &mine) one->changed.notify_one();
  }
  led_ = !queue_.empty();
  if (led_) {
    queue_.front()->state = Waiting::leads;
    queue_.front()->changed.notify_one();
  }
  return std::move(mine.outcomes);
}

// Until somebody has asked for us, or hands us the lead.
void Batcher::await_turn(std::unique_lock<std::mutex>& lock, Waiting& mine) {
  const auto is_over = [&] { return mine.state == Waiting::done || mine.state == Waiting::leads; };
  if (mine.changed.wait_for(lock, limits_.turn, is_over)) return;
  if (mine.state == Waiting::asked) {  // it is in a call, which cannot be left
    mine.changed.wait(lock, is_over);
    return;
  }
  std::erase(queue_, &mine);
  waiting_ -= mine.questions.size();
  throw Problem{503, "the model was busy for too long", "", "try again later"};
}

// From the front, where the leader itself is.
std::vector<Batcher::Waiting*> Batcher::take_batch() {
  std::vector<Waiting*> batch;
  std::size_t questions = 0;
  while (!queue_.empty() &&
         (batch.empty() || questions + queue_.front()->questions.size() <= limits_.together)) {
    Waiting* const next = queue_.front();
    queue_.pop_front();
    next->state = Waiting::asked;
    questions += next->questions.size();
    batch.push_back(next);
  }
  waiting_ -= questions;
  return batch;
}

void Batcher::ask_together(std::span<Waiting* const> batch) const {
  std::vector<Waiting*> rest(batch.begin(), batch.end());
  while (!rest.empty()) {
    const PredictOptions& first = rest.front()->options;
    const auto others = std::partition(rest.begin(), rest.end(), [&](const Waiting* one) {
      return asked_alike(one->options, first);
    });
    ask_alike(std::span(rest.begin(), others));
    rest.erase(rest.begin(), others);
  }
}

void Batcher::ask_alike(std::span<Waiting* const> alike) const {
  std::vector<Question> questions;
  std::vector<Outcome*> outcomes;
  PredictOptions options = alike.front()->options;
  for (Waiting* one : alike) {
    options.top = std::max(options.top, one->options.top);
    questions.insert(questions.end(), one->questions.begin(), one->questions.end());
    for (Outcome& outcome : one->outcomes) outcomes.push_back(&outcome);
  }
  on_batch_(questions.size());
  try {
    ask_or_halve(questions, options, outcomes);
  } catch (const std::exception&) {
    for (Outcome* outcome : outcomes)
      if (!outcome->error && outcome->answers.asked.empty())
        outcome->error = Error(Error::Kind::broken, "out of memory");
  }
  for (Waiting* one : alike)
    for (Outcome& outcome : one->outcomes)
      if (outcome.answers.best.size() > one->options.top)
        outcome.answers.best.resize(one->options.top);
}

// A wrong question is found before anything is computed, so halving costs little, and only the
// wrong ones have no answer.
void Batcher::ask_or_halve(std::span<const Question> questions, const PredictOptions& options,
                           std::span<Outcome*> outcomes) const {
  try {
    std::vector<Answers> answers = model_.predict(questions, options);
    for (std::size_t i = 0; i < answers.size(); ++i) outcomes[i]->answers = std::move(answers[i]);
  } catch (const Error& error) {
    if (questions.size() == 1) {
      outcomes.front()->error = error;
      return;
    }
    const std::size_t half = questions.size() / 2;
    ask_or_halve(questions.first(half), options, outcomes.first(half));
    ask_or_halve(questions.subspan(half), options, outcomes.subspan(half));
  }
}

}  // namespace orrery
