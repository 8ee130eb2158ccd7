#include "orrery/export.h"

#include <algorithm>

#include "api/export_formats.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "base/mapped_file.h"
#include "base/paths.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

std::vector<Embeddings> wanted_tables(const Model& model, std::vector<std::string> names) {
  if (model.card().mixture)
    fail_request(About{.advice = "export its parts"}, "a mixture has no embeddings of its own");
  if (names.empty())
    for (const EmbeddingInfo& info : model.card().embeddings) names.push_back(info.name);
  std::vector<Embeddings> tables;
  for (const std::string& name : names) {
    if (std::ranges::count(tables, name, [](const Embeddings& t) { return t.info.name; }) > 0)
      continue;
    try {
      tables.push_back(model.embeddings(name));
    } catch (const Error& error) {
      throw error.of_option("table");
    }
  }
  return tables;
}

// Compared as it is made: neither of the two is ever whole in memory.
bool has_content_of(const fs::path& path, const ExportFile& file) {
  const MappedFile there(path);
  std::string_view rest = there.text();
  bool same = true;
  file.give([&](std::string_view piece) {
    same = same && rest.starts_with(piece);
    if (same) rest.remove_prefix(piece.size());
  });
  return same && rest.empty();
}

fs::path write_export(const ExportFile& file, const fs::path& directory) {
  const fs::path path = directory / file.name;
  AtomicFile out(path);
  file.give([&](std::string_view piece) { out.write(piece); });
  out.commit();
  return path;
}

}  // namespace

std::vector<ExportedTable> export_embeddings(const Model& model, const fs::path& directory,
                                             const ExportOptions& options) {
  const std::vector<Embeddings> tables = wanted_tables(model, options.tables);
  std::vector<std::vector<ExportFile>> files;
  for (const Embeddings& table : tables) files.push_back(export_files(table, options.format));
  const std::vector<ExportFile> index = export_index(tables, options.format);
  const auto held = HeldDirectory::make(directory);
  const auto refuse_other = [&](const ExportFile& file) {
    const fs::path path = directory / file.name;
    if (path_exists(path) && !has_content_of(path, file))
      fail_request(
          About{.option = "out", .place = {path.string()}, .advice = "name another directory"},
          "exists with other content and is left alone");
  };
  for (const auto& list : files) std::ranges::for_each(list, refuse_other);
  std::ranges::for_each(index, refuse_other);
  std::vector<ExportedTable> written;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    written.push_back({tables[t].info, {}});
    for (const ExportFile& file : files[t])
      written.back().files.push_back(write_export(file, directory));
  }
  for (const ExportFile& file : index) write_export(file, directory);
  return written;
}

}  // namespace orrery
