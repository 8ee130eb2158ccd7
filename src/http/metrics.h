// Counts and times of a server, in the text form that Prometheus reads.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace orrery {

// How many observations were at most so large; counted from many threads at once.
class Histogram {
 public:
  explicit Histogram(std::vector<double> bounds)
      : bounds_(std::move(bounds)), counts_(bounds_.size() + 1) {}

  void add(double value);
  // Lines NAME_bucket, NAME_sum and NAME_count.
  std::string text(const std::string& name, const std::string& labels) const;

 private:
  std::vector<double> bounds_;
  std::vector<std::atomic<std::uint64_t>> counts_;
  std::atomic<double> sum_ = 0;
};

class Metrics {
 public:
  explicit Metrics(std::span<const std::string> models);

  void count_request(const std::string& endpoint, int status, double seconds);
  void count_batch(std::size_t questions);
  void count_load(const std::string& model, bool loaded, double seconds);

  // One request while it lives.
  class InFlight {
   public:
    explicit InFlight(Metrics& metrics) : metrics_(metrics) { ++metrics_.in_flight_; }
    ~InFlight() { --metrics_.in_flight_; }
    InFlight(const InFlight&) = delete;
    InFlight& operator=(const InFlight&) = delete;

   private:
    Metrics& metrics_;
  };

  std::string text() const;

 private:
  struct Loads {
    std::uint64_t loaded = 0, failed = 0;
    double seconds = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;  // by endpoint and status
  std::map<std::string, Histogram> seconds_;                       // by endpoint
  std::map<std::string, Loads> loads_;                             // by model
  Histogram batches_;
  std::atomic<std::uint64_t> questions_ = 0;
  std::atomic<std::int64_t> in_flight_ = 0;
  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
};

}  // namespace orrery
