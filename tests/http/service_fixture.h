// A service of two small models, without a socket, and what is asked of it.
#pragma once

#include <gtest/gtest.h>

#include "http/service.h"
#include "http/small_models.h"

namespace orrery::testing {

class Watching : public ServeObserver {
 public:
  void on_request(const ServedRequest& request) override { requests.push_back(request); }
  void on_fault(const std::string& fault) override { faults.push_back(fault); }
  std::vector<ServedRequest> requests;
  std::vector<std::string> faults;
};

class ServiceTest : public ::testing::Test {
 protected:
  static ServeOptions options() {
    ServeOptions options;
    options.limits.questions = 8;
    options.limits.top = 20;
    return options;
  }

  static std::vector<std::unique_ptr<ServedModel>> models(Metrics& metrics) {
    std::vector<std::unique_ptr<ServedModel>> models;
    for (const auto& [name, seed] : {std::pair("first", 1), std::pair("second", 2)})
      models.push_back(std::make_unique<ServedModel>(
          name, std::make_unique<ModelVersion>(small_model(static_cast<std::uint64_t>(seed)),
                                               small_data(), options().limits, metrics)));
    return models;
  }

  static HttpRequest request(const std::string& method, const std::string& path) {
    return {.method = method,
            .path = path,
            .query = {},
            .headers = {{"host", "localhost"}},
            .body = {}};
  }

  HttpResponse get(const std::string& path, const HttpPairs& query = {}) {
    HttpRequest head = request("GET", path);
    head.query = query;
    return service_.answer_head(head).value();
  }

  HttpResponse post(const std::string& body, const std::string& path = "/api/predict") {
    HttpRequest whole = request("POST", path);
    whole.headers.emplace_back("content-type", "application/json");
    whole.headers.emplace_back("content-length", std::to_string(body.size()));
    if (auto refused = service_.answer_head(whole)) return *refused;
    whole.body = body;
    return service_.answer(whole);
  }

  static nlohmann::json json(const HttpResponse& response) {
    return nlohmann::json::parse(response.body);
  }

  // A sentence that says nothing of this machine.
  static void expect_error(const HttpResponse& response, int status, const std::string& about) {
    EXPECT_EQ(response.status, status) << about << response.body;
    ASSERT_TRUE(nlohmann::json::accept(response.body)) << about;
    const auto error = json(response).at("error");
    EXPECT_FALSE(error.at("message").get<std::string>().empty()) << about;
    for (const char* leak : {"/tmp", "/home", "/usr", "json.exception", "std::", ".cpp", "what()"})
      EXPECT_EQ(response.body.find(leak), std::string::npos) << about << response.body;
  }

  Metrics metrics_{std::vector<std::string>{"first", "second"}};
  Watching watching_;
  Service service_{options(), metrics_, models(metrics_), &watching_};
};

}  // namespace orrery::testing
