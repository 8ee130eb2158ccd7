// JSON as a result on stdout.
#pragma once

#include <nlohmann/json.hpp>

#include "output.h"

namespace orrery {

// Paths may hold bytes that are not UTF-8; in JSON they become U+FFFD.
template <class Json>
void print_json(const Json& json, int indent = 2) {
  to_stdout("{}\n", json.dump(indent, ' ', false, Json::error_handler_t::replace));
}

}  // namespace orrery
