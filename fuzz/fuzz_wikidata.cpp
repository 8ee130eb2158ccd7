// Any bytes as entities of Wikidata: records, or one Error; never anything else.
#include "facts/formats.h"
#include "fuzz_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  orrery::read_records(
      [&] { return orrery::read_wikidata(orrery::fuzzed_bytes(data, size), "dump.json"); });
  return 0;
}
