#include "learn/model_file.h"

#include "base/error.h"
#include "base/paths.h"
#include "learn/clock.h"
#include "learn/setup.h"

namespace orrery {
namespace {

std::vector<TableSpec> tables_of(const ModelPlan& plan) {
  return tables_of(*plan.variant, plan.shape, plan.without);
}

std::filesystem::path model_path(const std::filesystem::path& path) {
  if (!is_directory_at(path)) return path;
  if (!path_exists(path / "model.safetensors"))
    fail_request(
        About{.place = {path.string()}, .advice = "is it a run directory of `orrery train`?"},
        "holds no model.safetensors");
  return path / "model.safetensors";
}

}  // namespace

std::vector<float> read_table(const Engine& engine, std::size_t table, State state,
                              std::vector<float> into) {
  into.resize(static_cast<std::size_t>(engine.tables()[table].count) *
              static_cast<std::size_t>(engine.plan().shape.dim));
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
void write_model(const std::filesystem::path& path, const ModelCard& card,
                 std::span<const TableSpec> tables, const RowSource& rows) {
  CardTensors known(card, path);
  std::vector<TensorSpec> tensors(known.word_specs().begin(), known.word_specs().end());
  const std::size_t first_row = tensors.size();
  for (const TableSpec& table : tables)
    tensors.push_back(
        {std::string(table.name),
         Dtype::f32,
         {static_cast<std::uint64_t>(table.count), static_cast<std::uint64_t>(card.options.dim)}});
  const std::size_t first_text = tensors.size();
  tensors.insert(tensors.end(), known.text_specs().begin(), known.text_specs().end());
  write_checkpoint(path, std::move(tensors), metadata_of(card), [&](std::size_t i) {
    if (i < first_row) return known.words(i);
    if (i < first_text) return std::as_bytes(rows(i - first_row));
    return known.text(i - first_text);
  });
}

std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& path) {
  std::vector<std::filesystem::path> files = {model_path(path)};
  if (is_directory_at(path) && path_exists(path / "state.safetensors"))
    files.push_back(path / "state.safetensors");
  return files;
}

// Tensors are compared with the card before anyone asks for memory in the card's name.
ModelFile::ModelFile(const std::filesystem::path& path, bool verify)
    : file_(model_path(path)),
      verified_(verify && has_checksums(file_)),
      card_(read_card(file_, verify ? Verify::everything : Verify::header)) {
  for (const TableSpec& table : tables_of(plan())) tensor_of(table);
}

ModelPlan ModelFile::plan() const {
  ModelPlan plan = plan_of(card_.options, card_.shape());
  plan.clock = clock_of(card_.times);
  return plan;
}

std::int64_t ModelFile::parameters() const {
  return parameter_count(tables_of(plan()), card_.shape());
}

const TensorView& ModelFile::tensor_of(const TableSpec& table) const {
  const std::uint64_t shape[] = {static_cast<std::uint64_t>(table.count),
                                 static_cast<std::uint64_t>(card_.options.dim)};
  return file_.require(table.name, Dtype::f32, shape);
}

std::unique_ptr<Engine> ModelFile::start_engine(const EngineOptions& options) const {
  auto engine = make_engine(plan(), options);
  for (std::size_t t = 0; t < engine->tables().size(); ++t) {
    const TensorView& tensor = tensor_of(engine->tables()[t]);
    std::vector<float> rows(tensor.values());
    copy_values<float>(tensor, 0, rows);
    engine->write(t, State::value, rows);
  }
  return engine;
}

}  // namespace orrery
