// A small table of text: a head, columns split on TAB, comments from '#' at the start of a line.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/error.h"

namespace orrery {

struct TsvRow {
  Place place;
  std::map<std::string, std::string, std::less<>> cells;

  const std::string& operator[](std::string_view column) const {
    return cells.find(column)->second;
  }
  double number(std::string_view column) const;  // what is none is a request Error with the place
};

// The head must be `columns`, then any of `optional` in their order; what is not is a request Error
// with file and line. The cells of an optional column that is not there are empty.
std::vector<TsvRow> read_tsv(std::string_view text, const std::string& file,
                             const std::vector<std::string>& columns,
                             const std::vector<std::string>& optional = {});

// "a,b,c" in parts; an empty text has none.
std::vector<std::string> split_words(std::string_view text, char separator);

}  // namespace orrery
