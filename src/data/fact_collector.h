// Facts in text to facts in ids: names and dates are looked at once each, not once a line.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "data/load.h"
#include "data/name_table.h"
#include "data/temporal_graph.h"
#include "facts/fact_reader.h"

namespace orrery {

class FactCollector {
 public:
  // Numbers the fact in the order of first sight; on false, `problem` says why the line is bad.
  bool number(const FactText& text, bool intervals, Fact& fact, std::string& problem);

  // When a fact starts; when it ends, where that is all that is known.
  Date date_of(const Fact& fact) const;

  // The data set of all facts so numbered, with final ids: positions in the sorted names.
  TemporalGraph finish(std::array<std::vector<Fact>, 3> facts, bool intervals,
                       const LoadOptions& options) const;

 private:
  struct Dates {
    ParsedDate start, end;
  };

  bool number_name(std::string_view name, const char* what, NameTable& table, std::int32_t& id,
                   std::string& problem);
  bool number_date(const FactText& text, bool intervals, std::int32_t& id, std::string& problem);

  NameTable entities_, relations_, date_texts_;
  std::vector<Dates> dates_;  // by id in date_texts_
  std::string both_dates_;    // scratch: "start\tend"
};

}  // namespace orrery
