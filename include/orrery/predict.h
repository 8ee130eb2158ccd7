// Questions to a trained model, and its answers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

// Leave empty what is asked for: exactly one of subject and object.
struct Question {
  std::string subject = {};
  std::string relation = {};
  std::string object = {};
  std::string time = {};  // a date; one the model has no embedding for takes the nearest
};

struct PredictOptions {
  std::size_t top = 10;  // answers to each question
};

struct Answer {
  std::string name;
  double score = 0;
  double probability = 0;  // softmax over all entities; not calibrated
};

// The best first; equal scores in the order of names.
struct Answers {
  std::string asked;  // "subject" or "object"
  std::string time;   // the model's name of the time that it was asked for; empty: none was given
  std::string note;   // what the date is not: inside the model's times, as fine as they are
  std::vector<Answer> best;

  std::size_t size() const { return best.size(); }
  const Answer& operator[](std::size_t i) const { return best[i]; }
  auto begin() const { return best.begin(); }
  auto end() const { return best.end(); }
};

}  // namespace orrery
