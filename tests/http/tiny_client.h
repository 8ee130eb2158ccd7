// A client on a plain socket, which can also send what no client should.
#pragma once

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace orrery::testing {

struct Reply {
  int status = 0;  // 0: the connection ended without one
  std::string head, body;

  nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
  bool has(const std::string& header) const { return head.find(header) != std::string::npos; }
};

class TinyClient {
 public:
  explicit TinyClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{20, 0};
    setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = ::connect(socket_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~TinyClient() { ::close(socket_); }
  TinyClient(const TinyClient&) = delete;
  TinyClient& operator=(const TinyClient&) = delete;

  bool connected() const { return connected_; }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }
  void end_sending() const { ::shutdown(socket_, SHUT_WR); }

  Reply read() {
    std::size_t end = 0;
    while ((end = unread_.find("\r\n\r\n")) == std::string::npos)
      if (!receive()) return {};
    Reply reply{0, unread_.substr(0, end + 2), ""};
    unread_.erase(0, end + 4);
    reply.status = std::atoi(reply.head.c_str() + std::string("HTTP/1.1 ").size());
    const auto length_at = reply.head.find("Content-Length: ");
    const std::size_t length = length_at == std::string::npos
                                   ? 0
                                   : std::strtoul(reply.head.c_str() + length_at + 16, nullptr, 10);
    const std::size_t wanted = head_only_ || reply.status == 304 ? 0 : length;
    while (unread_.size() < wanted)
      if (!receive()) return {};
    reply.body = unread_.substr(0, wanted);
    unread_.erase(0, wanted);
    return reply;
  }

  Reply ask(const std::string& method, const std::string& path, const std::string& body = "",
            const std::string& headers = "") {
    head_only_ = method == "HEAD";
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\n{}", method, path, headers);
    if (!body.empty())
      text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size());
    send(text + "\r\n" + body);
    return read();
  }
  Reply get(const std::string& path, const std::string& headers = "") {
    return ask("GET", path, "", headers);
  }
  Reply predict(const nlohmann::json& question, const std::string& headers = "") {
    return ask("POST", "/api/predict", question.dump(), headers);
  }

  // Nothing more comes: the server has closed.
  bool ended() {
    char byte = 0;
    return unread_.empty() && ::recv(socket_, &byte, 1, 0) <= 0;
  }

 private:
  bool receive() {
    char bytes[4096];
    const ssize_t got = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (got > 0) unread_.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  }

  int socket_;
  bool connected_ = false, head_only_ = false;
  std::string unread_;
};

}  // namespace orrery::testing
