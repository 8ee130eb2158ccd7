#include "learn/model_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "learn/additions_json.h"
#include "learn/calibration_json.h"
#include "learn/options.h"
#include "learn/setup.h"
#include "learn/text_tensors.h"
#include "learn/when_json.h"
#include "orrery/version.h"

namespace orrery {
namespace {

constexpr CheckpointFormat model_format = {"orrery-model", model_format_version};
const std::string entities_name = "names/entities", relations_name = "names/relations",
                  labels_name = "times/labels", spans_name = "times/spans",
                  history_name = "history/facts", added_name = "history/added";
const std::string calibration_key = "calibration", when_key = "when";

struct UntrainedList {
  std::string name;
  std::vector<std::int32_t> Untrained::*ids;
};
const UntrainedList untrained_lists[] = {{"untrained/entities", &Untrained::entities},
                                         {"untrained/relations", &Untrained::relations},
                                         {"untrained/times", &Untrained::times}};

// Metadata comes from a file: whatever is not as written is a request Error.
template <class Read>
auto read_metadata(const SafetensorsFile& file, const std::string& key, const Read& read) {
  try {
    return read(nlohmann::json::parse(file.require_metadata(key)));
  } catch (const nlohmann::json::exception& error) {
    fail_damaged(file, fmt::format("its metadata '{}' cannot be read ({})", key, error.what()));
  }
}

Vocabulary vocabulary_of(const SafetensorsFile& file, std::string_view what,
                         std::vector<std::string> names) {
  try {
    return Vocabulary(std::move(names));
  } catch (const Error&) {
    fail_damaged(file, fmt::format("its list of {} is not sorted", what));
  }
}

Granularity granularity_of(const SafetensorsFile& file, const std::string& name) {
  const auto granularity = granularity_named(name);
  if (!granularity)
    fail_request(About{.place = {file.path().string()}},
                 "its time granularity '{}' is unknown; the file is damaged or of a later version",
                 name);
  return *granularity;
}

// Before version 2 names and times were JSON in the metadata.
Vocabulary read_vocabulary_1(const SafetensorsFile& file, const std::string& key) {
  return vocabulary_of(file, key, read_metadata(file, key, [](const nlohmann::json& json) {
                         return json.get<std::vector<std::string>>();
                       }));
}

Timeline read_times_1(const SafetensorsFile& file) {
  return read_metadata(file, "times", [&](const nlohmann::json& json) {
    Timeline times;
    times.intervals = json.at("intervals").get<bool>();
    times.granularity = granularity_of(file, json.at("granularity").get<std::string>());
    for (const auto& row : json.at("rows"))
      times.rows.push_back(
          {row.at(0).get<TimePoint>(), row.at(1).get<TimePoint>(), row.at(2).get<std::string>()});
    return times;
  });
}

Timeline read_times(const SafetensorsFile& file) {
  Timeline times;
  times.intervals =
      read_metadata(file, "intervals", [](const nlohmann::json& json) { return json.get<bool>(); });
  times.granularity = granularity_of(file, file.require_metadata("granularity"));
  std::vector<std::string> labels = read_texts(file, labels_name);
  const std::uint64_t shape[] = {labels.size(), 2};
  std::vector<TimePoint> spans(2 * labels.size());
  copy_values<TimePoint>(file.require(spans_name, Dtype::i64, shape), 0, spans);
  for (std::size_t i = 0; i < labels.size(); ++i)
    times.rows.push_back({spans[2 * i], spans[2 * i + 1], std::move(labels[i])});
  return times;
}

void check_order(const SafetensorsFile& file, const Timeline& times) {
  bool in_order = !times.rows.empty();
  for (std::size_t i = 0; i < times.rows.size(); ++i)
    in_order = in_order && times.rows[i].first <= times.rows[i].last &&
               (i == 0 || times.rows[i - 1].last < times.rows[i].first);
  if (!in_order) fail_damaged(file, "its times are not in order");
}

std::vector<TimePoint> spans_of(const Timeline& times) {
  std::vector<TimePoint> spans;
  for (const TimeRow& row : times.rows) {
    spans.push_back(row.first);
    spans.push_back(row.last);
  }
  return spans;
}

// Where facts are read by their ends, the last column is what tells dates of one row apart.
std::uint64_t history_columns(const Timeline& times) { return times.has_ends() ? 6 : 5; }

std::vector<std::int64_t> words_of(std::span<const KnownFact> facts, const Timeline& times) {
  const std::uint64_t columns = history_columns(times);
  std::vector<std::int64_t> words;
  words.reserve(facts.size() * columns);
  for (const auto& [subject, relation, object, first, last, dates] : facts) {
    const std::int64_t row[] = {subject, relation, object, first, last, dates};
    words.insert(words.end(), row, row + columns);
  }
  return words;
}

std::vector<KnownFact> read_history(const SafetensorsFile& file, const std::string& name,
                                    const ModelHeader& header) {
  const TensorView* found = file.find(name);
  const std::uint64_t columns = history_columns(header.times);
  const std::uint64_t facts = found == nullptr ? 0 : found->values() / columns;
  const std::uint64_t shape[] = {facts, columns};
  std::vector<std::int64_t> words(facts * columns);
  copy_values<std::int64_t>(file.require(name, Dtype::i64, shape), 0, words);
  const auto id_at = [&](std::size_t place, std::int64_t least, std::int64_t bound) {
    if (words[place] < least || words[place] >= bound)
      fail_damaged(file, "its history names what it does not know");
    return static_cast<std::int32_t>(words[place]);
  };
  std::vector<KnownFact> history;
  history.reserve(facts);
  for (std::size_t i = 0; i < words.size(); i += columns)
    history.push_back({id_at(i, 0, header.entities.size()),
                       id_at(i + 1, 0, header.relations.size()),
                       id_at(i + 2, 0, header.entities.size()),
                       id_at(i + 3, Moment::unknown, header.times.size()),
                       id_at(i + 4, Moment::unknown, header.times.size()),
                       columns == 6 ? static_cast<std::int32_t>(words[i + 5]) : 0});
  return history;
}

std::vector<std::int32_t> read_untrained(const SafetensorsFile& file, const std::string& name,
                                         std::int32_t known) {
  const TensorView* found = file.find(name);
  if (found == nullptr) return {};
  const std::uint64_t shape[] = {found->values()};
  std::vector<std::int64_t> words(found->values());
  copy_values<std::int64_t>(file.require(name, Dtype::i64, shape), 0, words);
  if (words.front() < 0 || words.back() >= known ||
      std::ranges::adjacent_find(words, std::greater_equal<>()) != words.end())
    fail_damaged(file, fmt::format("its list '{}' names what it does not know", name));
  return {words.begin(), words.end()};
}

Untrained read_untrained(const SafetensorsFile& file, const ModelHeader& header) {
  const std::int32_t known[] = {header.entities.size(), header.relations.size(),
                                header.times.size()};
  Untrained untrained;
  for (std::size_t i = 0; i < std::size(known); ++i)
    untrained.*untrained_lists[i].ids = read_untrained(file, untrained_lists[i].name, known[i]);
  return untrained;
}

// Ids below `known` that are not among `seen`.
std::vector<std::int32_t> others(std::int32_t known, const std::vector<char>& seen) {
  std::vector<std::int32_t> ids;
  for (std::int32_t id = 0; id < known; ++id)
    if (seen[static_cast<std::size_t>(id)] == 0) ids.push_back(id);
  return ids;
}

// Time rows at which train has examples: what holds within has them at all times between, the
// others at their start and end.
std::vector<char> trained_times(const TemporalGraph& data) {
  const Timeline& times = data.times;
  std::vector<char> seen(static_cast<std::size_t>(times.size()));
  std::vector<std::int64_t> begun(seen.size() + 1);  // facts that begin at a row, less those ended
  for (const Fact& fact : data.split(Split::train)) {
    if (times.within) {
      const Moment rows = times.rows_of(fact);
      ++begun[static_cast<std::size_t>(rows.start)];
      --begun[static_cast<std::size_t>(rows.end) + 1];
      continue;
    }
    const Moment moment = times.moments.at(static_cast<std::size_t>(fact.when));
    for (const std::int32_t row : {moment.start, moment.end})
      if (row != Moment::unknown) seen[static_cast<std::size_t>(row)] = 1;
  }
  std::int64_t holding = 0;
  for (std::size_t row = 0; row < seen.size(); ++row)
    if ((holding += begun[row]) > 0) seen[row] = 1;
  return seen;
}

std::vector<std::string> labels_of(const Timeline& times) {
  std::vector<std::string> labels;
  for (const TimeRow& row : times.rows) labels.push_back(row.label);
  return labels;
}

}  // namespace

Untrained untrained_in(const TemporalGraph& data) {
  std::vector<char> entities(static_cast<std::size_t>(data.entities.size()));
  std::vector<char> relations(static_cast<std::size_t>(data.relations.size()));
  for (const Fact& fact : data.split(Split::train)) {
    entities[static_cast<std::size_t>(fact.subject)] = 1;
    entities[static_cast<std::size_t>(fact.object)] = 1;
    relations[static_cast<std::size_t>(fact.relation)] = 1;
  }
  return {others(data.entities.size(), entities), others(data.relations.size(), relations),
          others(data.times.size(), trained_times(data))};
}

ModelShape ModelHeader::shape() const {
  return {entities.size(), relation_ids().count(), times.size(),
          static_cast<std::int32_t>(options.dim), static_cast<std::int32_t>(options.window)};
}

bool has_history(const TrainOptions& options) {
  return history_kind_named(options.history) != HistoryKind::none;
}

std::unique_ptr<const PairHistory> history_of(const ModelHeader& header) {
  return std::make_unique<const PairHistory>(history_kind_named(header.options.history),
                                             header.history, header.relation_ids(),
                                             header.entities.size(), header.added_history);
}

Metadata metadata_of(const ModelHeader& header) {
  Metadata metadata = {{"format", model_format.name()},
                       {"version", std::string(version())},
                       {"options", shaping_options_to_toml(header.options)},
                       {"intervals", header.times.intervals ? "true" : "false"},
                       {"granularity", std::string(name_of(header.times.granularity))},
                       {"data_fingerprint", header.data_fingerprint},
                       {"epoch", std::to_string(header.epoch)}};
  if (!header.started_from.empty()) metadata["started_from"] = header.started_from;
  if (!header.additions.empty()) metadata["additions"] = additions_to_json(header.additions);
  if (header.clock_axis)
    metadata["clock_axis"] =
        fmt::format("[{}, {}]", header.clock_axis->first, header.clock_axis->last);
  if (has_history(header.options))
    metadata["history"] = header.history_fitted ? "fitted" : "learned";
  if (header.calibration) metadata[calibration_key] = calibration_to_json(*header.calibration);
  if (header.when) metadata[when_key] = when_to_json(*header.when);
  return metadata;
}

HeaderTensors::HeaderTensors(const ModelHeader& header, const std::filesystem::path& path)
    : header_(header), labels_(labels_of(header.times)) {
  add_words({spans_name, Dtype::i64, {labels_.size(), 2}},
            [this] { return spans_of(header_.times); });
  for (const List& list : lists()) {
    TextTensors tensors = text_tensors(std::string(list.name), list.texts, path);
    add_words(std::move(tensors.ends), [list] { return ends_of(list.texts); });
    texts_.push_back(std::move(tensors.bytes));
  }
  if (has_history(header.options))
    add_words({history_name, Dtype::i64, {header.history.size(), history_columns(header.times)}},
              [this] { return words_of(header_.history, header_.times); });
  if (!header.added_history.empty())
    add_words(
        {added_name, Dtype::i64, {header.added_history.size(), history_columns(header.times)}},
        [this] { return words_of(header_.added_history, header_.times); });
  for (const UntrainedList& list : untrained_lists)
    if (const auto& ids = header.untrained.*list.ids; !ids.empty())
      add_words({list.name, Dtype::i64, {ids.size()}},
                [&ids] { return std::vector<std::int64_t>(ids.begin(), ids.end()); });
}

void HeaderTensors::add_words(TensorSpec spec, MakeWords make) {
  words_.push_back(std::move(spec));
  make_words_.push_back(std::move(make));
}

std::array<HeaderTensors::List, 3> HeaderTensors::lists() const {
  return {List{entities_name, header_.entities.names()},
          List{relations_name, header_.relations.names()}, List{labels_name, labels_}};
}

std::span<const std::byte> HeaderTensors::words(std::size_t i) {
  word_buffer_ = make_words_[i]();
  return std::as_bytes(std::span(word_buffer_));
}

std::span<const std::byte> HeaderTensors::text(std::size_t i) {
  text_buffer_ = joined(lists()[i].texts);
  return std::as_bytes(std::span(text_buffer_));
}

std::string options_of_model(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  require_checkpoint(file, model_format, Verify::header);
  return file.require_metadata("options");
}

ModelHeader read_header(const SafetensorsFile& file, Verify verify) {
  const int version = require_checkpoint(file, model_format, verify);
  ModelHeader header;
  header.options = read_recorded_options(file.require_metadata("options"), file.path().string());
  if (version == 1) {
    header.entities = read_vocabulary_1(file, "entities");
    header.relations = read_vocabulary_1(file, "relations");
    header.times = read_times_1(file);
  } else {
    header.entities = vocabulary_of(file, "entities", read_texts(file, entities_name));
    header.relations = vocabulary_of(file, "relations", read_texts(file, relations_name));
    header.times = read_times(file);
  }
  header.times.within = header.times.intervals && header.options.reading.intervals == "within";
  check_order(file, header.times);
  if (has_history(header.options)) {
    header.history = read_history(file, history_name, header);
    if (file.find(added_name) != nullptr)
      header.added_history = read_history(file, added_name, header);
    header.history_fitted = file.require_metadata("history") == "fitted";
  }
  if (file.metadata().contains(calibration_key))
    header.calibration = read_metadata(file, calibration_key, calibration_of_json);
  if (file.metadata().contains(when_key)) header.when = read_metadata(file, when_key, when_of_json);
  header.untrained = read_untrained(file, header);
  if (file.metadata().contains("additions"))
    header.additions = read_metadata(file, "additions", additions_of_json);
  if (file.metadata().contains("clock_axis"))
    header.clock_axis = read_metadata(file, "clock_axis", [](const nlohmann::json& json) {
      return TimeSpan{json.at(0).get<TimePoint>(), json.at(1).get<TimePoint>()};
    });
  header.data_fingerprint = file.require_metadata("data_fingerprint");
  header.version = file.require_metadata("version");
  if (const auto found = file.metadata().find("started_from"); found != file.metadata().end())
    header.started_from = found->second;
  header.epoch = read_metadata(file, "epoch",
                               [](const nlohmann::json& json) { return json.get<std::int64_t>(); });
  try {
    check_options(header.options);
    const ModelPlan plan = plan_of(header.options, header.shape());
    tables_of(*plan.variant, plan.shape, plan.without);
  } catch (const Error& error) {
    throw error.while_at("its options are damaged or of a later version")
        .at({file.path().string()});
  }
  return header;
}

}  // namespace orrery
