// Rows of comma-separated values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// In quotes where commas, quotes or line breaks ask for them.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

inline std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields)
    line += (&field == fields.data() ? "" : ",") + csv_field(field);
  return line + '\n';
}

}  // namespace orrery
