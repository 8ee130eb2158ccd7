#include "learn/model_file.h"

#include "base/error.h"
#include "base/paths.h"
#include "learn/checkpoint.h"
#include "learn/mix_file.h"

namespace orrery {
std::filesystem::path model_path(const std::filesystem::path& path) {
  if (!is_directory_at(path)) return path;
  if (!path_exists(path / "model.safetensors"))
    fail_request(
        About{.place = {path.string()}, .advice = "is it a run directory of `orrery train`?"},
        "holds no model.safetensors");
  return path / "model.safetensors";
}

std::vector<float> read_table(const Engine& engine, std::size_t table, State state,
                              std::vector<float> into) {
  const TableSpec& spec = engine.tables()[table];
  into.resize(static_cast<std::size_t>(spec.count) * static_cast<std::size_t>(spec.width));
  engine.read(table, state, into);
  return into;
}

TableRows read_rows(const Engine& engine, State state, TableRows into) {
  into.resize(engine.tables().size());
  for (std::size_t t = 0; t < into.size(); ++t)
    into[t] = read_table(engine, t, state, std::move(into[t]));
  return into;
}

// Words, then rows, then text: everything is aligned for programs that map the file.
void write_model(const std::filesystem::path& path, const ModelHeader& header,
                 std::span<const TableSpec> tables, const RowSource& rows) {
  HeaderTensors known(header, path);
  std::vector<TensorSpec> tensors(known.word_specs().begin(), known.word_specs().end());
  const std::size_t first_row = tensors.size();
  for (const TableSpec& table : tables)
    tensors.push_back(
        {std::string(table.name),
         Dtype::f32,
         {static_cast<std::uint64_t>(table.count), static_cast<std::uint64_t>(table.width)}});
  const std::size_t first_text = tensors.size();
  tensors.insert(tensors.end(), known.text_specs().begin(), known.text_specs().end());
  write_checkpoint(path, std::move(tensors), metadata_of(header), [&](std::size_t i) {
    if (i < first_row) return known.words(i);
    if (i < first_text) return std::as_bytes(rows(i - first_row));
    return known.text(i - first_text);
  });
}

std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& path) {
  if (holds_mix(path)) return parts_of_mix(path);
  std::vector<std::filesystem::path> files = {model_path(path)};
  if (is_directory_at(path) && path_exists(path / "state.safetensors"))
    files.push_back(path / "state.safetensors");
  return files;
}

std::vector<FileCheck> check_files(const std::filesystem::path& path) {
  std::vector<FileCheck> checks;
  for (const auto& file : checkpoints_of(path)) {
    checks.push_back(check_file(file));
    checks.back().file = file.string();
  }
  return checks;
}

}  // namespace orrery
