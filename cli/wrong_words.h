// What can be said of a wrong command line better than by the one who reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>

namespace orrery {

// "Did you mean …?": what to say of the first verb or option that `app` does not have; empty when
// it has them all.
std::optional<std::string> complain_of_unknown_word(CLI::App& app,
                                                    std::span<const char* const> words);

// The same of an option with one value that has two.
std::optional<std::string> complain_of_repeated_option(CLI::App& app,
                                                       std::span<const char* const> words);

}  // namespace orrery
