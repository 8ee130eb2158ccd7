// Options of a run by their names, with values as people type them.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "orrery/train.h"

namespace orrery {

enum class ValueKind { none, text, texts, truth, whole, real };

// `none`: there is no such option.
ValueKind kind_of_option(std::string_view name);

// The value as on the command line: 0.1, split, true, time_add,relation_add.
void set_option(TrainOptions& options, std::string_view name, const std::string& text);
std::string option_text(const TrainOptions& options, std::string_view name);

// Sets it alone among the defaults of a sweep and checks its bounds; gives its usual spelling.
std::string checked_value(std::string_view name, const std::string& text);

// Carries out `work`; what it refuses is said to be so at `where`, once.
template <class Work>
auto at_place(const std::string& where, const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (where.empty() || std::string_view(error.what()).starts_with(where)) throw;
    throw Error(error.kind(), where + ": " + error.what());
  }
}

}  // namespace orrery
