// model.safetensors: one file that is a usable model. Rows in logical order, and the model's card.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "learn/model_card.h"

namespace orrery {

// All tables of one State, by Engine::tables(), in logical order.
using TableRows = std::vector<std::vector<float>>;
// `into`: rows of before, whose memory is used again.
std::vector<float> read_table(const Engine& engine, std::size_t table, State state,
                              std::vector<float> into = {});
TableRows read_rows(const Engine& engine, State state, TableRows into = {});

// `rows` gives a table's rows, which need only last until it is asked for the next.
using RowSource = std::function<std::span<const float>(std::size_t table)>;
void write_model(const std::filesystem::path& path, const ModelCard& card,
                 std::span<const TableSpec> tables, const RowSource& rows);

// The checkpoints of a run directory, or the file itself.
std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& path);

class ModelFile {
 public:
  // A run directory or the file itself. Without `verify` only its header is compared with its
  // checksum.
  explicit ModelFile(const std::filesystem::path& path, bool verify = true);

  const ModelCard& card() const { return card_; }
  // Its bytes are known to be those that were written. Where they are not, numbers that make no
  // sense may be damage.
  bool verified() const { return verified_; }
  ModelPlan plan() const;
  std::int64_t parameters() const;
  // An engine that holds the model's rows.
  std::unique_ptr<Engine> start_engine(const EngineOptions& options) const;

 private:
  const TensorView& tensor_of(const TableSpec& table) const;

  SafetensorsFile file_;
  bool verified_;
  ModelCard card_;
};

}  // namespace orrery
