// How fast facts files load on one core, and with how much memory: the same facts as TSV, CSV and
// JSON lines, in turns, beside a plain pass that counts lines; then the filter index.
#include <fmt/format.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "data/filter_index.h"
#include "data/load.h"
#include "facts/byte_source.h"
#include "facts/formats.h"
#include "measure.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct Shape {
  std::uint32_t entities, relations, days;
  std::size_t entity_bytes, relation_bytes;
};
constexpr Shape gdelt = {500, 20, 366, 12, 4};
constexpr Shape icews = {10'488, 251, 4'017, 22, 32};

enum class Form { tsv, csv, quoted_csv, json_lines };

struct Case {
  const char* name;
  Shape shape;
  Form form;
};

constexpr std::uint64_t lines = 3'400'000;
constexpr Case cases[] = {{"TSV", icews, Form::tsv},
                          {"TSV, gdelt-like", gdelt, Form::tsv},
                          {"CSV", icews, Form::csv},
                          {"CSV, all in quotes", icews, Form::quoted_csv},
                          {"JSON lines", icews, Form::json_lines}};

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

std::string line_of(Form form, std::uint64_t id, std::string_view subject,
                    std::string_view relation, std::string_view object, std::string_view date) {
  switch (form) {
    case Form::tsv:
      return fmt::format("{}\t{}\t{}\t{}\n", subject, relation, object, date);
    case Form::csv:
      return fmt::format("{},{},{},{}\n", subject, relation, object, date);
    case Form::quoted_csv:
      return fmt::format("\"{}\",\"{}\",\"{}\",\"{}\"\n", subject, relation, object, date);
    case Form::json_lines:
      break;
  }
  return fmt::format(
      "{{\"id\": {}, \"subject\": \"{}\", \"predicate\": \"{}\", \"object\": \"{}\", \"date\": "
      "\"{}\"}}\n",
      id, subject, relation, object, date);
}

fs::path file_of(const Case& one, const fs::path& directory) {
  constexpr std::string_view endings[] = {".tsv", ".csv", ".csv", ".jsonl"};
  return directory / one.name / fmt::format("train{}", endings[static_cast<int>(one.form)]);
}

void write_file(const Case& one, const fs::path& path) {
  const Shape& shape = one.shape;
  const auto entities = names_of(shape.entities, shape.entity_bytes, "Entity");
  const auto relations = names_of(shape.relations, shape.relation_bytes, "r");
  fs::create_directories(path.parent_path());
  const std::ofstream test(path.parent_path() / "test.tsv");  // train alone would be cut
  std::ofstream out(path, std::ios::binary);
  std::string block;
  for (std::uint64_t i = 0; i < lines; ++i) {
    const auto draw = [i](std::uint64_t key, std::uint32_t bound) {
      return random_below(key, i, bound);
    };
    block += line_of(one.form, i, entities[draw(2, shape.entities)],
                     relations[draw(3, shape.relations)], entities[draw(4, shape.entities)],
                     label(12'784 + draw(5, shape.days), Granularity::day));
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

// A line of /proc/self/status, in bytes.
double status_bytes(std::string_view title) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(title)) return 1024 * std::strtod(line.c_str() + title.size(), nullptr);
  }
  return 0;
}

// How far `work` makes the memory of this process grow at most, beyond what stands before it.
template <class Work>
double peak_growth(const Work& work) {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << 5;  // the peak begins anew
  const double before = status_bytes("VmRSS:");
  work();
  return status_bytes("VmHWM:") - before;
}

void load(const fs::path& file) {
  const TemporalGraph data = load_facts(file.parent_path());
  if (data.split(Split::train).size() != lines)
    fail_broken("{}: {} lines were written, {} loaded", file.string(), lines,
                data.split(Split::train).size());
}

void measure_loading(std::span<const Case> shown, const fs::path& directory, int turns) {
  const auto count = [file = file_of(shown[0], directory)] {
    if (count_lines(file) != lines) fail_broken("{}: lines are missing", file.string());
  };
  std::vector<Part> parts = {{"counting the lines of TSV", count, {}, {}}};
  for (const Case& one : shown)
    parts.push_back({one.name, [file = file_of(one, directory)] { load(file); }, {}, {}});
  take_turns(parts, turns);
  fmt::print("Loading {:.1f} M facts, by the time of the core (median of {} turns)\n", lines / 1e6,
             turns);
  fmt::print("  {:<26}{:>12}{:>14}{:>8}{:>14}{:>14}\n", "", "bytes a fact", "M facts/s", "÷ TSV",
             "÷ line count", "memory a fact");
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const Part& part = parts[i + 1];
    const fs::path file = file_of(shown[i], directory);
    const double memory = peak_growth([&file] { load(file); });
    constexpr auto by_core = &Part::core_milliseconds;
    fmt::print("  {:<26}{:>12.0f}{:>14.2f}{:>8.2f}{:>14.1f}{:>12.0f} B\n", shown[i].name,
               static_cast<double>(fs::file_size(file)) / lines,
               lines / median(part.core_milliseconds) / 1e3,
               ratio_of(part, std::span(parts).subspan(1, 1), by_core),
               ratio_of(part, std::span(parts).first(1), by_core), memory / lines);
  }
}

void measure_filter(const Case& one, const fs::path& directory) {
  const TemporalGraph data = load_facts(file_of(one, directory).parent_path());
  std::vector<Part> parts = {{"", [&data] { const FilterIndex index(data); }, {}, {}}};
  const double memory = peak_growth(parts[0].run);
  take_turns(parts, 1);
  fmt::print("Filter index of {}: {:.1f} M questions in {:.2f} s, {:.0f} bytes a question\n",
             one.name, 2 * lines / 1e6, median(parts[0].core_milliseconds) / 1e3,
             memory / (2 * lines));
}

int run(int turns) {
  std::string pattern = (fs::temp_directory_path() / "orrery-load-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail_broken("no temporary directory could be made");
  const fs::path directory = pattern;
  try {
    const std::span<const Case> shown =
        std::span(cases).first(std::size(cases) - (reads_json() ? 0 : 1));
    for (const Case& one : shown) write_file(one, file_of(one, directory));
    measure_loading(shown, directory, turns);
    for (const Case& one : shown.first(2)) measure_filter(one, directory);
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

int main(int count, char** words) {
  return orrery::run(orrery::repetition_in(count, words, 3).turns);
}
