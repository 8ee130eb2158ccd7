// The one exception type that leaves the library. It holds its parts as data, so that a front
// end (command line, Python, a server) can format them for its users.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace orrery {

// How a front end spells the options that a message names.
enum class OptionStyle {
  flag,     // --lambda-n3
  keyword,  // lambda_n3
};

struct Place {
  std::string file;        // empty: nowhere in particular
  std::uint64_t line = 0;  // from 1; 0: the file as a whole

  // Not an aggregate: GCC 12 warns falsely of one inside another.
  Place() = default;
  Place(std::string in_file, std::uint64_t at_line = 0) : file(std::move(in_file)), line(at_line) {}

  friend bool operator==(const Place&, const Place&) = default;
};

struct ErrorDetails {
  std::string option = {};  // the option to blame, as in config files: "lambda-n3"
  Place place = {};
  std::string advice = {};  // what to do about it
};

class Error : public std::runtime_error {
 public:
  enum class Kind {
    request,  // the input or the request is wrong, and the user can correct it (exit code 1)
    model,    // a request that fails for one model only: it diverged, or does not fit into memory
    broken,   // a bug, or a failure of the system (exit code 2)
  };

  // Options named in `message` and in the advice are marked by option_mark(), so that each front
  // end can spell them its own way.
  Error(Kind kind, std::string message, ErrorDetails details = {});

  Kind kind() const { return kind_; }
  const std::string& option() const { return details_.option; }
  const Place& place() const { return details_.place; }
  // What happened, without the place and the advice.
  std::string message(OptionStyle style = OptionStyle::flag) const;
  std::string advice(OptionStyle style = OptionStyle::flag) const;
  // "file:line: message; advice". what() is this with options as flags.
  std::string text(OptionStyle style) const;

  // Copies with added context: the place, the option, the work that failed ("trial 3: …"), advice.
  // A place or an option that is already set is kept.
  Error at(Place place) const;
  Error of_option(std::string option) const;
  Error while_at(const std::string& work) const;
  Error with_advice(const std::string& advice) const;

 private:
  Kind kind_;
  std::string message_;
  ErrorDetails details_;
};

// Marks the name of an option inside a message.
std::string option_mark(const std::string& name);

}  // namespace orrery
