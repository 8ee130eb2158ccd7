// The texts of an Arrow column, where they lie.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "arrow_abi.h"

namespace orrery::python {

// A column of texts, in any of Arrow's three layouts.
bool holds_texts(std::string_view format);
// Whether row `i` of the array, without its offset, has a value.
bool has_value(const ArrowArray& array, std::int64_t i);
// Calls `add` for each row; a missing value has no data. Offsets that run backwards or out of a
// buffer are a ValueError.
void each_text(const ArrowArray& array, std::string_view format, const std::string& title,
               const std::function<void(std::string_view)>& add);

}  // namespace orrery::python
