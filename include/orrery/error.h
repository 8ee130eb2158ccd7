// The one exception type that leaves the library. It is data: a front end (command line, Python, a
// server) words it for its users.
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
    request,  // the input or the request is wrong, and the user can mend it (exit code 1)
    model,    // the same, of one model alone: it diverged, or needs more memory than there is
    broken,   // something on our side or below us failed (exit code 2)
  };

  // In `message` and in the advice an option may be marked (option_mark), so that each front end
  // can spell it.
  Error(Kind kind, std::string message, ErrorDetails details = {});

  Kind kind() const { return kind_; }
  const std::string& option() const { return details_.option; }
  const Place& place() const { return details_.place; }
  // What happened, without the place and the advice.
  std::string message(OptionStyle style = OptionStyle::flag) const;
  std::string advice(OptionStyle style = OptionStyle::flag) const;
  // "file:line: message; advice". what() is this in the words of the command line.
  std::string text(OptionStyle style) const;

  // The same error, told by someone who knows more: where it is, whose option is to blame, what was
  // being done ("trial 3: …"), or what else to do. What is known already stays.
  Error at(Place place) const;
  Error of_option(std::string option) const;
  Error while_at(const std::string& work) const;
  Error with_advice(const std::string& advice) const;

 private:
  Kind kind_;
  std::string message_;
  ErrorDetails details_;
};

// The name of an option inside a message.
std::string option_mark(const std::string& name);

}  // namespace orrery
