#include "sweep/searched_value.h"

#include "orrery/compare.h"
#include "orrery/models.h"

namespace orrery {

std::string checked_value(std::string_view name, const std::string& text) {
  TrainOptions options = comparison_defaults();
  set_option(options, name, text);
  check_values(options);
  if (name == "model") dim_unit(options);  // refuses what there is not
  return option_text(options, name);
}

}  // namespace orrery
