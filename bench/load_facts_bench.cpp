// How fast facts files load on one core, and with how much memory: files of GDELT's and of ICEWS's
// shape are written to a temporary directory and loaded, beside a plain pass that counts lines.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "data/filter_index.h"
#include "data/load.h"
#include "facts/byte_source.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct Shape {
  const char* name;
  std::uint32_t entities, relations, days;
  std::size_t entity_bytes, relation_bytes;
  bool csv = false;  // with the relations in quotes
};

constexpr std::uint64_t lines = 3'400'000;
constexpr Shape shapes[] = {{"gdelt-like", 500, 20, 366, 12, 4},
                            {"icews-like", 10'488, 251, 4'017, 22, 32},
                            {"icews-like CSV", 10'488, 251, 4'017, 22, 32, true}};

std::vector<std::string> names_of(std::uint32_t count, std::size_t bytes, const char* stem) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string name = fmt::format("{} {}", stem, i);
    // Real names differ in length: from half of the mean to half as much again.
    const std::size_t length = bytes / 2 + random_below(1, i, static_cast<std::uint32_t>(bytes));
    while (name.size() < length) name += " of";
    names.push_back(name);
  }
  return names;
}

void write_file(const Shape& shape, const fs::path& path) {
  const auto entities = names_of(shape.entities, shape.entity_bytes, "Entity");
  const auto relations = names_of(shape.relations, shape.relation_bytes, "r");
  std::ofstream out(path, std::ios::binary);
  std::string block;
  for (std::uint64_t i = 0; i < lines; ++i) {
    const auto draw = [i](std::uint64_t key, std::uint32_t bound) {
      return random_below(key, i, bound);
    };
    const std::string& subject = entities[draw(2, shape.entities)];
    const std::string& relation = relations[draw(3, shape.relations)];
    const std::string& object = entities[draw(4, shape.entities)];
    const std::string date = label(12'784 + draw(5, shape.days), Granularity::day);
    block += shape.csv ? fmt::format("{},\"{}\",{},{}\n", subject, relation, object, date)
                       : fmt::format("{}\t{}\t{}\t{}\n", subject, relation, object, date);
    if (block.size() < (std::size_t{1} << 20) && i + 1 < lines) continue;
    out.write(block.data(), static_cast<std::streamsize>(block.size()));
    block.clear();
  }
  if (!out.flush()) fail_broken("{}: cannot be written", path.string());
}

std::uint64_t count_lines(const fs::path& path) {
  const auto bytes = open_bytes(path);
  std::vector<char> block(std::size_t{4} << 20);
  std::uint64_t count = 0;
  while (const std::size_t got = bytes->read(block)) {
    const char* at = block.data();
    const char* end = at + got;
    while (const void* found = std::memchr(at, '\n', static_cast<std::size_t>(end - at))) {
      ++count;
      at = static_cast<const char*>(found) + 1;
    }
  }
  return count;
}

// Of one core: the work is single-threaded, and what else the machine does must not count.
template <class Work>
double core_seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e6;
}

void measure_loading(const Shape& shape, const fs::path& file) {
  constexpr int repeats = 3;
  double counting = 1e30, loading = 1e30;
  for (int i = 0; i < repeats; ++i) {
    std::uint64_t counted = 0;
    counting = std::min(counting, core_seconds([&] { counted = count_lines(file); }));
    TemporalGraph data;
    loading = std::min(loading, core_seconds([&] { data = load_facts(file.parent_path()); }));
    if (counted != lines || data.split(Split::train).size() != lines) {
      fail_broken("{}: {} lines were written, {} counted, {} loaded", file.string(), lines, counted,
                  data.split(Split::train).size());
    }
  }
  fmt::print("{}: {:.0f} MB, {:.2f} M facts/s on one core, {:.1f}x a line count, peak {:.0f} MB\n",
             shape.name, static_cast<double>(fs::file_size(file)) / 1e6,
             static_cast<double>(lines) / loading / 1e6, loading / counting, peak_megabytes());
}

void measure_filter(const Shape& shape, const fs::path& file) {
  const TemporalGraph data = load_facts(file.parent_path());
  const double filtering = core_seconds([&] { const FilterIndex index(data); });
  fmt::print("{}: filter index of {:.1f} M questions in {:.2f} s, peak {:.0f} MB\n", shape.name,
             2 * static_cast<double>(lines) / 1e6, filtering, peak_megabytes());
}

int run() {
  std::string pattern = (fs::temp_directory_path() / "orrery-load-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail_broken("no temporary directory could be made");
  const fs::path directory = pattern;
  try {
    const auto file_of = [&](const Shape& shape) {
      return directory / shape.name / (shape.csv ? "train.csv" : "train.txt");
    };
    for (const Shape& shape : shapes) {
      fs::create_directories(directory / shape.name);
      write_file(shape, file_of(shape));
      measure_loading(shape, file_of(shape));
    }
    for (const Shape& shape : shapes) measure_filter(shape, file_of(shape));
  } catch (const Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    fs::remove_all(directory);
    return 2;
  }
  fs::remove_all(directory);
  return 0;
}

}  // namespace
}  // namespace orrery

int main() { return orrery::run(); }
