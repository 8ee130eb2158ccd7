// Questions to a trained model, and its answers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery {

// Exactly one of subject and object is left empty: that one is predicted.
struct Question {
  std::string subject = {};
  std::string relation = {};
  std::string object = {};
  std::string time = {};  // a date; one without an embedding uses the nearest time
};

struct PredictOptions {
  std::size_t top = 10;  // answers per question
};

struct Answer {
  std::string name;
  double score = 0;
  double probability = 0;  // softmax over all entities; not calibrated
};

// Best score first; equal scores by name.
struct Answers {
  std::string asked;  // "subject" or "object"
  std::string time;   // name of the time that was used; empty: none was given
  std::string note;   // set where the date is outside the model's times, or coarser than they are
  std::vector<Answer> best;

  std::size_t size() const { return best.size(); }
  const Answer& operator[](std::size_t i) const { return best[i]; }
  auto begin() const { return best.begin(); }
  auto end() const { return best.end(); }
};

}  // namespace orrery
