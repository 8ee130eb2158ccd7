#include "facts/file_kind.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/paths.h"
#include "facts/byte_source.h"
#include "facts/foreign_kind.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

struct Named {
  std::string_view name;
  FileKind kind;
};

constexpr std::array endings = {
    Named{".txt", FileKind::table},     Named{".tsv", FileKind::table},
    Named{".csv", FileKind::table},     Named{".json", FileKind::json},
    Named{".jsonl", FileKind::json},    Named{".ndjson", FileKind::json},
    Named{".nq", FileKind::nquads},     Named{".nt", FileKind::nquads},
    Named{".ttl", FileKind::turtle},    Named{".trig", FileKind::trig},
    Named{".db", FileKind::sqlite},     Named{".sqlite", FileKind::sqlite},
    Named{".sqlite3", FileKind::sqlite}};

constexpr std::array formats = {
    Named{"table", FileKind::table},   Named{"csv", FileKind::table},
    Named{"tsv", FileKind::table},     Named{"json", FileKind::json},
    Named{"nquads", FileKind::nquads}, Named{"turtle", FileKind::turtle},
    Named{"trig", FileKind::trig},     Named{"wikidata", FileKind::wikidata},
    Named{"sqlite", FileKind::sqlite}};

std::string small(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

template <class List>
std::optional<FileKind> kind_named(const List& list, std::string_view name) {
  for (const Named& known : list) {
    if (known.name == name) return known.kind;
  }
  return std::nullopt;
}

std::string_view without_leading_space(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string_view::npos ? std::string_view() : text.substr(begin);
}

bool is_wikidata(std::string_view head) {
  const auto has = [&](std::string_view part) { return head.find(part) != std::string_view::npos; };
  return has("\"claims\"") && (has("\"type\":\"item\"") || has("\"type\": \"item\""));
}

// For files whose ending says nothing.
FileKind kind_by_content(std::string_view head) {
  const std::string_view text = without_leading_space(head);
  const bool list = text.starts_with('[') && without_leading_space(text.substr(1)).starts_with('{');
  if (list || text.starts_with('{')) return FileKind::json;
  if (text.starts_with("@prefix") || text.starts_with("PREFIX ") || text.starts_with("@base"))
    return FileKind::trig;  // which Turtle is a part of
  if (text.starts_with("<http") || text.starts_with("<urn:") || text.starts_with("_:"))
    return FileKind::nquads;
  return FileKind::table;
}

}  // namespace

std::string_view name_of(FileKind kind) {
  static constexpr std::array<std::string_view, 8> names = {
      "a table", "JSON",
      "N-Quads", "Turtle",
      "TriG",    "entities of Wikidata as JSON",
      "SQLite",  "a table in memory"};
  return names.at(static_cast<std::size_t>(kind));
}

FactsSource facts_source(const fs::path& path) {
  const std::string text = path.string();
  const std::size_t mark = text.find('?');
  std::error_code unknown;
  if (mark == std::string::npos || fs::exists(path, unknown)) return {path, ""};
  return {text.substr(0, mark), text.substr(mark + 1)};
}

bool source_exists(const fs::path& path) {
  return path == "-" || path_exists(facts_source(path).file);
}

FileKind file_kind(const fs::path& path, std::string_view head, std::string_view format) {
  if (format != "auto") {
    if (const auto kind = kind_named(formats, format)) return *kind;
    std::string known = "auto";
    for (const Named& each : formats) known += fmt::format(", {}", each.name);
    fail_request(About{.option = "format", .advice = fmt::format("there are {}", known)},
                 "$format '{}' is unknown", format);
  }
  if (is_sqlite(head)) return FileKind::sqlite;
  refuse_foreign(path, head);
  const std::string ending = facts_file_name(path).ending;
  const auto kind = kind_named(endings, ending);
  if (kind == FileKind::sqlite && !head.empty())
    fail_request(
        About{.place = {name_of_source(path)}, .advice = worded("say with $format what it is")},
        "is not a SQLite file, though it ends in {}", ending);
  const bool telling = kind && ending != ".txt";
  const FileKind found = telling ? *kind : kind_by_content(head);
  return found == FileKind::json && is_wikidata(head) ? FileKind::wikidata : found;
}

void refuse_foreign(const fs::path& path, std::string_view head) {
  const std::string name = name_of_source(path);
  if (const auto foreign = foreign_kind(head, name))
    fail_request(About{.place = {name}, .advice = foreign->way_out}, "is {}, which is not read",
                 foreign->what);
}

FactsFileName facts_file_name(const fs::path& path) {
  fs::path name = facts_source(path).file.filename();
  const std::string packed = small(name.extension().string());
  if (packed == ".gz" || packed == ".zst") name = name.stem();
  const std::string ending = small(name.extension().string());
  if (!kind_named(endings, ending)) return {name.string(), ""};
  return {name.stem().string(), ending};
}

}  // namespace orrery
