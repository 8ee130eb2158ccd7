// How the program ends, as `orrery --help` and the README say it.
#pragma once

namespace orrery::exit_codes {

inline constexpr int done = 0;
inline constexpr int wrong_request = 1;       // or wrong input
inline constexpr int nothing_came_of_it = 1;  // all runs failed
inline constexpr int found_damaged = 1;
inline constexpr int something_broke = 2;

constexpr int stopped_by(int signal) { return 128 + signal; }  // as shells say it

}  // namespace orrery::exit_codes
