// A real server on a free port, its clients and what they may expect.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <vector>

#include "http/listener.h"
#include "http/small_models.h"
#include "http/tiny_client.h"
#include "orrery/serve.h"

namespace orrery::testing {

using namespace std::chrono_literals;

inline nlohmann::json json_of(const Question& question, std::size_t top) {
  nlohmann::json json = {{"relation", question.relation}, {"time", question.time}, {"top", top}};
  if (!question.subject.empty()) json["subject"] = question.subject;
  if (!question.object.empty()) json["object"] = question.object;
  return json;
}

inline bool is_answer_of(const Model& model, const nlohmann::json& answered,
                         const Question& question) {
  if (!answered.contains("answers")) return false;
  const Answers expected = model.predict(question, {.top = answered["answers"].size()});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& answer = answered["answers"][i];
    if (std::abs(answer["score"].get<double>() - expected[i].score) > 1e-4) return false;
  }
  return true;
}

inline ServeOptions any_port() {
  ServeOptions options;
  options.port = 0;
  options.watching = 5ms;
  options.limits.reading = 300ms;
  return options;
}

class ServerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    try {
      require_http();
    } catch (const Error& error) {
      GTEST_SKIP() << error.what();
    }
  }

  static std::vector<NamedModel> models() {
    return {{"first", small_model(1)}, {"second", small_model(2)}};
  }
};

}  // namespace orrery::testing
