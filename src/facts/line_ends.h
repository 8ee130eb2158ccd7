// Lines that end in CR alone, as old Macs wrote them.
#pragma once

#include <memory>

#include "facts/byte_source.h"

namespace orrery {

// The same text; where its beginning has CR and no LF, every CR is an LF.
std::unique_ptr<HeadBytes> with_line_feeds(std::unique_ptr<HeadBytes> text);

}  // namespace orrery
