// model.safetensors: one file that is a usable model. Embeddings in logical order, and the header.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "learn/model_header.h"

namespace orrery {

// All tables of one State, by Engine::tables(), in logical order.
using TableRows = std::vector<std::vector<float>>;
// `into`: rows of before, whose memory is used again.
std::vector<float> read_table(const Engine& engine, std::size_t table, State state,
                              std::vector<float> into = {});
TableRows read_rows(const Engine& engine, State state, TableRows into = {});

// `rows` gives a table's rows, which need only last until it is asked for the next.
using RowSource = std::function<std::span<const float>(std::size_t table)>;
void write_model(const std::filesystem::path& path, const ModelHeader& header,
                 std::span<const TableSpec> tables, const RowSource& rows);

// The file itself, or that of a run directory.
std::filesystem::path model_path(const std::filesystem::path& path);
// The checkpoints of a run directory, or the file itself.
std::vector<std::filesystem::path> checkpoints_of(const std::filesystem::path& path);

}  // namespace orrery
