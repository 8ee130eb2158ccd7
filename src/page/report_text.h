// Text of any origin, names from files included, made fit for a page.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

std::string valid_utf8(std::string_view text);     // bytes that are no UTF-8 become U+FFFD
std::string html_text(std::string_view text);      // one line without markup, quotes included
std::string markdown_text(std::string_view text);  // one line without marks

// Paragraphs may hold `code` in backticks.
std::string html_paragraph(std::string_view text);
std::string markdown_paragraph(std::string_view text);

}  // namespace orrery
