// The one exception type that leaves the library.
#pragma once

#include <stdexcept>
#include <string>

namespace orrery {

// `request`: the input or the request is wrong, and the user can mend it (exit code 1).
// `model`: the same, of one model alone: it diverged, or needs more memory than there is.
// `broken`: something on our side or below us failed (exit code 2).
class Error : public std::runtime_error {
 public:
  enum class Kind { request, model, broken };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace orrery
