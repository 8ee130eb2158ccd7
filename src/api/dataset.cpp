#include "orrery/dataset.h"

#include <algorithm>

#include "api/benchmark_cache.h"
#include "api/dataset_state.h"
#include "base/error.h"
#include "data/columns.h"
#include "data/data_check.h"
#include "data/fingerprint.h"
#include "data/plain_form.h"
#include "data/split_facts.h"
#include "data/time_counts.h"
#include "facts/file_kind.h"

namespace orrery {
namespace {

std::int32_t count(std::size_t size) { return static_cast<std::int32_t>(size); }

FactColumns columns_of_demo(const std::vector<LabelledFact>& facts) {
  FactColumns columns;
  for (const LabelledFact& fact : facts) {
    columns.subject.push_back(fact.subject);
    columns.relation.push_back(fact.relation);
    columns.object.push_back(fact.object);
    columns.time.push_back(fact.date);
  }
  return columns;
}

std::unique_ptr<DatasetState> state_of_columns(const FactColumns& train, const FactColumns& valid,
                                               const FactColumns& test,
                                               const DataOptions& options) {
  LoadReport report;
  const DataOptions read = resolved(options, "");
  TemporalGraph graph = graph_of_columns({&train, &valid, &test}, load_options_of(read), report);
  return std::make_unique<DatasetState>(std::move(graph), std::string(), read, std::move(report));
}

}  // namespace

DatasetState::DatasetState(TemporalGraph facts, std::string from, DataOptions how,
                           LoadReport loaded)
    : graph(std::move(facts)),
      source(std::move(from)),
      options(std::move(how)),
      report(std::move(loaded)) {
  for (const TimeRow& row : graph.times.rows) time_names.push_back(row.label);
}

const std::string& DatasetState::fingerprint() const {
  std::call_once(fingerprint_once_, [this] { fingerprint_ = orrery::fingerprint(graph); });
  return fingerprint_;
}

const FilterIndex& DatasetState::filter() const {
  std::call_once(filter_once_, [this] { filter_.emplace(graph); });
  return *filter_;
}

std::string source_named(const std::string& source) {
  if (source.empty() || source == "-" || names_benchmark(source)) return source;
  const FactsSource facts = facts_source(source);
  const std::string file = std::filesystem::absolute(facts.file).lexically_normal().string();
  return facts.query.empty() ? file : file + '?' + facts.query;
}

bool is_one_list(const std::string& source) { return holds_one_list(source); }

DataOptions resolved(DataOptions options, const std::string& source) {
  if (options.intervals == "auto") options.intervals = names_benchmark(source) ? "ends" : "within";
  return options;
}

Dataset Dataset::open(const std::string& source, const DataOptions& options,
                      const FetchObserver& observer) {
  const std::string name = source_named(source);
  const std::filesystem::path path =
      names_benchmark(name) ? cached_benchmark(name, observer) : std::filesystem::path(name);
  LoadReport report;
  const DataOptions read = resolved(options, name);
  TemporalGraph graph = load_facts(path, load_options_of(read), &report);
  return Dataset(std::make_shared<DatasetState>(std::move(graph), name, read, std::move(report)));
}

Dataset Dataset::from_columns(const FactColumns& train, const FactColumns& valid,
                              const FactColumns& test, const DataOptions& options) {
  return Dataset(state_of_columns(train, valid, test, options));
}

Dataset Dataset::from_tables(const FactTable& train, const std::optional<FactTable>& valid,
                             const std::optional<FactTable>& test, const DataOptions& options) {
  const auto given = [](const std::optional<FactTable>& table) {
    return table ? &*table : nullptr;
  };
  LoadReport report;
  const DataOptions read = resolved(options, "");
  TemporalGraph graph =
      load_tables({&train, given(valid), given(test)}, load_options_of(read), report);
  return Dataset(
      std::make_shared<DatasetState>(std::move(graph), std::string(), read, std::move(report)));
}

Dataset Dataset::demo(std::uint64_t seed) {
  const DemoWorld world = make_demo_world(seed);
  auto state = state_of_columns(columns_of_demo(world.train), columns_of_demo(world.valid),
                                columns_of_demo(world.test), {});
  for (const LabelledFact& fact : world.test)
    state->labels.push_back({fact.pattern, fact.reachable_object, fact.reachable_subject});
  return Dataset(std::move(state));
}

std::int32_t Dataset::entities() const { return state_->graph.entities.size(); }
std::int32_t Dataset::relations() const { return state_->graph.relations.size(); }
std::int32_t Dataset::times() const { return count(state_->graph.times.rows.size()); }
bool Dataset::intervals() const { return state_->graph.times.intervals; }
std::string Dataset::granularity() const {
  return std::string(name_of(state_->graph.times.granularity));
}

std::span<const std::string> Dataset::entity_names() const {
  return state_->graph.entities.names();
}
std::span<const std::string> Dataset::relation_names() const {
  return state_->graph.relations.names();
}
std::span<const std::string> Dataset::time_names() const { return state_->time_names; }

std::optional<std::int32_t> Dataset::find_entity(std::string_view name) const {
  return state_->graph.entities.find(name);
}
std::optional<std::int32_t> Dataset::find_relation(std::string_view name) const {
  return state_->graph.relations.find(name);
}
std::optional<std::int32_t> Dataset::find_time(std::string_view date) const {
  return state_->graph.times.find_row(date);
}

std::span<const Fact> Dataset::facts(Split split) const { return state_->graph.split(split); }

Moment Dataset::moment(const Fact& fact) const {
  return state_->graph.times.moments.at(static_cast<std::size_t>(fact.when));
}

const std::string& Dataset::date(const Fact& fact) const {
  return state_->graph.times.moment_names.at(static_cast<std::size_t>(fact.when));
}

std::string Dataset::fingerprint() const { return state_->fingerprint(); }
std::string Dataset::facts_fingerprint() const { return fingerprint_of_facts(state_->graph); }

// Standard input cannot be read again, and a table in memory may be gone.
DataCheck Dataset::check() const {
  FilesRead read{.files = {},
                 .reading = load_options_of(state_->options).reading,
                 .dates = state_->report.date_reading};
  for (const auto& file : state_->report.files)
    if (file.file != "-" && file.understood.kind != FileKind::memory)
      read.files.push_back(file.file);
  return check_data(state_->graph, read);
}

std::vector<TimeCount> Dataset::facts_per_time(std::size_t most) const {
  return count_per_time(state_->graph, most);
}

Dataset Dataset::split(const std::string& shares, const std::string& by, std::uint64_t seed) const {
  DataOptions options = state_->options;
  options.split = shares;
  options.split_by = by;
  options.seed = seed;
  return from_columns(columns_of(state_->graph), {}, {}, options);
}

std::vector<std::filesystem::path> Dataset::write(const std::filesystem::path& directory) const {
  return write_splits(state_->graph, directory);
}

std::vector<std::filesystem::path> Dataset::convert(const std::filesystem::path& directory) const {
  return write_titled_splits(state_->graph, directory);
}

std::filesystem::path Dataset::convert_to_file(const std::filesystem::path& file) const {
  return write_facts(state_->graph, file);
}

std::string Dataset::plain_text() const { return facts_text(state_->graph); }

const std::string& Dataset::source() const { return state_->source; }
const DataOptions& Dataset::options() const { return state_->options; }
const DatesUnderstood& Dataset::dates() const { return state_->report.dates; }
std::span<const Understood> Dataset::understood() const { return state_->report.understood; }
std::uint64_t Dataset::bad_lines() const { return state_->report.bad_lines; }
std::span<const BadLine> Dataset::first_bad_lines() const { return state_->report.first_bad; }

}  // namespace orrery
