// Reads all records of a format: each is fields or a problem; a refusal is a request Error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "facts/memory_source.h"
#include "facts/record_reader.h"
#include "orrery/error.h"
#include "scratch_file.h"

namespace orrery {

inline std::unique_ptr<ByteSource> fuzzed_bytes(const std::uint8_t* data, std::size_t size) {
  return std::make_unique<MemorySource>(std::string(reinterpret_cast<const char*>(data), size));
}

inline void read_records(const std::function<std::unique_ptr<RecordReader>()>& open) {
  try {
    const auto reader = open();
    Record record;
    while (reader->next(record)) {
      if (record.problem != nullptr) {
        must(!std::string_view(record.problem).empty());
        continue;
      }
      must(record.fields.size() == reader->titles().size());
      // Touches every byte, so that a view into freed memory is seen.
      volatile char last = 0;
      for (const std::string_view field : record.fields) {
        for (const char byte : field) last = byte;
      }
      static_cast<void>(last);
    }
  } catch (const Error& error) {
    must(error.kind() == Error::Kind::request);
    must(!error.place().file.empty());
  }
}

}  // namespace orrery
