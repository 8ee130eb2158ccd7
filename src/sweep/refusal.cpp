#include "sweep/refusal.h"

namespace orrery {

Place origin_of(const SweepOptions& options, const std::string& name) {
  const auto found = options.origins.find(name);
  return found == options.origins.end() ? Place() : found->second;
}

About blaming(const SweepOptions& options, const std::string& name, std::string advice) {
  return {.option = name, .place = origin_of(options, name), .advice = std::move(advice)};
}

}  // namespace orrery
