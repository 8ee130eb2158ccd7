// Any bytes as JSON of facts: records, or one Error; never anything else.
#include "facts/formats.h"
#include "fuzz_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  orrery::read_records(
      [&] { return orrery::read_json(orrery::fuzzed_bytes(data, size), "facts.json"); });
  return 0;
}
