// A table in memory as rows of columns.
#pragma once

#include "facts/open_records.h"
#include "orrery/dataset.h"

namespace orrery {

// Columns that differ in length, and codes that no text has, are request Errors. The table must
// outlive the reader.
OpenedRecords open_table(const FactTable& table);

}  // namespace orrery
