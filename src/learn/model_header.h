// What a model knows besides its numbers, and how a checkpoint holds it: options and facts about
// the run in the metadata, names and times as tensors.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/pair_history.h"
#include "data/temporal_graph.h"
#include "learn/checkpoint.h"
#include "models/registry.h"
#include "orrery/calibration.h"
#include "orrery/model.h"
#include "orrery/when.h"

namespace orrery {

constexpr int model_format_version = 2;

// Names that only valid or test has: their embeddings were never an example's. Ascending.
struct Untrained {
  std::vector<std::int32_t> entities, relations, times;
};
Untrained untrained_in(const TemporalGraph& data);

// Moments of the time axis belong to facts, not here.
struct ModelHeader {
  TrainOptions options;  // those that shape the model
  Vocabulary entities, relations;
  Timeline times;
  Untrained untrained;             // of a file from before it was recorded: nothing
  std::vector<KnownFact> history;  // the facts of train, where the model asks for a pair's history
  std::vector<KnownFact> added_history;  // and of facts that were added later
  bool history_fitted = false;           // what it is worth was fitted on validation
  std::vector<Addition> additions;       // what was added to it after training
  // Of the times it was trained with, where others were added: what the calendar counts from.
  std::optional<TimeSpan> clock_axis;
  std::optional<Calibration> calibration;  // none: there was too little to fit it on
  std::optional<WhenFit> when;             // none: likewise, or facts have intervals
  std::string data_fingerprint;
  std::string started_from = {};  // fingerprint of the model that training started from, if any
  std::string version;            // of the program that wrote the file
  std::int64_t epoch = 0;         // passes seen

  ModelShape shape() const;
  RelationIds relation_ids() const { return {relations.size(), times.has_ends()}; }
};

bool has_history(const TrainOptions& options);
std::unique_ptr<const PairHistory> history_of(const ModelHeader& header);

Metadata metadata_of(const ModelHeader& header);

// Names and times: tensors of words and tensors of text, each made when it is asked for.
class HeaderTensors {
 public:
  // Names that are not UTF-8 are a request Error; `path` is for its message.
  HeaderTensors(const ModelHeader& header, const std::filesystem::path& path);

  std::span<const TensorSpec> word_specs() const { return words_; }
  std::span<const TensorSpec> text_specs() const { return texts_; }
  // The data of one of them, until the next is asked for.
  std::span<const std::byte> words(std::size_t i);
  std::span<const std::byte> text(std::size_t i);

 private:
  struct List {
    std::string_view name;
    std::span<const std::string> texts;
  };
  using MakeWords = std::function<std::vector<std::int64_t>()>;
  std::array<List, 3> lists() const;
  void add_words(TensorSpec spec, MakeWords make);

  const ModelHeader& header_;
  std::vector<std::string> labels_;
  std::vector<TensorSpec> words_, texts_;
  std::vector<MakeWords> make_words_;  // by words_
  std::vector<std::int64_t> word_buffer_;
  std::string text_buffer_;
};

// Of any version. What is not as written is a request Error.
ModelHeader read_header(const SafetensorsFile& file, Verify verify);
// Those that shape a model, as in config files, from the header of its file alone.
std::string options_of_model(const std::filesystem::path& path);

}  // namespace orrery
