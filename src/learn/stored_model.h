// A trained model at rest: its header and its embeddings, mapped from a file or in memory.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/lifetimes.h"
#include "engine/engine.h"
#include "learn/model_file.h"
#include "learn/safetensors.h"

namespace orrery {

class StoredModel {
 public:
  // A run directory or the file itself. Without `verify` only its header is compared with its
  // checksum.
  explicit StoredModel(const std::filesystem::path& path, bool verify = true,
                       FileUse use = FileUse::mapped);
  StoredModel(ModelHeader header, TableRows rows);

  const ModelHeader& header() const { return header_; }
  // Its bytes are known to be those that were written. Where they are not, numbers that make no
  // sense may be damage.
  bool verified() const { return verified_; }
  const ModelPlan& plan() const { return plan_; }
  const std::vector<TableSpec>& tables() const { return tables_; }
  std::int64_t parameters() const;
  // SHA-256 of what it is: options, names, times and embeddings; the same in memory and in a file.
  std::string fingerprint() const;
  // In logical order; valid as long as this is.
  std::span<const float> rows(std::size_t table) const { return rows_[table]; }

  // Null where the model has none.
  const PairHistory* history() const { return history_.get(); }
  // What the timeliness of an answer adds to its score; see data/lifetimes.h.
  double added_by_lifetime(const Query& query, std::int32_t answer) const;

  // An engine that holds the model's embeddings.
  std::unique_ptr<Engine> start_engine(const EngineOptions& options) const;
  // Asks such an engine, with all that the model adds to its scores. Both must outlive it.
  std::unique_ptr<Asker> asker(const Engine& engine, int threads) const;
  void save(const std::filesystem::path& path) const;

 private:
  void make_plan();
  void make_lifetimes();
  std::span<const float> mapped_rows(const TableSpec& table);

  std::optional<SafetensorsFile> file_;
  bool verified_ = true;
  ModelHeader header_;
  std::unique_ptr<const PairHistory> history_;  // where the model has one
  std::unique_ptr<const Lifetimes> lifetimes_;  // where they are worth anything
  std::vector<float> lifetime_worth_;           // by relation row
  ModelPlan plan_;
  std::vector<TableSpec> tables_;
  TableRows owned_;  // that are not read from the file where they lie
  std::vector<std::span<const float>> rows_;
};

}  // namespace orrery
