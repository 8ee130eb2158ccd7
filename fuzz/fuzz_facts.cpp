// Any bytes as a facts file: facts, bad lines that say why, or one Error; never anything else.
#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>

#include "facts/fact_reader.h"
#include "orrery/error.h"
#include "scratch_file.h"

namespace orrery {
namespace {

// Touches every byte, so that a view into freed memory is seen.
void check_readable(std::string_view text) {
  volatile char last = 0;
  for (const char byte : text) last = byte;
  static_cast<void>(last);
}

void read_all(const std::filesystem::path& path) {
  SetColumns columns;
  FactReader reader(path, columns);
  std::uint64_t last_line = 0;
  for (;;) {
    const FactReader::Outcome outcome = reader.next();
    if (outcome == FactReader::Outcome::end) return;
    must(reader.line() > last_line);
    last_line = reader.line();
    if (outcome == FactReader::Outcome::bad) {
      must(!reader.problem().empty());
      continue;
    }
    must(columns.decided);
    const FactText& fact = reader.fact();
    for (const auto field : {fact.subject, fact.relation, fact.object, fact.start, fact.end}) {
      check_readable(field);
    }
  }
}

}  // namespace
}  // namespace orrery

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static constexpr std::array endings = {".tsv",    ".csv",     ".tsv.gz",
                                         ".csv.gz", ".tsv.zst", ".csv.zst"};
  if (size == 0) return 0;
  const orrery::ScratchFile file(endings[data[0] % endings.size()], {data + 1, size - 1});
  try {
    orrery::read_all(file.path());
  } catch (const orrery::Error& error) {
    orrery::must(error.kind() == orrery::Error::Kind::request);
    orrery::must(error.place().file == file.path());
  }
  return 0;
}
