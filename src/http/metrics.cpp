#include "http/metrics.h"

#include <fmt/format.h>

#include <algorithm>

#include "orrery/version.h"

namespace orrery {
namespace {

std::string head(const char* name, const char* type, const char* help) {
  return fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
}

// A label's value; names of models come from directories.
std::string quoted(const std::string& value) {
  std::string text = "\"";
  for (const char c : value) {
    if (c == '\n') {
      text += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::vector<double> latency_bounds() {
  return {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
          0.1,    0.25,    0.5,    1,     2.5,    5,     10,   30};
}

}  // namespace

void Histogram::add(double value) {
  const auto bucket = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  ++counts_[static_cast<std::size_t>(bucket)];
  sum_ += value;
}

std::string Histogram::text(const std::string& name, const std::string& labels) const {
  std::string text;
  std::uint64_t so_far = 0;
  const std::string comma = labels.empty() ? "" : ",";
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    so_far += counts_[i];
    const std::string bound = i < bounds_.size() ? fmt::format("{}", bounds_[i]) : "+Inf";
    text += fmt::format("{}_bucket{{{}{}le=\"{}\"}} {}\n", name, labels, comma, bound, so_far);
  }
  const std::string braces = labels.empty() ? "" : "{" + labels + "}";
  text +=
      fmt::format("{}_sum{} {}\n{}_count{} {}\n", name, braces, sum_.load(), name, braces, so_far);
  return text;
}

Metrics::Metrics(std::span<const std::string> models)
    : batches_({1, 2, 4, 8, 16, 32, 64, 128, 256, 512}) {
  for (const std::string& model : models) loads_[model] = {};
}

void Metrics::count_request(const std::string& endpoint, int status, double seconds) {
  const std::lock_guard lock(mutex_);
  ++requests_[{endpoint, status}];
  seconds_.try_emplace(endpoint, latency_bounds()).first->second.add(seconds);
}

void Metrics::count_batch(std::size_t questions) {
  batches_.add(static_cast<double>(questions));
  questions_ += questions;
}

void Metrics::count_load(const std::string& model, bool loaded, double seconds) {
  const std::lock_guard lock(mutex_);
  Loads& loads = loads_[model];
  ++(loaded ? loads.loaded : loads.failed);
  if (loaded) loads.seconds = seconds;
}

std::string Metrics::text() const {
  std::string text = head("orrery_build_info", "gauge", "The version of the server.");
  text += fmt::format("orrery_build_info{{version=\"{}\"}} 1\n", version());
  text += head("orrery_start_time_seconds", "gauge", "When the server started, in Unix time.");
  text += fmt::format("orrery_start_time_seconds {}\n",
                      std::chrono::duration<double>(started_.time_since_epoch()).count());
  text += head("orrery_requests_in_flight", "gauge", "Requests that are being answered.");
  text += fmt::format("orrery_requests_in_flight {}\n", in_flight_.load());
  text += head("orrery_questions_total", "counter", "Questions that models were asked.");
  text += fmt::format("orrery_questions_total {}\n", questions_.load());
  text += head("orrery_batch_questions", "histogram", "Questions answered in one call of a model.");
  text += batches_.text("orrery_batch_questions", "");

  const std::lock_guard lock(mutex_);
  text += head("orrery_requests_total", "counter", "Requests by endpoint and status.");
  for (const auto& [key, count] : requests_)
    text += fmt::format("orrery_requests_total{{endpoint={},status=\"{}\"}} {}\n",
                        quoted(key.first), key.second, count);
  text += head("orrery_request_seconds", "histogram",
               "Seconds from a request's first byte to its answer.");
  for (const auto& [endpoint, histogram] : seconds_)
    text += histogram.text("orrery_request_seconds", "endpoint=" + quoted(endpoint));
  text += head("orrery_model_load_seconds", "gauge", "Seconds to open and verify a model.");
  for (const auto& [model, loads] : loads_)
    text += fmt::format("orrery_model_load_seconds{{model={}}} {}\n", quoted(model), loads.seconds);
  text += head("orrery_model_loads_total", "counter", "Model files taken up, the first included.");
  for (const auto& [model, loads] : loads_)
    text += fmt::format("orrery_model_loads_total{{model={}}} {}\n", quoted(model), loads.loaded);
  text +=
      head("orrery_model_load_failures_total", "counter", "Model files that could not be used.");
  for (const auto& [model, loads] : loads_)
    text += fmt::format("orrery_model_load_failures_total{{model={}}} {}\n", quoted(model),
                        loads.failed);
  return text;
}

}  // namespace orrery
