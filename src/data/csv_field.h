// A field of a CSV file, quoted by RFC 4180 where it must be.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Quoted wherever a reader might take a sign for its own: separators, quotes, spaces at the ends.
void append_csv_field(std::string& text, std::string_view field);

}  // namespace orrery
