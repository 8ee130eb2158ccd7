// A build without simdjson.
#include <utility>

#include "base/error.h"
#include "facts/formats.h"

namespace orrery {
namespace {

[[noreturn]] void refuse(std::string name) {
  fail_request(
      About{.place = {std::move(name)},
            .advice = "convert the file to CSV, or install libsimdjson-dev and build again"},
      "this build cannot read JSON: it was built without simdjson");
}

}  // namespace

bool reads_json() { return false; }

std::unique_ptr<RecordReader> read_json(std::unique_ptr<ByteSource> /*bytes*/, std::string name) {
  refuse(std::move(name));
}

std::unique_ptr<RecordReader> read_wikidata(std::unique_ptr<ByteSource> /*bytes*/,
                                            std::string name) {
  refuse(std::move(name));
}

}  // namespace orrery
