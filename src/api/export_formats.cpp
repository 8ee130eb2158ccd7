#include "api/export_formats.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"
#include "data/csv_field.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::string row_name(const Embeddings& table, std::int64_t row) {
  return table.names.empty() ? std::to_string(row) : table.names[static_cast<std::size_t>(row)];
}

void append_values(std::string& line, std::span<const float> values, char separator) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) line += separator;
    fmt::format_to(std::back_inserter(line), "{}", values[i]);  // the shortest that reads back
  }
}

// Calls line_of(row, line) for each row and gives what it appends.
template <class LineOf>
std::function<void(const PieceSink&)> lines_of(const Embeddings& table, const LineOf& line_of) {
  return [table, line_of](const PieceSink& sink) {
    std::string line;
    for (std::int64_t row = 0; row < table.info.rows; ++row) {
      line.clear();
      line_of(row, line);
      line += '\n';
      sink(line);
    }
  };
}

void refuse_breaks(const Embeddings& table, std::string_view breaks, std::string_view what) {
  for (const std::string& name : table.names)
    if (name.find_first_of(breaks) != std::string::npos)
      fail_request(About{.option = "format", .advice = worded("take $format csv, which quotes it")},
                   "the name {} of table {} holds {}, which a file of one name a line cannot keep",
                   shown(name), table.info.name, what);
}

// Version 1.0: magic, length and a Python dictionary, padded so that the data begins at a multiple
// of 64 bytes.
std::string npy_header(const EmbeddingInfo& info) {
  constexpr std::string_view magic("\x93NUMPY\x01\x00", 8);
  constexpr std::size_t unit = 64;
  std::string words =
      fmt::format("{{'descr': '{}f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                  std::endian::native == std::endian::little ? '<' : '>', info.rows, info.dim);
  const std::size_t before = magic.size() + 2;
  words.append((unit - (before + words.size() + 1) % unit) % unit, ' ');
  words += '\n';
  std::string header(magic);
  header += static_cast<char>(words.size() & 0xff);
  header += static_cast<char>(words.size() >> 8);
  return header + words;
}

std::vector<ExportFile> npy_files(const Embeddings& table) {
  refuse_breaks(table, "\n\r", "the end of a line");
  const auto numbers = [table](const PieceSink& sink) {
    sink(npy_header(table.info));
    sink({reinterpret_cast<const char*>(table.values.data()), table.values.size_bytes()});
  };
  const auto name_line = [table](std::int64_t row, std::string& line) {
    line += row_name(table, row);
  };
  return {{table.info.name + ".npy", numbers},
          {table.info.name + ".names.txt", lines_of(table, name_line)}};
}

std::vector<ExportFile> csv_files(const Embeddings& table) {
  const auto give = [table](const PieceSink& sink) {
    std::string titles = "name";
    for (std::int64_t i = 0; i < table.info.dim; ++i) titles += fmt::format(",{}", i);
    sink(titles + '\n');
    lines_of(table, [&](std::int64_t row, std::string& line) {
      append_csv_field(line, row_name(table, row));
      line += ',';
      append_values(line, table.row(row), ',');
    })(sink);
  };
  return {{table.info.name + ".csv", give}};
}

// Metadata of one column has no title, as the projector wants it.
std::vector<ExportFile> projector_files(const Embeddings& table) {
  refuse_breaks(table, "\n\r\t", "a TAB or the end of a line");
  const auto numbers = [table](std::int64_t row, std::string& line) {
    append_values(line, table.row(row), '\t');
  };
  const auto names = [table](std::int64_t row, std::string& line) { line += row_name(table, row); };
  return {{table.info.name + ".vectors.tsv", lines_of(table, numbers)},
          {table.info.name + ".metadata.tsv", lines_of(table, names)}};
}

}  // namespace

std::vector<ExportFile> export_files(const Embeddings& table, std::string_view format) {
  if (format == "npy") return npy_files(table);
  if (format == "csv") return csv_files(table);
  if (format == "projector") return projector_files(table);
  fail_request(About{.option = "format"}, "$format is '{}', but must be npy, csv or projector",
               format);
}

std::vector<ExportFile> export_index(std::span<const Embeddings> tables, std::string_view format) {
  if (format != "projector") return {};
  std::string text;
  for (const Embeddings& table : tables)
    text += fmt::format(
        "embeddings {{\n  tensor_name: \"{0}\"\n  tensor_path: \"{0}.vectors.tsv\"\n"
        "  metadata_path: \"{0}.metadata.tsv\"\n}}\n",
        table.info.name);
  return {{"projector_config.pbtxt", [text](const PieceSink& sink) { sink(text); }}};
}

}  // namespace orrery
