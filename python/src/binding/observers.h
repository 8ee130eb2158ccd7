// Observers of the engine that tell Python, and stop where Python wants it.
#pragma once

#include "waiting.h"

namespace orrery::python {

// Calls listener(what, report) with "start", "step", "epoch", "warning" and, by kind of work,
// "run", "trial", …; something true that it returns ends the work. None listens to nothing.
template <class Base>
class Listening : public Base {
 public:
  explicit Listening(nb::object listener) : listener_(std::move(listener)) {}

  void on_start(const RunStart& start) override {
    tell("start", [&] {
      nb::dict report;
      report["examples"] = start.examples;
      report["parameters"] = start.parameters;
      report["resumed_epoch"] = start.resumed_epoch;
      report["engine"] = start.engine;
      return report;
    });
  }
  // Steps can be a millisecond long: Python hears of some of them.
  void on_step(const StepReport& step) override {
    const auto now = std::chrono::steady_clock::now();
    if (now - told_ < std::chrono::milliseconds(100)) return;
    told_ = now;
    tell("step", [&] {
      nb::dict report;
      report["epoch"] = step.epoch;
      report["epochs"] = step.epochs;
      report["step"] = step.step;
      report["steps"] = step.steps;
      report["loss"] = step.loss;
      report["examples_per_second"] = step.examples_per_second;
      report["seconds_left"] = step.seconds_left;
      return report;
    });
  }
  void on_epoch(const EpochReport& epoch) override {
    tell("epoch", [&] { return dict_of(epoch); });
  }
  void on_warning(const std::string& warning) override {
    tell("warning", [&] {
      nb::dict report;
      report["sentence"] = warning;
      return report;
    });
  }
  bool stop_requested() override { return stop_ || interrupts_.pending(); }

  Interrupts& interrupts() { return interrupts_; }

 protected:
  // `report` makes a dictionary; it is called with the GIL.
  template <class Report>
  void tell(const char* what, const Report& report) {
    if (listener_.is_none() || interrupts_.raised()) return;
    stop_ = interrupts_.ask([&] { return listener_(what, report()); }) || stop_;
  }

 private:
  nb::object listener_;
  Interrupts interrupts_;
  std::chrono::steady_clock::time_point told_;
  bool stop_ = false;
};

// Carries out the work without the GIL.
template <class Work>
auto without_gil(const Work& work) {
  const nb::gil_scoped_release no_gil;
  return work();
}

}  // namespace orrery::python
