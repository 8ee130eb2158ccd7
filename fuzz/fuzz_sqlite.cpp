// Any bytes as an SQLite file: rows, or one Error; never anything else.
#include "facts/formats.h"
#include "fuzz_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const orrery::ScratchFile file(".db", {data, size});
  orrery::read_records([&] { return orrery::read_sqlite(file.path(), ""); });
  return 0;
}
