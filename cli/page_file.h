// Pages that a person asks for by --html FILE.
#pragma once

#include <string>
#include <string_view>

namespace orrery {

// Replaces an older page, and nothing else: what is there and no HTML page is refused.
void write_html_page(const std::string& file, std::string_view page);

}  // namespace orrery
