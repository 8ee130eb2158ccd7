// Why a request is refused, as the client is told.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "orrery/error.h"

namespace orrery {

struct Problem {
  int status = 422;
  std::string message = {};  // one sentence
  std::string field = {};    // to blame; empty: none in particular
  std::string advice = {};
};

// {"error": {"message": …, "field": …, "advice": …}}
inline nlohmann::ordered_json json_of(const Problem& problem) {
  nlohmann::ordered_json error = {{"message", problem.message}};
  if (!problem.field.empty()) error["field"] = problem.field;
  if (!problem.advice.empty()) error["advice"] = problem.advice;
  return {{"error", std::move(error)}};
}

// A wrong request is told without the place, which is a file of this machine; other kinds of
// Error are nothing that a client could mend.
inline Problem problem_of(const Error& error) {
  if (error.kind() != Error::Kind::request)
    return {500, "the server could not answer this; its log says why"};
  return {422, error.message(OptionStyle::keyword), error.option(),
          error.advice(OptionStyle::keyword)};
}

}  // namespace orrery
