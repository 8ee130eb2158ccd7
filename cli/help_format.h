// How help looks: sentences are wrapped beside their options, and examples are the last lines.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace orrery {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
};

// What a verb's help ends with.
void end_help(CLI::App& verb, const std::string& notes, const std::vector<std::string>& examples);

struct HelpEnd {
  std::string notes;
  std::vector<std::string> examples;
};
HelpEnd help_end(const CLI::App& verb);

}  // namespace orrery
