// A server of a few files on 127.0.0.1 that can be told to misbehave in the ways real ones do.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace orrery {

class FileServer {
 public:
  struct Behaviour {
    int break_first = 0;        // so many answers end in the middle of what they announced
    int busy_first = 0;         // so many answers are "503"
    bool ignore_range = false;  // always the whole file
    bool shift_range = false;   // a range is answered with one that begins a byte later
    bool redirect = false;      // everything has moved to /moved/NAME
    // And as hostile ones do:
    std::string redirect_to;         // everything has moved to this address
    bool redirect_loop = false;      // everything has moved to where it is
    bool endless = false;            // the body goes on until the peer hangs up
    bool trickle = false;            // so does it, a byte at a time
    bool endless_header = false;     // so do the headers
    bool unannounced = false;        // no Content-Length; the connection closes at the end
    std::int64_t announce_more = 0;  // Content-Length is wrong by so many bytes
    bool hold = false;               // the connection is said to stay open
    std::string more_headers;        // as they are, each with its "\r\n"
  };

  explicit FileServer(std::map<std::string, std::string> files_to_serve)
      : files(std::move(files_to_serve)), socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    auto* plain = reinterpret_cast<sockaddr*>(&address);
    if (bind(socket_, plain, size) != 0 || listen(socket_, 16) != 0 ||
        getsockname(socket_, plain, &size) != 0) {
      throw std::runtime_error("no port to serve files on");
    }
    url_ = fmt::format("http://127.0.0.1:{}/files", ntohs(address.sin_port));
    thread_ = std::thread([this] { serve(); });
  }
  ~FileServer() { stop(); }
  FileServer(const FileServer&) = delete;
  FileServer& operator=(const FileServer&) = delete;

  const std::string& url() const { return url_; }

  // "NAME" or "NAME from OFFSET", in the order they came.
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

  void stop() {
    if (!thread_.joinable()) return;
    shutdown(socket_, SHUT_RDWR);
    thread_.join();
    close(socket_);
  }

  // To be changed only while no request is under way.
  std::map<std::string, std::string> files;
  Behaviour behaviour;

 private:
  void serve() {
    while (true) {
      const int peer = accept(socket_, nullptr, nullptr);
      if (peer < 0) return;
      std::string head;
      char bytes[4096];
      while (head.find("\r\n\r\n") == std::string::npos) {
        const ssize_t size = recv(peer, bytes, sizeof(bytes), 0);
        if (size <= 0) break;
        head.append(bytes, static_cast<std::size_t>(size));
      }
      respond(peer, answer(head));
      close(peer);
    }
  }

  void respond(int peer, const std::string& text) const {
    const std::size_t body = text.find("\r\n\r\n") + 4;
    if (behaviour.endless_header) {
      send_all(peer, "HTTP/1.1 200 OK\r\n");
      while (send_all(peer, "X-More: " + std::string(900, 'x') + "\r\n")) continue;
    } else if (behaviour.trickle) {
      send_all(peer, std::string_view(text).substr(0, body));
      while (send_all(peer, "x")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    } else if (behaviour.endless) {
      const std::string more(1 << 16, 'x');
      send_all(peer, text);
      while (send_all(peer, more)) continue;
    } else {
      send_all(peer, text);
    }
  }

  // False when the peer has hung up.
  static bool send_all(int peer, std::string_view text) {
    while (!text.empty()) {
      const ssize_t sent = send(peer, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  std::string reply(std::string_view status, std::string_view headers,
                    std::string_view body) const {
    const auto announced = static_cast<std::int64_t>(body.size()) + behaviour.announce_more;
    return fmt::format(
        "HTTP/1.1 {}\r\n{}{}{}{}\r\n{}", status, behaviour.hold ? "" : "Connection: close\r\n",
        behaviour.unannounced ? "" : fmt::format("Content-Length: {}\r\n", announced),
        behaviour.more_headers, headers, body);
  }

  std::string answer(const std::string& head) {
    const std::string target = head.substr(4, head.find(' ', 4) - 4);  // "GET /files/NAME HTTP/1.1"
    const std::string name = target.substr(target.rfind('/') + 1);
    const std::size_t range = head.find("Range: bytes=");
    const std::size_t offset = range == std::string::npos ? 0 : std::stoul(head.substr(range + 13));
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(offset > 0 ? fmt::format("{} from {}", name, offset) : name);
    }
    if (std::exchange(behaviour.busy_first, std::max(behaviour.busy_first - 1, 0)) > 0) {
      return reply("503 Busy", "", "come back later");
    }
    if (!behaviour.redirect_to.empty() || behaviour.redirect_loop) {
      return reply(
          "302 Found",
          fmt::format("Location: {}\r\n", behaviour.redirect_loop ? target : behaviour.redirect_to),
          "elsewhere");
    }
    if (behaviour.redirect && !target.starts_with("/moved/")) {
      return reply("302 Found", fmt::format("Location: /moved/{}\r\n", name), "elsewhere");
    }
    if (!files.contains(name)) return reply("404 Not Found", "", "no such page");
    std::string text = answer_file(files.at(name), behaviour.ignore_range ? 0 : offset);
    if (std::exchange(behaviour.break_first, std::max(behaviour.break_first - 1, 0)) > 0) {
      const std::size_t body = text.find("\r\n\r\n") + 4;
      text.resize(body + (text.size() - body) / 2);
    }
    return text;
  }

  std::string answer_file(const std::string& file, std::size_t offset) const {
    if (offset == 0) return reply("200 OK", "", file);
    if (offset >= file.size()) return reply("416 Range Not Satisfiable", "", "");
    if (behaviour.shift_range) ++offset;
    const auto where =
        fmt::format("content-range: bytes {}-{}/{}\r\n", offset, file.size() - 1, file.size());
    return reply("206 Partial Content", where, std::string_view(file).substr(offset));
  }

  int socket_;
  std::string url_;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<std::string> requests_;
};

}  // namespace orrery
