#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>

#include "http/running_server.h"
#include "orrery/error.h"

namespace orrery {
namespace {

using namespace testing;

TEST_F(ServerTest, ManyClientsGetTheModelsAnswers) {
  Server server(models(), any_port());
  std::atomic<int> right = 0;
  std::vector<std::thread> crowd;
  constexpr int clients = 64, rounds = 20;
  for (int c = 0; c < clients; ++c)
    crowd.emplace_back([&, c] {
      TinyClient client(server.port());
      ASSERT_TRUE(client.connected());
      for (int i = 0; i < rounds; ++i) {
        const Question question = small_question(static_cast<std::size_t>(c * 31 + i));
        const Reply reply = client.predict(json_of(question, 1 + static_cast<std::size_t>(c % 7)));
        ASSERT_EQ(reply.status, 200) << reply.body;
        right += is_answer_of(small_model(1), reply.json(), question) ? 1 : 0;
      }
    });
  for (auto& thread : crowd) thread.join();
  EXPECT_EQ(right, clients * rounds);
  EXPECT_TRUE(server.stop());
}

TEST_F(ServerTest, AConnectionIsKept) {
  Server server(models(), any_port());
  TinyClient client(server.port());
  EXPECT_EQ(client.get("/healthz").status, 200);
  EXPECT_EQ(client.ask("HEAD", "/healthz").status, 200);
  EXPECT_EQ(client.get("/nothing").status, 404);
  EXPECT_EQ(client.predict({{"subject", "nobody"}}).status, 422);
  EXPECT_EQ(client.get("/healthz").status, 200);
  // Two requests in one piece are answered one after the other.
  client.send(
      "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nothing HTTP/1.1\r\nHost: "
      "localhost\r\n\r\n");
  EXPECT_EQ(client.read().status, 200);
  EXPECT_EQ(client.read().status, 404);
  const Reply last = client.get("/healthz", "Connection: close\r\n");
  EXPECT_EQ(last.status, 200);
  EXPECT_TRUE(client.ended());
}

TEST_F(ServerTest, LimitsAreKept) {
  ServeOptions options = any_port();
  options.limits.body_bytes = 2000;
  options.limits.connections = 2;
  Server server(models(), options);
  {
    TinyClient first(server.port());
    EXPECT_EQ(first.ask("POST", "/api/predict", std::string(3000, ' ')).status, 413);
    EXPECT_TRUE(first.ended());
    std::string chunks;
    for (int i = 0; i < 300; ++i) chunks += "a\r\n          \r\n";
    TinyClient second(server.port());
    second.send(
        "POST /api/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        "Transfer-Encoding: chunked\r\n\r\n" +
        chunks + "0\r\n\r\n");
    EXPECT_EQ(second.read().status, 413);
    EXPECT_TRUE(second.ended());
  }
  // Those that are served keep their connections; one more is told so.
  const auto served = [&] {
    for (int tries = 0; tries < 1000; ++tries) {
      auto client = std::make_unique<TinyClient>(server.port());
      if (client->get("/healthz").status == 200) return client;
      std::this_thread::sleep_for(5ms);  // until the two before have left
    }
    throw std::runtime_error("no connection becomes free");
  };
  const auto a = served(), b = served();
  TinyClient one_more(server.port());
  const Reply refused = one_more.get("/healthz");
  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.has("Retry-After"));
  EXPECT_EQ(a->get("/healthz").status, 200);
  EXPECT_EQ(b->get("/healthz").status, 200);
  // Whoever says nothing for a second makes room.
  std::this_thread::sleep_for(1100ms);
  EXPECT_EQ(b->get("/healthz").status, 200);
  TinyClient later(server.port());
  EXPECT_EQ(later.get("/healthz").status, 200);
  EXPECT_TRUE(a->ended());
  EXPECT_EQ(b->get("/healthz").status, 200);
}

TEST_F(ServerTest, SlowClientsAreLeft) {
  ServeOptions options = any_port();
  options.limits.reading = 100ms;
  options.limits.idle = 100ms;
  Server server(models(), options);
  TinyClient idle(server.port()), slow(server.port());
  for (int i = 0; i < 50; ++i) {  // a byte at a time, each in time, all together not
    slow.send("G");
    std::this_thread::sleep_for(5ms);
  }
  EXPECT_EQ(slow.read().status, 408);
  EXPECT_TRUE(idle.ended());
}

TEST_F(ServerTest, ATokenOpensEverythingButHealth) {
  ServeOptions options = any_port();
  options.token = "0123456789abcdef";
  Server server(models(), options);
  const std::string right = "Authorization: Bearer 0123456789abcdef\r\n";
  TinyClient client(server.port());
  EXPECT_EQ(client.get("/healthz").status, 200);
  EXPECT_EQ(client.get("/").status, 200);
  for (const char* path : {"/api/info", "/api/entities", "/metrics", "/openapi.json", "/nothing"}) {
    const Reply refused = client.get(path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_TRUE(refused.has("WWW-Authenticate: Bearer")) << refused.head;
    EXPECT_EQ(client.get(path, "Authorization: Bearer 0123456789abcdeX\r\n").status, 401) << path;
  }
  EXPECT_EQ(client.get("/api/info", right).status, 200);
  EXPECT_EQ(client.predict(json_of(small_question(0), 1), right).status, 200);
  TinyClient without(server.port());
  EXPECT_EQ(without.predict(json_of(small_question(0), 1)).status, 401);
}

TEST_F(ServerTest, NoOtherPageMayReadAnswers) {
  Server server(models(), any_port());
  const Reply reply =
      TinyClient(server.port()).get("/api/info", "Origin: https://evil.example.org\r\n");
  EXPECT_EQ(reply.status, 200);
  EXPECT_FALSE(reply.has("Access-Control"));
}

TEST_F(ServerTest, APortIsTakenOnce) {
  Server server(models(), any_port());
  ServeOptions same = any_port();
  same.port = server.port();
  EXPECT_THROW(Server(models(), same), Error);
  for (const int beyond : {-1, 65536, 99999}) {
    ServeOptions none = any_port();
    none.port = beyond;
    EXPECT_THROW(Server(models(), none), Error) << beyond;
  }
  same.host = "no such host.";
  EXPECT_THROW(Server(models(), same), Error);
  EXPECT_THROW(
      Server(std::vector<NamedModel>{{"a", small_model()}, {"a", small_model()}}, any_port()),
      Error);
  EXPECT_THROW(Server(std::vector<NamedModel>{}, any_port()), Error);
}

TEST_F(ServerTest, StoppingFinishesWhatIsInFlight) {
  auto server = std::make_unique<Server>(models(), any_port());
  const int port = server->port();
  TinyClient idle(port), half(port);
  ASSERT_EQ(idle.get("/healthz").status, 200);
  const std::string body = json_of(small_question(1), 2).dump();
  half.send(
      fmt::format("POST /api/predict HTTP/1.1\r\nHost: localhost\r\nContent-Type: "
                  "application/json\r\nContent-Length: {}\r\n\r\n{}",
                  body.size(), body.substr(0, 5)));
  std::this_thread::sleep_for(50ms);
  std::thread stopping([&] { EXPECT_TRUE(server->stop()); });
  std::this_thread::sleep_for(50ms);
  half.send(body.substr(5));
  EXPECT_EQ(half.read().status, 200);
  EXPECT_TRUE(idle.ended());
  stopping.join();
  EXPECT_FALSE(TinyClient(port).connected());
}

TEST_F(ServerTest, StoppingEndsInTime) {
  ServeOptions options = any_port();
  options.limits.draining = 50ms;
  options.limits.reading = 60s;
  Server server(models(), options);
  TinyClient stuck(server.port());
  stuck.send("GET /heal");
  std::this_thread::sleep_for(50ms);
  EXPECT_FALSE(server.stop());
  EXPECT_TRUE(server.stop());  // once is enough
}

}  // namespace
}  // namespace orrery
