// orrery data get NAME
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "data/catalogue.h"
#include "data/fetch.h"
#include "verbs.h"

namespace orrery {
namespace {

// On a terminal one line that rewrites itself; elsewhere one line a file.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (terminal_ && !file_.empty()) fmt::print(stderr, "\n");
  }

  void operator()(const FetchProgress& progress) {
    const bool next_file = file_ != progress.file;
    if (!terminal_ && next_file) fmt::print(stderr, "{}\n", progress.file);
    if (terminal_) {
      if (next_file && !file_.empty()) fmt::print(stderr, "\n");
      constexpr double megabyte = 1e6;
      const double done = static_cast<double>(progress.done) / megabyte;
      const double total = static_cast<double>(progress.total) / megabyte;
      fmt::print(stderr, "\r{}  {:.1f}{} MB", progress.file, done,
                 progress.total > 0 ? fmt::format(" of {:.1f}", total) : "");
      std::fflush(stderr);
    }
    if (next_file) file_ = progress.file;
  }

 private:
  bool terminal_ = isatty(STDERR_FILENO) == 1;
  std::string file_;
};

void print_json(const Benchmark& set, const std::string& directory,
                const std::vector<FetchedFile>& files) {
  auto list = nlohmann::json::array();
  for (const FetchedFile& file : files) {
    list.push_back({{"name", file.name},
                    {"facts", file.facts},
                    {"bytes", file.bytes},
                    {"sha256", file.sha256},
                    {"was_there", file.was_there}});
  }
  const nlohmann::json report = {{"set", set.name},
                                 {"directory", directory},
                                 {"licence", set.licence},
                                 {"files", std::move(list)}};
  fmt::print("{}\n", report.dump(2));
}

void print_table(const std::string& directory, const std::vector<FetchedFile>& files) {
  for (const FetchedFile& file : files) {
    fmt::print("{}/{}  {} facts, {} bytes, sha256 {}{}\n", directory, file.name, file.facts,
               file.bytes, file.sha256, file.was_there ? " (was there)" : "");
  }
}

}  // namespace

void add_data_get(CLI::App& data) {
  CLI::App* verb = data.add_subcommand("get", "Fetch a benchmark set and check every byte of it");
  CLI::Option* name = verb->add_option("NAME", "The set, as `orrery data list` calls it");
  name->required();
  CLI::Option* from = verb->add_option(
      "--from", "A mirror (http://…, https://…) or a directory that holds the files");
  CLI::Option* to = verb->add_option("--to", "The directory to write [NAME]");
  CLI::Option* json = verb->add_flag("--json")->description("Print JSON");
  verb->callback([=] {
    const Benchmark& set = benchmark_named(name->as<std::string>());
    const std::string directory = *to ? to->as<std::string>() : set.name;
    FetchOptions options;
    if (*from) options.from = from->as<std::string>();
    fmt::print(stderr, "{}: {}\n", set.name, set.licence);
    const auto files = [&] {
      ProgressLine progress;  // ends its line before the report is printed
      return fetch_benchmark(set, directory, options, std::ref(progress));
    }();
    *json ? print_json(set, directory, files) : print_table(directory, files);
  });
}

}  // namespace orrery
