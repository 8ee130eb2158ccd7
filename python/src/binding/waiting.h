// Work without the GIL that Python can still interrupt.
#pragma once

#include <chrono>
#include <optional>

#include "bindings.h"

namespace orrery::python {

// Asks, a few times a second, whether Python has a signal to deliver. Called without the GIL, from
// the thread that came from Python; what was raised is kept until rethrow().
class Interrupts {
 public:
  bool pending() {
    if (raised_) return true;
    const auto now = std::chrono::steady_clock::now();
    if (now - asked_ < std::chrono::milliseconds(50)) return false;
    asked_ = now;
    const nb::gil_scoped_acquire gil;
    if (PyErr_CheckSignals() != 0) raised_.emplace();
    return raised_.has_value();
  }
  // Calls Python code; what that raises ends the work. True: it returned something true.
  template <class Call>
  bool ask(const Call& call) {
    const nb::gil_scoped_acquire gil;
    try {
      const nb::object answer = call();
      const int truth = PyObject_IsTrue(answer.ptr());
      if (truth < 0) throw nb::python_error();
      return truth == 1;
    } catch (nb::python_error& error) {
      if (!raised_) raised_.emplace(std::move(error));
      return true;
    }
  }
  bool raised() const { return raised_.has_value(); }
  // With the GIL.
  void rethrow() {
    if (!raised_) return;
    nb::python_error error = std::move(*raised_);
    raised_.reset();
    throw error;
  }

 private:
  std::chrono::steady_clock::time_point asked_ = std::chrono::steady_clock::now();
  std::optional<nb::python_error> raised_;
};

}  // namespace orrery::python
