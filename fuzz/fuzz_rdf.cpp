// Any bytes as RDF, the first choosing the syntax: records, or one Error; never anything else.
#include <array>

#include "facts/formats.h"
#include "fuzz_records.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using orrery::RdfSyntax;
  static constexpr std::array syntaxes = {RdfSyntax::n_triples, RdfSyntax::n_quads,
                                          RdfSyntax::turtle, RdfSyntax::trig};
  if (size == 0) return 0;
  orrery::read_records([&] {
    return orrery::read_rdf(orrery::fuzzed_bytes(data + 1, size - 1), "facts.rdf",
                            syntaxes[data[0] % syntaxes.size()]);
  });
  return 0;
}
