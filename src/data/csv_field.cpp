#include "data/csv_field.h"

namespace orrery {

void append_csv_field(std::string& text, std::string_view field) {
  const bool plain = !field.empty() &&
                     field.find_first_of(",;|\t\"'\n\r#") == std::string_view::npos &&
                     field.front() != ' ' && field.back() != ' ';
  if (plain) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += c;
    text += c;
  }
  text += '"';
}

}  // namespace orrery
