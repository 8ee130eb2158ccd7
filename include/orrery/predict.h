// Asking a trained model.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace orrery {

// Leave empty what is asked for: exactly one of subject and object.
struct Question {
  std::string subject;
  std::string relation;
  std::string object;
  std::string time;  // a date; one the model has no row for takes the nearest
};

struct Answer {
  std::string name;
  double score = 0;
  double probability = 0;  // softmax over all entities; not calibrated
};

class Predictor {
 public:
  // `model`: a run directory or a model.safetensors file. `device`, as in TrainOptions, is the CPU
  // unless you have many questions: a few are not worth a GPU's start-up.
  // `verify`: compares the file's checksums first; without, damage may go unnoticed.
  explicit Predictor(const std::filesystem::path& model, int threads = 0,
                     const std::string& device = "cpu", bool verify = true);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  // The `top` best answers, best first. Unknown names are Errors that suggest near ones.
  std::vector<Answer> predict(const Question& question, std::size_t top = 10);
  // The time row a date falls on, as the model names it.
  std::string time_label(const std::string& time) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
