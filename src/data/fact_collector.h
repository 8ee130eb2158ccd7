// Facts in text to facts in ids: names and dates are looked at once each, not once a line.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "data/fact_dates.h"
#include "data/load.h"
#include "data/name_table.h"
#include "data/temporal_graph.h"
#include "facts/fact_reader.h"

namespace orrery {

class FactCollector {
 public:
  explicit FactCollector(const LoadOptions& options) : dates_(options) {}

  // Facts that are numbered from now on stand in this file.
  void begin_file(std::string name) { dates_.begin_file(std::move(name)); }
  // Numbers the fact in the order of first sight; on false, `problem` says why the line is bad.
  bool number(const FactText& text, bool intervals, std::uint64_t line, Fact& fact,
              std::string& problem);

  // Reads the dates of all facts so numbered; those with bad ones leave the splits.
  void read_dates(Splits& facts, bool intervals, LoadReport& report) {
    dates_.read(facts, intervals, report);
  }
  // When a fact starts; when it ends, where that is all that is known.
  Date date_of(const Fact& fact) const { return dates_.date_of(fact); }

  // The data set, with final ids: positions in the sorted names.
  TemporalGraph finish(Splits facts) const;

 private:
  bool number_name(std::string_view name, const char* what, NameTable& table, std::int32_t& id,
                   std::string& problem);

  NameTable entities_, relations_;
  FactDates dates_;
};

}  // namespace orrery
