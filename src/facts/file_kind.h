// What kind of file the facts stand in: by its first bytes and its ending.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace orrery {

enum class FileKind { table, json, nquads, turtle, trig, wikidata, sqlite, memory };
std::string_view name_of(FileKind kind);  // "a table", "JSON", …

// Where facts come from: a file, "-" for standard input, or "facts.db?select …", a query to a
// database.
struct FactsSource {
  std::filesystem::path file;
  std::string query;
};
FactsSource facts_source(const std::filesystem::path& path);
// Of standard input it is taken for granted.
bool source_exists(const std::filesystem::path& path);

// `format`: "auto", or what the user says it is. `head`: the first bytes, decompressed and
// converted. Kinds that are not read (Parquet, xlsx, PDF, …) are request Errors that name the kind
// and the way out.
FileKind file_kind(const std::filesystem::path& path, std::string_view head,
                   std::string_view format = "auto");
// The same of files that are no text, before they are taken for one.
void refuse_foreign(const std::filesystem::path& path, std::string_view head);
inline constexpr std::string_view sqlite_mark{"SQLite format 3\0", 16};
inline bool is_sqlite(std::string_view head) { return head.starts_with(sqlite_mark); }

// The file name without .gz/.zst and then without the ending of a kind that is read, in any case.
struct FactsFileName {
  std::string stem;
  std::string ending;  // ".csv", in small letters; empty: none that is known
};
FactsFileName facts_file_name(const std::filesystem::path& path);

}  // namespace orrery
