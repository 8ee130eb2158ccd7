// How much room a text takes on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace orrery {

// Columns: two for wide characters of East Asia and for emoji, none for marks that join the
// character before them, one for all others.
std::size_t columns_of(std::string_view text);

// The text itself where it fits, else its beginning and "…".
std::string fitted_text(std::string_view text, std::size_t columns);

}  // namespace orrery
