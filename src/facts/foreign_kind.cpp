#include "facts/foreign_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "facts/encoding.h"

namespace orrery {
namespace {

using namespace std::string_view_literals;

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// A name may begin with "PAR1"; no text has such bytes after it.
bool is_binary(std::string_view head) {
  return std::any_of(head.begin(), head.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
  });
}

std::string by_duckdb(std::string_view what, const std::string& name) {
  return fmt::format("convert it: duckdb -c \"copy (from {}'{}') to 'facts.csv'\"", what, name);
}

ForeignKind zip_of(std::string_view head, const std::string& name) {
  const std::string save = "open it and save the sheet as CSV (UTF-8)";
  if (has(head, "opendocument.spreadsheet")) return {"an OpenDocument spreadsheet (ods)", save};
  if (has(head, "xl/") || has(head, "[Content_Types].xml"))
    return {has(head, "word/") ? "a Word document" : "an Excel workbook (xlsx)", save};
  return {"a zip archive", fmt::format("unpack it: unzip {}", in_shell(name))};
}

std::optional<ForeignKind> binary_kind(std::string_view head, const std::string& name) {
  const auto starts = [&](std::string_view mark) { return head.starts_with(mark); };
  const std::string file = in_shell(name);
  if (starts("PAR1") && is_binary(head.substr(0, 64)))
    return ForeignKind{"a Parquet file", by_duckdb("", name)};
  if (starts("PK\x03\x04") || starts("PK\x05\x06")) return zip_of(head, name);
  if (starts("\xD0\xCF\x11\xE0"))
    return ForeignKind{"an old Excel workbook (xls)", "open it and save the sheet as CSV (UTF-8)"};
  if (starts("ARROW1") || (starts("FEA1") && is_binary(head.substr(0, 64))))
    return ForeignKind{"an Arrow (Feather) file",
                       "write CSV instead, as pandas does: pandas.read_feather(…).to_csv(…)"};
  if (starts("Obj\x01"))
    return ForeignKind{"an Avro file",
                       fmt::format("convert it to JSON lines: avro-tools tojson {}", file)};
  if (starts("\x93NUMPY"))
    return ForeignKind{"a NumPy array", "write names and dates as CSV instead"};
  if (head.size() > 1 && head[0] == '\x80' && head[1] >= 2 && head[1] <= 5)
    return ForeignKind{"a Python pickle", "write it as CSV or JSON lines in Python"};
  if (starts("\x89HDF")) return ForeignKind{"an HDF5 file", "write the table as CSV instead"};
  if (head.size() > 12 && head.substr(8, 4) == "DUCK" && is_binary(head.substr(0, 64)))
    return ForeignKind{
        "a DuckDB database",
        fmt::format("write a table of it: duckdb {} -c \"copy facts to 'facts.csv'\"", file)};
  if (starts("BZh") && head.size() > 9 && head.substr(4, 6) == "1AY&SY")
    return ForeignKind{"compressed with bzip2", fmt::format("unpack it: bzip2 -dk {}", file)};
  if (starts("\xFD"
             "7zXZ\0"sv))
    return ForeignKind{"compressed with xz", fmt::format("unpack it: xz -dk {}", file)};
  if (starts("7z\xBC\xAF"))
    return ForeignKind{"a 7z archive", fmt::format("unpack it: 7z x {}", file)};
  if (head.size() > 262 && head.substr(257, 5) == "ustar")
    return ForeignKind{"a tar archive", fmt::format("unpack it: tar -xf {}", file)};
  if (starts("%PDF-")) return ForeignKind{"a PDF document", "take the table it was made from"};
  return std::nullopt;
}

std::optional<ForeignKind> markup_kind(std::string_view head, const std::string& name) {
  const std::size_t begin = head.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos || head[begin] != '<') return std::nullopt;
  std::string text(head.substr(begin, 4096));
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (text.starts_with("<!doctype html") || text.starts_with("<html"))
    return ForeignKind{"a web page (HTML)", "download the file itself, not the page about it"};
  if (has(text, "<rdf:rdf"))
    return ForeignKind{"RDF/XML",
                       fmt::format("convert it: rapper -o nquads {} > facts.nq", in_shell(name))};
  if (text.starts_with("<?xml") || text.starts_with("<!doctype"))
    return ForeignKind{"XML", "write the facts as CSV or JSON lines"};
  return std::nullopt;
}

}  // namespace

std::optional<ForeignKind> foreign_kind(std::string_view head, const std::string& name) {
  if (auto binary = binary_kind(head, name)) return binary;
  return markup_kind(head, name);
}

}  // namespace orrery
