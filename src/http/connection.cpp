#include "http/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace orrery {
namespace {

using std::chrono::milliseconds;

int milliseconds_until(Connection::Clock::time_point deadline) {
  const auto left = std::chrono::ceil<milliseconds>(deadline - Connection::Clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 3'600'000));
}

}  // namespace

Connection::Connection(int socket, int stop, const ServeLimits& limits)
    : socket_(socket), stop_(stop), limits_(limits) {
  const int yes = 1;  // an answer is one piece: nothing to wait for
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
}

Connection::~Connection() { close(socket_); }

// An error of the socket counts as ready: the read or write that follows tells it.
bool Connection::wait_until(Clock::time_point deadline, short events, bool or_stop) const {
  std::array<pollfd, 2> watched{{{socket_, events, 0}, {or_stop ? stop_ : -1, POLLIN, 0}}};
  while (true) {
    const int ready = poll(watched.data(), watched.size(), milliseconds_until(deadline));
    if (ready < 0 && errno == EINTR) continue;
    return ready > 0 && watched[0].revents != 0;
  }
}

ssize_t Connection::receive(char* bytes, std::size_t size) {
  while (true) {
    const ssize_t got = recv(socket_, bytes, size, MSG_DONTWAIT);
    if (got >= 0 || errno != EINTR) return got;
  }
}

bool Connection::await_request() {
  head_left_ = limits_.header_bytes;
  awaited_ = Clock::now();
  if (read_so_far_ == unread_.size()) {
    if (!wait_until(Clock::now() + limits_.idle, POLLIN, true)) return false;
    unread_.resize(limits_.header_bytes);
    const ssize_t got = receive(unread_.data(), unread_.size());
    unread_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    read_so_far_ = 0;
    if (got <= 0) return false;
  }
  begun_ = Clock::now();
  deadline_ = begun_ + limits_.reading;
  return true;
}

bool Connection::readable() const {
  return read_so_far_ < unread_.size() || wait_until(deadline_, POLLIN, false);
}

ssize_t Connection::read(char* bytes, std::size_t size) {
  if (head_left_ == 0) {
    fault_ = Fault::head_too_large;
    return -1;
  }
  size = std::min(size, head_left_);
  if (read_so_far_ == unread_.size()) {
    if (!unsent_.empty()) send();  // "100 Continue", which the client waits for
    if (!readable()) {
      fault_ = Fault::too_slow;
      return -1;
    }
    // Large pieces of a body go where they are wanted, small ones are fetched ahead.
    constexpr std::size_t ahead = 4096;
    if (size >= ahead) return receive(bytes, size);
    unread_.resize(ahead);
    const ssize_t got = receive(unread_.data(), ahead);
    unread_.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
    read_so_far_ = 0;
    if (got <= 0) return got;
  }
  const std::size_t piece = std::min(size, unread_.size() - read_so_far_);
  std::memcpy(bytes, unread_.data() + read_so_far_, piece);
  read_so_far_ += piece;
  if (head_left_ != unlimited) head_left_ -= piece;
  return static_cast<ssize_t>(piece);
}

bool Connection::send() {
  const auto deadline = Clock::now() + limits_.reading;
  std::string_view rest = unsent_;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent > 0) {
      rest.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EINTR) {
      continue;
    } else if ((errno != EAGAIN && errno != EWOULDBLOCK) || !wait_until(deadline, POLLOUT, false)) {
      break;
    }
  }
  const bool all = rest.empty();
  unsent_.clear();
  return all;
}

// A socket that is closed with bytes unread resets the connection, and the answer may be lost.
void Connection::finish() {
  if (!send() || shutdown(socket_, SHUT_WR) != 0) return;
  const auto deadline = Clock::now() + milliseconds(500);
  std::array<char, 4096> ignored;
  while (wait_until(deadline, POLLIN, true))
    if (Clock::now() > deadline || receive(ignored.data(), ignored.size()) <= 0) return;
}

}  // namespace orrery
