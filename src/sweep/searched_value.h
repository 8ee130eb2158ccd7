// Values of options as a search has them: texts, as people type them.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "orrery/options.h"

namespace orrery {

inline bool is_whole(const OptionInfo& option) {
  return std::holds_alternative<std::int64_t>(option.default_value) ||
         std::holds_alternative<std::uint64_t>(option.default_value);
}
inline bool is_real(const OptionInfo& option) {
  return std::holds_alternative<double>(option.default_value);
}
inline bool is_number(const OptionInfo& option) { return is_whole(option) || is_real(option); }
inline bool is_list(const OptionInfo& option) {
  return std::holds_alternative<std::vector<std::string>>(option.default_value);
}
// In files its values are texts in quotes.
inline bool is_quoted(const OptionInfo& option) {
  return is_list(option) || std::holds_alternative<std::string>(option.default_value);
}

// Sets it alone among the defaults of a sweep and checks its bounds; gives its usual spelling.
std::string checked_value(std::string_view name, const std::string& text);

}  // namespace orrery
