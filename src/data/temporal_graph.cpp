#include "data/temporal_graph.h"

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

}  // namespace orrery
