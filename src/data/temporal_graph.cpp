#include "data/temporal_graph.h"

#include "base/error.h"

namespace orrery {

std::string_view name_of(Split split) {
  switch (split) {
    case Split::train:
      return "train";
    case Split::valid:
      return "valid";
    default:
      return "test";
  }
}

Split split_named(std::string_view name) {
  for (const Split split : all_splits)
    if (name_of(split) == name) return split;
  fail_request(About{.option = "split", .advice = "there are train, valid and test"},
               "there is no split '{}'", name);
}

}  // namespace orrery
