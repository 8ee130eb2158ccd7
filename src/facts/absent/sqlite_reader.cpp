// A build without SQLite.
#include "base/error.h"
#include "facts/formats.h"

namespace orrery {

bool reads_sqlite() { return false; }

std::unique_ptr<RecordReader> read_sqlite(const std::filesystem::path& file,
                                          const std::string& /*query*/) {
  fail_request(
      About{.place = {file.string()},
            .advice = "export the table as CSV, or install libsqlite3-dev and build again"},
      "this build cannot read SQLite files: it was built without SQLite");
}

}  // namespace orrery
