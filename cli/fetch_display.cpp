#include "fetch_display.h"

#include <fmt/format.h>

#include <array>
#include <functional>

#include "orrery/benchmarks.h"

namespace orrery {

void FetchDisplay::operator()(const FetchProgress& progress) {
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

Dataset open_data(const std::string& source, const DataOptions& options) {
  FetchDisplay display;
  return Dataset::open(source, options, std::ref(display));
}

void fetch_named_set(const std::string& source) {
  if (names_benchmark(source)) open_data(source, {});
}

}  // namespace orrery
