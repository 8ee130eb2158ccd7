#include "http/metrics.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(Metrics, CountWhatHappens) {
  const std::vector<std::string> models = {"a\"b"};
  Metrics metrics(models);
  metrics.count_request("/api/predict", 200, 0.0002);
  metrics.count_request("/api/predict", 200, 0.3);
  metrics.count_request("/api/predict", 422, 100);
  metrics.count_batch(3);
  metrics.count_load("a\"b", true, 1.5);
  metrics.count_load("a\"b", false, 9);
  const Metrics::InFlight one(metrics);
  const std::string text = metrics.text();
  for (const char* line :
       {"orrery_requests_total{endpoint=\"/api/predict\",status=\"200\"} 2\n",
        "orrery_requests_total{endpoint=\"/api/predict\",status=\"422\"} 1\n",
        "orrery_request_seconds_bucket{endpoint=\"/api/predict\",le=\"0.0001\"} 0\n",
        "orrery_request_seconds_bucket{endpoint=\"/api/predict\",le=\"0.00025\"} 1\n",
        "orrery_request_seconds_bucket{endpoint=\"/api/predict\",le=\"0.5\"} 2\n",
        "orrery_request_seconds_bucket{endpoint=\"/api/predict\",le=\"+Inf\"} 3\n",
        "orrery_request_seconds_count{endpoint=\"/api/predict\"} 3\n", "orrery_questions_total 3\n",
        "orrery_batch_questions_bucket{le=\"2\"} 0\n",
        "orrery_batch_questions_bucket{le=\"4\"} 1\n", "orrery_batch_questions_count 1\n",
        "orrery_requests_in_flight 1\n", "orrery_model_load_seconds{model=\"a\\\"b\"} 1.5\n",
        "orrery_model_loads_total{model=\"a\\\"b\"} 1\n",
        "orrery_model_load_failures_total{model=\"a\\\"b\"} 1\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << "\nis not in\n" << text;
}

}  // namespace
}  // namespace orrery
