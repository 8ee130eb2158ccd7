// Text from files: is it well-formed UTF-8, and how to show it in a message.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Refuses overlong forms, surrogates and code points above U+10FFFF.
bool is_utf8(std::string_view text);

// In quotes, shortened, and with bytes that could spoil a terminal as \xNN.
std::string shown(std::string_view text);

}  // namespace orrery
