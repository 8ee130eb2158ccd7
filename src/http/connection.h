// One client's socket, with limits on how much and how long it may send. What is written is
// gathered and sent as one.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "orrery/serve.h"

namespace orrery {

class Connection {
 public:
  using Clock = std::chrono::steady_clock;
  // Why reading has failed, where the client is to blame.
  enum class Fault { none, head_too_large, too_slow };

  // Owns the socket. `stop` is a descriptor that becomes readable when the server stops.
  Connection(int socket, int stop, const ServeLimits& limits);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Waits for the first byte of a request; false: the client has gone, or the server stops.
  bool await_request();
  // The head is there: from now on bytes are the body's.
  void end_head() {
    head_left_ = unlimited;
    awaited_ = Clock::time_point();
  }
  // From any thread: since when the head of a request is awaited. Zero: it has come.
  Clock::time_point awaited() const { return awaited_; }

  // Up to `size` bytes; 0: the client has closed, -1: an error or a limit.
  ssize_t read(char* bytes, std::size_t size);
  bool readable() const;
  void write(std::string_view bytes) { unsent_ += bytes; }
  // Sends what is gathered; false: the client does not take it.
  bool send();
  // Sends, and ends it so that the client can read all of the answer, although parts of its
  // request were never read.
  void finish();

  int socket() const { return socket_; }
  Fault fault() const { return fault_; }
  Clock::time_point begun() const { return begun_; }

 private:
  static constexpr std::size_t unlimited = ~std::size_t{0};

  bool wait_until(Clock::time_point deadline, short events, bool or_stop) const;
  ssize_t receive(char* bytes, std::size_t size);

  int socket_, stop_;
  const ServeLimits& limits_;
  std::size_t head_left_ = unlimited;
  Clock::time_point begun_, deadline_;
  std::atomic<Clock::time_point> awaited_ = Clock::time_point();
  Fault fault_ = Fault::none;
  std::string unsent_, unread_;
  std::size_t read_so_far_ = 0;  // of unread_
};

}  // namespace orrery
