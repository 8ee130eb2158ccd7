// Text as people compare it by eye: case, accents and spelling of blanks make no difference.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Lower case without accents (Latin; of Greek and Cyrillic the case alone), '_' as ' ', and without
// the brackets of <Names_like_this>. Bytes that are no UTF-8 stay as they are.
std::string folded(std::string_view text);

}  // namespace orrery
