// Data sets. A Dataset is immutable, cheap to copy and safe to use from many threads.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/benchmarks.h"
#include "orrery/data_check.h"
#include "orrery/dates.h"
#include "orrery/facts.h"

namespace orrery {

// How facts are read.
struct DataOptions {
  std::string format = "auto";  // of files: auto, csv, tsv, json, wikidata, nquads, turtle, trig
  // Which column is which, by title or number: "subject=source,relation=type,object=3,time=date".
  std::string columns = {};
  // Their form: iso, compact, unix, unix-ms, dmy, mdy, year, words or excel (days of a sheet).
  std::string dates = "auto";
  std::string granularity = "auto";     // of time: second, minute, hour, day, … decade
  std::string coarse_dates = "refuse";  // or spread: over its period, as the day 2014-04
  std::string undated = "refuse";       // or always: facts without a date hold at all times
  std::string as_of = {};               // a date: only what a memory knew then
  std::int64_t min_facts = 1;  // interval facts: years are pooled until a class has this many
  std::string split = {};      // shares of one list, "80/10/10"; empty: as its size asks for
  // random; time: the earliest facts are train, the latest test; or last: the last fact of each
  // subject and relation is test, the one before it valid, within the shares
  std::string split_by = "random";
  bool skip_bad = false;  // leave bad lines out, instead of an Error
  // What an interval says: `within`, its fact holds at every time from start to end; `ends`, two
  // events, as in TeLM's protocol. `auto`: ends for a benchmark set by its name, else within.
  std::string intervals = "auto";
  std::string horizon = {};  // a date to which open ends reach (within); empty: the last time
  std::uint64_t seed = 1;    // of a random split; in training it is TrainOptions::seed

  bool split_depends_on_seed() const { return !split.empty() && split_by != "time"; }
  auto operator<=>(const DataOptions&) const = default;
};

// Facts as columns in memory, one entry a fact. Times are dates as in files ("2014-04-25", "2014");
// with `end`, facts are valid from `time` to `end`, and an empty date leaves that side open.
struct FactColumns {
  std::vector<std::string> subject, relation, object, time;
  std::vector<std::string> end = {};
};

// A column of a table in memory. Its texts are not copied: they must stay where they are until the
// table is read.
struct TableColumn {
  std::string title;
  std::vector<std::string_view> texts;       // one a row; with `codes` the distinct ones
  std::span<const std::int32_t> codes = {};  // by row, which of the texts it has; -1: none
  bool coded = false;                        // `codes` are set
};

// A table of facts in memory, read as a file would be: columns by their titles or as `columns` of
// DataOptions says; an empty text is a missing value.
struct FactTable {
  std::string name = "the table";  // in messages: "the table:12" is its twelfth row
  std::vector<TableColumn> columns = {};
};

// One thing that was made of the files, as a person should be told it: "columns", "subject is …".
struct Understood {
  std::string about, sentence;
};

struct BadLine {
  std::string file;
  std::uint64_t line = 0;
  std::string reason;
};

// A path as an absolute one, so that a run finds its facts from any directory; the name of a
// benchmark set is returned unchanged.
std::string source_named(const std::string& source);

// One file of facts, or a directory with train alone: it is cut into train, valid and test.
bool is_one_list(const std::string& source);

struct DatasetState;

class Dataset {
 public:
  // A directory with train, valid and test; one file or train alone, which is cut (`split`, or
  // shares that fit its size); or the name of a benchmark set, which is fetched once and kept
  // ($ORRERY_DATA, else orrery in the user's cache folder). Files are .txt, .tsv or .csv, plain,
  // .gz or .zst.
  static Dataset open(const std::string& source, const DataOptions& options = {},
                      const FetchObserver& observer = {});
  // From memory; nothing is written. With `options.split`, `train` alone is given and is split.
  static Dataset from_columns(const FactColumns& train, const FactColumns& valid = {},
                              const FactColumns& test = {}, const DataOptions& options = {});
  // The same from tables. Where there is neither valid nor test, train is cut as a file is.
  static Dataset from_tables(const FactTable& train, const std::optional<FactTable>& valid = {},
                             const std::optional<FactTable>& test = {},
                             const DataOptions& options = {});
  // The built-in world, whose rules and best reachable scores are known (orrery/demo.h).
  static Dataset demo(std::uint64_t seed = 1);

  std::int32_t entities() const;
  std::int32_t relations() const;
  std::int32_t times() const;  // embeddings of time: points, or classes of years for intervals
  bool intervals() const;      // facts have a start and an end
  std::string granularity() const;

  // Names by id, in the order of ids: sorted by their bytes; times by date.
  std::span<const std::string> entity_names() const;
  std::span<const std::string> relation_names() const;
  std::span<const std::string> time_names() const;
  std::optional<std::int32_t> find_entity(std::string_view name) const;
  std::optional<std::int32_t> find_relation(std::string_view name) const;
  // By its name, or by a date within it; empty: none contains that date.
  std::optional<std::int32_t> find_time(std::string_view date) const;

  std::span<const Fact> facts(Split split) const;
  Moment moment(const Fact& fact) const;
  // The date as in the file; for an interval "start\tend".
  const std::string& date(const Fact& fact) const;

  // SHA-256 of the facts, independent of the order of lines; runs and models record it.
  std::string fingerprint() const;
  // The same without the classes that the years of interval facts are pooled into (min_facts).
  std::string facts_fingerprint() const;
  // Counts, duplicates, leaks, names that are not in train.
  DataCheck check() const;
  // How many facts there are in each of at most `most` stretches of time of one length.
  std::vector<TimeCount> facts_per_time(std::size_t most) const;
  // All facts of all splits, split again.
  Dataset split(const std::string& shares = "80/10/10", const std::string& by = "random",
                std::uint64_t seed = 1) const;
  // Writes train, valid and test as files that read back as this data set. Existing files with
  // other content are never overwritten.
  std::vector<std::filesystem::path> write(const std::filesystem::path& directory) const;
  // The same in plain form: every file has a header, splits without facts have none, and files end
  // in .tsv, or in .csv where a name needs it.
  std::vector<std::filesystem::path> convert(const std::filesystem::path& directory) const;
  // All facts as one file in plain form, .csv, .tsv or .txt, compressed where .gz or .zst follows;
  // where there is one split only.
  std::filesystem::path convert_to_file(const std::filesystem::path& file) const;
  // What that file holds; as CSV where TSV cannot hold the names.
  std::string plain_text() const;

  // Where it was read from, an absolute path; empty: from memory.
  const std::string& source() const;
  const DataOptions& options() const;
  const DatesUnderstood& dates() const;              // what was understood of them
  std::span<const Understood> understood() const;    // what was made of the files, in words
  std::uint64_t bad_lines() const;                   // left out by skip_bad
  std::span<const BadLine> first_bad_lines() const;  // at most 20

  // For the library itself.
  explicit Dataset(std::shared_ptr<const DatasetState> state) : state_(std::move(state)) {}
  const DatasetState& state() const { return *state_; }

 private:
  std::shared_ptr<const DatasetState> state_;
};

}  // namespace orrery
