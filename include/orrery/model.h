// A trained model: immutable, cheap to copy, and safe to use from many threads at once.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/calibration.h"
#include "orrery/facts.h"
#include "orrery/options.h"
#include "orrery/predict.h"
#include "orrery/train.h"
#include "orrery/when.h"

namespace orrery {

// Where a model computes its answers.
struct MachineOptions {
  std::string device = "cpu";  // cpu, cuda, cuda:N or auto
  std::int64_t threads = 0;    // 0: every core; answers do not depend on it
  std::string memory = {};     // of the device, such as "4G"; empty: most of what is free
};

// A table of embeddings.
struct EmbeddingInfo {
  std::string name;  // "entity", "relation_mul", …
  std::string of;    // what it has a row for: entity, relation, time, window, shared or core
  std::int64_t rows = 0, dim = 0;
};

// A read-only view, valid as long as any copy of its model. A row holds the first components of all
// its numbers, then the second ones, and so on: a complex embedding has all real parts, then all
// imaginary parts.
struct Embeddings {
  EmbeddingInfo info;
  std::span<const float> values;       // row by row
  std::span<const std::string> names;  // of the rows; empty where rows have no names

  std::span<const float> row(std::int64_t i) const {
    return values.subspan(static_cast<std::size_t>(i * info.dim),
                          static_cast<std::size_t>(info.dim));
  }
};

// What add() has put into a model (orrery/add.h).
struct Addition {
  std::int64_t facts = 0;
  std::int32_t entities = 0, relations = 0, times = 0;  // new ones
  bool touched = false;               // known names of those facts were trained, too
  std::string first_time, last_time;  // of the facts
  std::string facts_fingerprint;      // of the facts
  std::string model_fingerprint;      // of the model they were added to
};

// A model in a mixture.
struct MixedPart {
  std::string model;  // its name, such as "bsca"
  std::int64_t dim = 0;
  std::string history;        // as in TrainOptions
  double weight = 0;          // of its scores; 0: it was left out
  std::string file;           // in the mixture's directory; empty: left out, or never saved
  std::string checksum = {};  // SHA-256 of that file
};

// What a mixture is made of, and why its weights are what they are.
struct MixCard {
  std::vector<MixedPart> parts;  // in the order they were given
  std::string chosen;            // "best part", "average" or "fitted"
  std::uint64_t facts = 0;       // of validation that weights were chosen on
  // MRR on those facts, of each choice; weights are fitted on one half and asked on the other.
  double mrr_of_best = 0, mrr_of_average = 0, mrr_of_fitted = 0;
};

struct ModelCard {
  TrainOptions options;  // those that decide the result
  std::string formula;
  std::int64_t lanes = 0;  // numbers (of the model's algebra) per embedding
  std::int64_t parameters = 0;
  std::int32_t entities = 0, relations = 0, times = 0;
  bool timed = false;  // answers depend on the time that is asked for
  bool intervals = false;
  RelationIds relation_ids;  // which row of a relation table is of which relation
  std::string granularity, first_time, last_time;
  std::int64_t epoch = 0;  // of training, whose embeddings these are
  std::string data_fingerprint;
  std::string started_from = {};  // fingerprint of the model that training started from, if any
  std::string version;            // of the Orrery that wrote it
  std::vector<EmbeddingInfo> embeddings;
  std::vector<Addition> additions = {};  // the earliest first
  // What the columns of the table "history" are of; empty: the model has none.
  std::vector<std::string> history_features = {};
  bool history_fitted = false;  // on validation, after training
  std::optional<Calibration> calibration = {};
  std::optional<WhenFit> when = {};
  // Set for a mixture. It has no embeddings, dimension or epoch of its own; of its options only
  // those of reading data are set.
  std::optional<MixCard> mixture = {};
};

struct ModelState;

class Model {
 public:
  // `path`: a run directory, a model.safetensors file or a mixture's directory. `verify` compares
  // the file's checksums first; without it, damage may go unnoticed. The file is mapped and must
  // not be overwritten in place (renaming another over it is fine), unless it is read into memory
  // by `copy`.
  static Model open(const std::filesystem::path& path, const MachineOptions& machine = {},
                    bool verify = true, bool copy = false);
  // Writes one file, atomically; of a mixture a directory, which is whole once its mix.json is
  // there.
  void save(const std::filesystem::path& file) const;
  // The same model on another device, or with other threads.
  Model on(const MachineOptions& machine) const;

  const ModelCard& card() const;
  std::span<const std::string> entity_names() const;
  std::span<const std::string> relation_names() const;
  std::span<const std::string> time_names() const;
  // An unknown name is a request Error that lists the known ones.
  Embeddings embeddings(std::string_view name) const;

  // A model that also knows facts, of all splits: its answers say which of them are facts already,
  // and which entities a relation was seen with. Names that the model does not know are a request
  // Error.
  Model with_facts(const Dataset& facts) const;
  bool has_facts() const;

  // Unknown names are Errors that suggest near ones. Many questions at once are one matrix product.
  Answers predict(const Question& question, const PredictOptions& options = {}) const;
  std::vector<Answers> predict(std::span<const Question> questions,
                               const PredictOptions& options = {}) const;
  // The name of the time that contains a date, or of the nearest one.
  const std::string& nearest_time(const std::string& date) const;
  // The id of the time that contains a date; empty: none does.
  std::optional<std::int32_t> find_time(std::string_view date) const;

  // The facts it was trained on, found by config.toml beside the model file.
  // read_data() reads other facts in the same way, at the model's granularity; those of one list
  // are all test.
  Dataset training_data() const;
  Dataset read_data(const std::string& other) const;
  // Its training, epoch by epoch; empty for a model that was read from a file.
  const TrainRecord& training() const;

  // For the library itself.
  explicit Model(std::shared_ptr<const ModelState> state) : state_(std::move(state)) {}
  const ModelState& state() const { return *state_; }

 private:
  std::shared_ptr<const ModelState> state_;
};

}  // namespace orrery
