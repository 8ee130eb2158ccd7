// orrery data get NAME
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "fetch/catalogue.h"
#include "fetch/fetch.h"
#include "output.h"
#include "progress_line.h"
#include "verbs.h"

namespace orrery {
namespace {

// On a terminal one line a file that rewrites itself; elsewhere just the file's name.
class FetchDisplay {
 public:
  ~FetchDisplay() { line_.keep(); }

  void operator()(const FetchProgress& progress) {
    if (file_ != progress.file) {
      line_.keep();
      file_ = progress.file;
      if (!line_.rewrites()) to_stderr("{}\n", file_);
    }
    constexpr double megabyte = 1e6;
    const double done = static_cast<double>(progress.done) / megabyte;
    const double total = static_cast<double>(progress.total) / megabyte;
    line_.show(std::array{
        ProgressPart{file_ + "  ", 1},
        ProgressPart{fmt::format("{:.1f}", done), 0},
        ProgressPart{total > 0 ? fmt::format(" of {:.1f}", total) : "", 2},
        ProgressPart{" MB", 0},
    });
  }

 private:
  ProgressLine line_;
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
  to_stdout("{}\n", report.dump(2));
}

void print_table(const std::string& directory, const std::vector<FetchedFile>& files) {
  for (const FetchedFile& file : files) {
    to_stdout("{}/{}  {} facts, {} bytes, sha256 {}{}\n", directory, file.name, file.facts,
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
    to_stderr("{}: {}\n", set.name, set.licence);
    const auto files = [&] {
      FetchDisplay progress;  // ends its line before the report is printed
      return fetch_benchmark(set, directory, options, std::ref(progress));
    }();
    *json ? print_json(set, directory, files) : print_table(directory, files);
  });
}

}  // namespace orrery
