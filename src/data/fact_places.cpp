#include "data/fact_places.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "data/timeline.h"
#include "facts/fact_reader.h"
#include "orrery/error.h"

namespace orrery {
namespace {

class PlaceFinder {
 public:
  PlaceFinder(const TemporalGraph& data, const FilesRead& files, std::span<WantedPlace> wanted)
      : data_(data), dates_(files.dates), wanted_(wanted) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      left_ += wanted[i].most;
      const WantedPlace& one = wanted[i];
      if (one.what == WantedPlace::What::fact)
        by_subject_[data.entities.name(one.fact.subject)].push_back(i);
      else if (one.what == WantedPlace::What::relation)
        by_relation_[data.relations.name(one.name)].push_back(i);
      else
        by_entity_[data.entities.name(one.name)].push_back(i);
    }
  }

  void read(const std::string& file, const ReadOptions& options) {
    FactReader reader(file, columns_, options);
    while (left_ > 0) {
      const FactReader::Outcome outcome = reader.next();
      if (outcome == FactReader::Outcome::end) return;
      if (outcome == FactReader::Outcome::fact) look_at(reader.fact(), {file, reader.line()});
    }
  }

 private:
  using Positions = std::unordered_map<std::string_view, std::vector<std::size_t>>;

  struct Place {
    const std::string& file;
    std::uint64_t line;
  };

  void look_at(const FactText& text, const Place& place) {
    note(by_relation_, text.relation, place);
    note(by_entity_, text.subject, place);
    if (text.object != text.subject) note(by_entity_, text.object, place);
    const auto facts = by_subject_.find(text.subject);
    if (facts == by_subject_.end()) return;
    for (const std::size_t i : facts->second)
      if (is_written_as(wanted_[i].fact, text)) note(wanted_[i], place);
  }

  void note(const Positions& positions, std::string_view name, const Place& place) {
    const auto found = positions.find(name);
    if (found == positions.end()) return;
    for (const std::size_t i : found->second) note(wanted_[i], place);
  }

  void note(WantedPlace& one, const Place& place) {
    if (one.found.size() == one.most) return;
    one.found.push_back(fmt::format("{}:{}", place.file, place.line));
    --left_;
  }

  bool is_written_as(const Fact& fact, const FactText& text) const {
    if (data_.relations.name(fact.relation) != text.relation ||
        data_.entities.name(fact.object) != text.object)
      return false;
    const std::string_view when = data_.times.moment_names[static_cast<std::size_t>(fact.when)];
    const std::size_t tab = when.find('\t');
    const std::string_view end = tab == std::string_view::npos ? when : when.substr(tab + 1);
    return are_alike(parse_date(when.substr(0, tab)), parse_date(text.start, dates_)) &&
           are_alike(parse_date(end), parse_date(columns_.has_end ? text.end : text.start, dates_));
  }

  bool are_alike(const ParsedDate& one, const ParsedDate& other) const {
    if (!one.known() || !other.known()) return one.known() == other.known();
    const Granularity granularity = data_.times.granularity;
    return time_point(one.date, granularity) == time_point(other.date, granularity);
  }

  const TemporalGraph& data_;
  const DateReading& dates_;
  std::span<WantedPlace> wanted_;
  Positions by_subject_, by_relation_, by_entity_;
  std::size_t left_ = 0;  // places still to be found
  SetColumns columns_;
};

}  // namespace

void find_places(const TemporalGraph& data, const FilesRead& files, std::span<WantedPlace> wanted) {
  PlaceFinder finder(data, files, wanted);
  try {
    for (const std::string& file : files.files) finder.read(file, files.reading);
  } catch (const Error&) {
    // It was readable before: what has changed since is not this check's to say.
  }
}

}  // namespace orrery
