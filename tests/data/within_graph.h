// Interval facts that hold within, as text lines.
#pragma once

#include <string>

#include "data/load.h"
#include "facts/scratch.h"

namespace orrery::testing {

// Lines "subject relation object start end", separated by TABs.
inline TemporalGraph within_graph(const std::string& train, const std::string& test = "",
                                  const std::string& valid = "") {
  const ScratchDirectory scratch;
  scratch.write("train.txt", train);
  if (!valid.empty()) scratch.write("valid.txt", valid);
  if (!test.empty()) scratch.write("test.txt", test);
  LoadOptions options;
  options.within = true;
  return load_facts(scratch.path(), options);
}

}  // namespace orrery::testing
