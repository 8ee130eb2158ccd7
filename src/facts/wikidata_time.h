// Wikidata's times as dates: a time stamp is cut to what its precision says is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace orrery {

// "+2006-05-01T00:00:00Z" of precision 11 is "2006-05-01", of 10 "2006-05", of 9 "2006", of 8
// "2000s". What is coarser (a century), and what is no time, is unknown: "####".
std::string wikidata_date(std::string_view time, std::int64_t precision);

}  // namespace orrery
