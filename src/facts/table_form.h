// How a text table is written: its separator and whether fields are quoted, from its first lines.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "facts/column_map.h"
#include "facts/record_reader.h"

namespace orrery {

// `head`: the first bytes; `whole`: there are no more. `ending` (".csv", ".tsv", …) says which
// separator is tried first. One with a header of known titles wins, else the one that gives most
// lines the same number of columns.
TableForm table_form(std::string_view head, bool whole, std::string_view ending,
                     const ColumnRequest& request = {});

// The fields of the first line.
std::vector<std::string> first_row(std::string_view head, TableForm form);

// "sep=;", with which spreadsheets say their separator in the first line.
bool is_separator_line(std::string_view line);

std::string_view name_of_separator(char separator);  // "TAB", "comma", …

}  // namespace orrery
