// A build without serd.
#include <utility>

#include "base/error.h"
#include "facts/formats.h"

namespace orrery {

bool reads_rdf() { return false; }

std::unique_ptr<RecordReader> read_rdf(std::unique_ptr<ByteSource> /*bytes*/, std::string name,
                                       RdfSyntax /*syntax*/) {
  fail_request(About{.place = {std::move(name)},
                     .advice = "convert the file to CSV, or install libserd-dev and build again"},
               "this build cannot read RDF: it was built without serd");
}

}  // namespace orrery
