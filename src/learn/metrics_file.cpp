#include "learn/metrics_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/paths.h"
#include "page/json_fields.h"
#include "page/scores_json.h"

namespace orrery {
namespace {

struct Line {
  std::string text;
  EpochReport report;
};

std::optional<EpochReport> report_in(const std::string& line) {
  const auto json = nlohmann::json::parse(line, nullptr, false);
  // Earlier versions did not say all of it.
  const auto number_or_0 = [&](const char* name) {
    return json.contains(name) ? json_number(json, name) : 0.0;
  };
  try {
    EpochReport report;
    report.epoch = json_whole(json, "epoch", 1);
    report.seconds = json_number(json, "seconds");
    report.loss = number_or_0("loss");
    report.cross_entropy = number_or_0("cross_entropy");
    report.n3 = number_or_0("n3");
    report.time = number_or_0("time");
    report.auxiliary = number_or_0(json.contains("auxiliary") ? "auxiliary" : "sides");
    if (json.contains("examples_per_second") && !json["examples_per_second"].is_null())
      report.examples_per_second = json_number(json, "examples_per_second");
    if (json.contains("valid")) report.valid = json_scores(json["valid"]);
    if (json.contains("best")) report.best = json["best"] == true;
    return report;
  } catch (const Error&) {
    return {};
  }
}

struct EpochLines {
  std::map<std::int64_t, Line> epochs;
  std::int64_t damaged = 0;
};

EpochLines lines_of(const std::filesystem::path& file) {
  EpochLines metrics;
  require_regular_or_nothing(file);
  std::ifstream lines(file, std::ios::binary);
  for (std::string text; std::getline(lines, text);) {
    if (const auto report = report_in(text))
      metrics.epochs.insert_or_assign(report->epoch, Line{text, *report});
    else if (!lines.eof())  // else it was cut short, and its epoch is done again
      ++metrics.damaged;
  }
  return metrics;
}

[[noreturn]] void fail_writing(const std::filesystem::path& file, int reason) {
  fail_broken(About{.place = {file.string()}}, "cannot be written ({})", std::strerror(reason));
}

}  // namespace

std::string metrics_line(const EpochReport& r) {
  nlohmann::ordered_json json = {{"epoch", r.epoch},
                                 {"loss", r.loss},
                                 {"cross_entropy", r.cross_entropy},
                                 {"n3", r.n3},
                                 {"time", r.time},
                                 {"auxiliary", r.auxiliary},
                                 {"seconds", r.seconds},
                                 {"examples_per_second", r.examples_per_second}};
  if (r.valid) {
    json["valid"] = scores_to_json(*r.valid);
    json["best"] = r.best;
  }
  return json.dump() + '\n';
}

void append_to_metrics(const std::filesystem::path& file, const std::string& lines) {
  const int descriptor =
      ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) fail_writing(file, errno);
  struct stat before {};
  bool written = ::fstat(descriptor, &before) == 0;
  for (std::size_t at = 0; written && at < lines.size();) {
    const ssize_t count = ::write(descriptor, lines.data() + at, lines.size() - at);
    if (count < 0 && errno == EINTR) continue;
    written = count > 0;
    if (written) at += static_cast<std::size_t>(count);
  }
  const int reason = errno;
  // Where even this fails a reader passes the rest of a line over.
  if (!written && ::ftruncate(descriptor, before.st_size) != 0) errno = reason;
  ::close(descriptor);
  if (!written) fail_writing(file, reason);
}

void sync_metrics(const std::filesystem::path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // no epoch is over yet
  const bool synced = ::fsync(descriptor) == 0;
  const int reason = errno;
  ::close(descriptor);
  if (!synced && reason != EINVAL && reason != ENOTSUP) fail_writing(file, reason);
}

std::vector<EpochReport> read_metrics(const std::filesystem::path& file) {
  std::vector<EpochReport> reports;
  for (const auto& [epoch, line] : lines_of(file).epochs) reports.push_back(line.report);
  return reports;
}

std::int64_t keep_metrics_before(const std::filesystem::path& file, std::int64_t epoch) {
  const EpochLines metrics = lines_of(file);
  std::string kept;
  for (const auto& [number, line] : metrics.epochs)
    if (number < epoch) kept += line.text + '\n';
  write_file_atomically(file, kept);
  return metrics.damaged;
}

}  // namespace orrery
