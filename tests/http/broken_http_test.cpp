// What no client should send.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "http/running_server.h"

namespace orrery {
namespace {

using namespace testing;

TEST_F(ServerTest, BrokenHttpIsRefusedAndTheServerGoesOn) {
  Server server(models(), any_port());
  const std::string host = "Host: localhost\r\n";
  const std::string post =
      "POST /api/predict HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n";
  const std::pair<std::string, std::vector<int>> broken[] = {
      {"\r\n\r\n", {400}},
      {"nonsense\r\n\r\n", {400}},
      {"GET\r\n\r\n", {400}},
      {"GET / HTTP/9.9\r\n" + host + "\r\n", {400}},
      {"GET /healthz HTTP/1.1\r\n\r\n", {400}},
      {"BREW /healthz HTTP/1.1\r\n" + host + "\r\n", {400, 405}},
      {"TRACE /healthz HTTP/1.1\r\n" + host + "\r\n", {405}},
      {"GET /healthz HTTP/1.1\r\n" + host + "no colon here\r\n\r\n", {200, 400}},
      {"GET /%zz%00%ff HTTP/1.1\r\n" + host + "\r\n", {404}},
      {"GET /api/entities?query=%ff%fe HTTP/1.1\r\n" + host + "\r\n", {422}},
      {"GET /api/entities?query=a%00b HTTP/1.1\r\n" + host + "\r\n", {422}},
      {"GET /api/entities?&&&=&==& HTTP/1.1\r\n" + host + "\r\n", {200, 422}},
      {"GET http://evil.example.org/healthz HTTP/1.1\r\n" + host + "\r\n", {200, 400, 404}},
      {"GET /healthz HTTP/1.1\r\nHost: evil.example.org\r\n\r\n", {403}},
      {"GET /../../etc/passwd HTTP/1.1\r\n" + host + "\r\n", {404}},
      {"GET /" + std::string(7000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", {404, 414}},
      {"GET /" + std::string(100'000, 'a') + " HTTP/1.1\r\n" + host + "\r\n", {431}},
      {"GET / HTTP/1.1\r\n" + host + "X: " + std::string(100'000, 'a') + "\r\n\r\n", {400, 431}},
      {"GET /healthz HTTP/1.1\r\n" + host + "Range: bytes=0-0,0-0,0-0\r\n\r\n", {200}},
      {"GET /healthz HTTP/1.1\r\n" + host + "Range: nonsense\r\n\r\n", {200, 416}},
      {post + "\r\n", {411}},
      {post + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", {400}},
      {post + "Content-Length: -5\r\n\r\nhello", {400}},
      {post + "Content-Length: 99999999999999999999\r\n\r\n", {400}},
      {post + "Content-Length: 99999999\r\n\r\n", {413}},
      {post + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}", {400}},
      {post + "Transfer-Encoding: chunked\r\n\r\nzzzz\r\n{}\r\n0\r\n\r\n", {400}},
      {post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n{}", {400, 408, 413}},
      {post + "Transfer-Encoding: chunked\r\n\r\n-2\r\n{}\r\n0\r\n\r\n", {400, 408, 413}},
      {post + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}garbage", {400, 408}},
      {post + "Transfer-Encoding: gzip\r\n\r\n", {400}},
      {post + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}", {415}},
      {post + "Content-Length: 10\r\n\r\n{", {400, 408}},
      {"GET /healthz HTTP/1.1\r\n" + host, {400, 408}},
      {"GET /heal", {400, 408}},
  };
  for (const auto& [bytes, expected] : broken) {
    TinyClient client(server.port());
    client.send(bytes);
    const Reply reply = client.read();
    EXPECT_NE(std::ranges::find(expected, reply.status), expected.end())
        << reply.status << " to " << bytes.substr(0, 150);
    EXPECT_EQ(reply.json().contains("error"), reply.status >= 400) << reply.body;
    EXPECT_EQ(TinyClient(server.port()).get("/healthz").status, 200) << bytes.substr(0, 150);
  }
  std::uint64_t at = 0;
  for (int i = 0; i < 100; ++i) {
    std::string noise(random_below(7, at++, 600), '\0');
    for (char& c : noise) c = static_cast<char>(random_below(8, at++, 256));
    TinyClient client(server.port());
    client.send(noise + "\r\n\r\n");
    client.end_sending();
    const Reply reply = client.read();
    EXPECT_TRUE(reply.status == 0 || reply.status == 400 || reply.status == 414) << reply.status;
  }
  EXPECT_EQ(TinyClient(server.port()).get("/healthz").status, 200);
}

TEST_F(ServerTest, WhatIsLeftOfARequestIsNeverTheNext) {
  Server server(models(), any_port());
  const std::string hidden = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const std::string line : {"POST /nothing", "PUT /api/predict", "GET /healthz"}) {
    TinyClient client(server.port());
    client.send(fmt::format("{} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{}", line,
                            hidden.size(), hidden));
    EXPECT_NE(client.read().status, 0) << line;
    EXPECT_EQ(client.read().status, 0) << line;
  }
}

TEST_F(ServerTest, ABodyMayComeInChunks) {
  Server server(models(), any_port());
  TinyClient client(server.port());
  const std::string body = json_of(small_question(2), 3).dump();
  client.send(
      fmt::format("POST /api/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                  "application/json\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n"
                  "{:x}\r\n{}\r\n0\r\n\r\n",
                  10, body.substr(0, 10), body.size() - 10, body.substr(10)));
  const Reply reply = client.read();
  EXPECT_EQ(reply.status, 200) << reply.body;
  EXPECT_TRUE(is_answer_of(small_model(1), reply.json(), small_question(2)));
  EXPECT_EQ(client.get("/healthz").status, 200);
}

}  // namespace
}  // namespace orrery
