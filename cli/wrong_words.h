// What can be said of a wrong command line better than by the one who reads it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

std::vector<std::string> verbs_of(const CLI::App& app);

// "there is no verb 'trian'; did you mean 'train'?"
std::string no_such_word(std::string_view what, std::string_view word,
                         const std::vector<std::string>& known);

// What to say of the first verb or option that `app` does not have: what it is called now, or what
// is spelt like it; empty when it has them all.
std::optional<std::string> complain_of_unknown_word(CLI::App& app,
                                                    std::span<const char* const> words);

// The same of an option with one value that has two.
std::optional<std::string> complain_of_repeated_option(CLI::App& app,
                                                       std::span<const char* const> words);

}  // namespace orrery
