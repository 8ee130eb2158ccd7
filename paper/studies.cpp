#include "paper/studies.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"

namespace orrery {
namespace {

constexpr OwnOption of_efficiency[] = {peer_option};
constexpr OwnOption of_geometry[] = {run_option, relation_option, time_option};
constexpr OwnOption of_patterns[] = {run_option};

constexpr Study the_studies[] = {
    {"results", "the main table: the paper's setting and our best configuration, all sets",
     results_study},
    {"ablation", "a part of BSCA left out at a time, four sets", ablation_study},
    {"sensitivity", "the two weights and the dimension varied", sensitivity_study},
    {"curves", "loss and validation MRR over 300 epochs", curves_study},
    {"attention", "relations and entities with attention and without", attention_study},
    {"efficiency", "parameters, time and memory of seven models", efficiency_study, of_efficiency},
    {"geometry", "the transform of a relation at a time, and symmetry", geometry_study,
     of_geometry},
    {"patterns", "symmetric, inverse and evolving relations", patterns_study, of_patterns},
};

}  // namespace

bool Study::takes(const OwnOption& option) const {
  return std::ranges::find(own_options, option.name, &OwnOption::name) != own_options.end();
}

std::span<const Study> all_studies() { return the_studies; }

const Study& study_named(std::string_view name) {
  const auto found = std::ranges::find(the_studies, name, &Study::name);
  if (found != std::end(the_studies)) return *found;
  std::vector<std::string_view> names;
  for (const Study& study : the_studies) names.push_back(study.name);
  fail_request(About{.advice = fmt::format("there are {}", fmt::join(names, ", "))},
               "there is no study '{}'", name);
}

}  // namespace orrery
