// A trained model: immutable, cheap to copy, and safe to ask from many threads at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/facts.h"
#include "orrery/options.h"
#include "orrery/predict.h"
#include "orrery/train.h"

namespace orrery {

// Where a model computes its answers.
struct MachineOptions {
  std::string device = "cpu";  // cpu, cuda, cuda:N or auto
  std::int64_t threads = 0;    // 0: every core; never changes an answer
  std::string memory = {};     // of the device, such as "4G"; empty: most of what is free
};

// A table of embeddings.
struct EmbeddingInfo {
  std::string name;  // "entity", "relation_mul", …
  std::string of;    // what its rows are of: entity, relation, time, window, shared or core
  std::int64_t rows = 0, dim = 0;
};

// A read-only view, valid as long as any copy of its model. A row holds the first components of all
// its numbers, then the second ones, and so on: of a complex embedding the real parts, then the
// imaginary ones.
struct Embeddings {
  EmbeddingInfo info;
  std::span<const float> values;       // row by row
  std::span<const std::string> names;  // of the rows; none for what has no names

  std::span<const float> row(std::int64_t i) const {
    return values.subspan(static_cast<std::size_t>(i * info.dim),
                          static_cast<std::size_t>(info.dim));
  }
};

struct ModelCard {
  TrainOptions options;  // those that shape the model
  std::string formula;
  std::int64_t lanes = 0;  // numbers of the model's algebra in an embedding
  std::int64_t parameters = 0;
  std::int32_t entities = 0, relations = 0, times = 0;
  bool intervals = false;
  RelationRows relation_rows;  // in what order embeddings of relations lie
  std::string granularity, first_time, last_time;
  std::int64_t epoch = 0;  // after which it was kept
  std::string data_fingerprint;
  std::string version;  // of the Orrery that wrote it
  std::vector<EmbeddingInfo> embeddings;
};

struct ModelState;

class Model {
 public:
  // `path`: a run directory or a model.safetensors file. `verify` compares the file's checksums
  // first; without, damage may go unnoticed.
  static Model open(const std::filesystem::path& path, const MachineOptions& machine = {},
                    bool verify = true);
  // One file, whole or not at all: opened again it answers the same.
  void save(const std::filesystem::path& file) const;
  // The same model on another machine.
  Model on(const MachineOptions& machine) const;

  const ModelCard& card() const;
  std::span<const std::string> entity_names() const;
  std::span<const std::string> relation_names() const;
  std::span<const std::string> time_names() const;
  // An unknown name is a request Error that lists the known ones.
  Embeddings embeddings(std::string_view name) const;

  // Unknown names are Errors that suggest near ones. Many questions at once are one matrix product.
  Answers predict(const Question& question, const PredictOptions& options = {}) const;
  std::vector<Answers> predict(std::span<const Question> questions,
                               const PredictOptions& options = {}) const;
  // The time a date falls on, or the nearest, as the model names it.
  const std::string& nearest_time(const std::string& date) const;
  // Its id; empty: no time holds that date.
  std::optional<std::int32_t> find_time(std::string_view date) const;

  // The facts it was trained on, found by the config beside the model's file; `other` facts are
  // read in the same way, at the model's granularity.
  Dataset training_data() const;
  Dataset read_data(const std::string& other) const;
  // How it was trained: of a model that was just trained; empty where a file does not say.
  const TrainRecord& training() const;

  // For the library itself.
  explicit Model(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}
  const ModelState& state() const { return *state_; }

 private:
  std::shared_ptr<const ModelState> state_;
};

}  // namespace orrery
