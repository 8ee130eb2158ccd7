#include "learn/stored_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "base/error.h"
#include "base/sha256.h"
#include "engine/lifetime_scorer.h"
#include "learn/checkpoint.h"
#include "learn/clock.h"
#include "learn/options.h"
#include "learn/setup.h"

namespace orrery {

// Tensors are compared with the header before anyone asks for memory in its name.
StoredModel::StoredModel(const std::filesystem::path& path, bool verify, FileUse use)
    : file_(SafetensorsFile(model_path(path), use)),
      verified_(verify && has_checksums(*file_)),
      header_(read_header(*file_, verify ? Verify::everything : Verify::header)) {
  make_plan();
  for (const TableSpec& table : tables_) rows_.push_back(mapped_rows(table));
  make_lifetimes();
}

StoredModel::StoredModel(ModelHeader header, TableRows rows)
    : header_(std::move(header)), owned_(std::move(rows)) {
  make_plan();
  for (const auto& table : owned_) rows_.emplace_back(table);
  make_lifetimes();
}

void StoredModel::make_plan() {
  plan_ = plan_of(header_.options, header_.shape());
  plan_.clock = clock_of(header_.times, header_.clock_axis);
  tables_ = tables_of(plan_);
  if (plan_.feature_count == 0) return;
  history_ = history_of(header_);
  plan_.features = history_.get();
}

void StoredModel::make_lifetimes() {
  lifetime_worth_ = lifetime_column(history_kind_named(header_.options.history), rows_.back());
  if (std::ranges::all_of(lifetime_worth_, [](float worth) { return worth == 0; })) return;
  lifetimes_ = std::make_unique<const Lifetimes>(header_.history, header_.relation_ids(),
                                                 header_.entities.size(), header_.added_history);
}

double StoredModel::added_by_lifetime(const Query& query, std::int32_t answer) const {
  if (!lifetimes_) return 0;
  return double{lifetime_worth_[static_cast<std::size_t>(query.relation)]} *
         lifetimes_->timeliness(query, answer);
}

// Where they lie, if the file's bytes are this machine's floats.
std::span<const float> StoredModel::mapped_rows(const TableSpec& table) {
  const std::uint64_t shape[] = {static_cast<std::uint64_t>(table.count),
                                 static_cast<std::uint64_t>(table.width)};
  const TensorView& tensor = file_->require(table.name, Dtype::f32, shape);
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data.data());
  if (std::endian::native == std::endian::little && address % alignof(float) == 0)
    return {reinterpret_cast<const float*>(tensor.data.data()), tensor.values()};
  std::vector<float>& copy = owned_.emplace_back(tensor.values());
  copy_values<float>(tensor, 0, copy);
  return copy;
}

std::int64_t StoredModel::parameters() const { return parameter_count(tables_); }

std::string StoredModel::fingerprint() const {
  Sha256 hash;
  const auto put = [&](std::string_view text) {
    hash.update(text);
    hash.update(std::string_view("\0", 1));
  };
  put(shaping_options_to_toml(header_.options));
  put(header_.data_fingerprint);
  put(std::to_string(header_.epoch));
  for (const Vocabulary* names : {&header_.entities, &header_.relations})
    for (const std::string& name : names->names()) put(name);
  for (const TimeRow& row : header_.times.rows) put(row.label);
  for (const Addition& addition : header_.additions) put(addition.facts_fingerprint);
  for (const auto& rows : rows_) hash.update(std::as_bytes(rows));
  return hash.hex_digest();
}

std::unique_ptr<Engine> StoredModel::start_engine(const EngineOptions& options) const {
  auto engine = make_engine(plan_, options);
  for (std::size_t t = 0; t < tables_.size(); ++t) engine->write(t, State::value, rows_[t]);
  return engine;
}

std::unique_ptr<Asker> StoredModel::asker(const Engine& engine, int threads) const {
  if (!lifetimes_) return engine.asker(threads);
  return asker_with_lifetimes(engine, *lifetimes_, lifetime_worth_, threads);
}

void StoredModel::save(const std::filesystem::path& path) const {
  write_model(path, header_, tables_, [this](std::size_t t) { return rows_[t]; });
}

}  // namespace orrery
