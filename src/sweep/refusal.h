// Refusals of a sweep name the line of its file that asks for what cannot be.
#pragma once

#include <string>

#include "base/error.h"
#include "orrery/sweep.h"

namespace orrery {

// The line of an option; nowhere, where no file asks for it.
Place origin_of(const SweepOptions& options, const std::string& name);

// An error that blames an option of the sweep, and its line.
About blaming(const SweepOptions& options, const std::string& name, std::string advice = {});

// Carries out `work`; what it refuses is said with the line of the option to blame, or the file.
template <class Work>
decltype(auto) at_line(const SweepOptions& options, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    throw error.at(origin_of(options, error.option())).at(options.file);
  }
}

// The same of what is wrong with a trial.
template <class Work>
auto at_trial(const SweepOptions& options, const std::string& trial, const Work& work) {
  return at_line(options, [&] {
    try {
      return work();
    } catch (const Error& error) {
      throw error.while_at(trial);
    }
  });
}

}  // namespace orrery
