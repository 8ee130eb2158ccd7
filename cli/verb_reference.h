// The command line as data: completion, the man page and the reference page are made from it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace orrery {

struct OptionReference {
  std::vector<std::string> flags;   // "-h", "--help"; none: a positional
  std::string name;                 // of a positional
  std::string type;                 // "INT", "PATH", "a|b"; empty: it takes no value
  std::vector<std::string> values;  // that are known; empty: anything
  std::string default_value;        // its default; empty: none
  std::string sentence, group;
  bool required = false;

  bool positional() const { return flags.empty(); }
  bool takes_value() const { return !type.empty(); }
  bool takes_path() const { return type.ends_with("PATH"); }
};

struct VerbReference {
  std::vector<std::string> words;  // {"data", "check"}; of the program itself none
  std::string sentence, usage, notes;
  std::vector<std::string> examples;
  std::vector<OptionReference> options;  // in the order of the help
  std::vector<std::string> verbs;        // of which it is made

  std::string path() const;  // "data check"
};

// The program first, then its verbs in the order of the help, each before its own.
std::vector<VerbReference> reference_of(const CLI::App& program);

}  // namespace orrery
