// "Did you mean …?" for the words of a command line.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

namespace orrery {

// What to say of the first verb or option that `app` does not have; empty when it has them all.
std::optional<std::string> complain_of_unknown_word(CLI::App& app,
                                                    std::span<const char* const> words);

}  // namespace orrery
