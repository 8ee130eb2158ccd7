// What `orrery reproduce` was asked for.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "orrery/options.h"
#include "paper/reproduce.h"

namespace orrery {

struct ReproduceCall {
  ReproduceOptions options;
  OptionChanges typed;
  std::string what, out, format = "md", root = ".";
  std::vector<std::string> files;
  bool json = false;
};

void print_file(const std::filesystem::path& path);

// Train, write and print a study, or all of them one after the other.
void run_study(const CLI::App& verb, ReproduceCall call);
void run_all(const CLI::App& verb, ReproduceCall call);

}  // namespace orrery
