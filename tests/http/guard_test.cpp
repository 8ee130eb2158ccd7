#include "http/guard.h"

#include <gtest/gtest.h>

#include "http/problem.h"
#include "orrery/error.h"

namespace orrery {
namespace {

const std::string secret = "0123456789abcdef0123";

HttpRequest request_with(const HttpPairs& headers) {
  return {.method = "GET", .path = "/", .query = {}, .headers = headers, .body = {}};
}

int status_of_token(const Guard& guard, const HttpPairs& headers) {
  try {
    guard.check_token(request_with(headers));
  } catch (const Problem& problem) {
    return problem.status;
  }
  return 200;
}

int status_of_host(const Guard& guard, const HttpPairs& headers) {
  try {
    guard.check_host(request_with(headers));
  } catch (const Problem& problem) {
    return problem.status;
  }
  return 200;
}

TEST(Guard, LoopbackIsThisMachineAlone) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1"})
    EXPECT_TRUE(is_loopback(host)) << host;
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1", "127.0.0.1.example.org", "127.evil",
                           "127.0.0.x", "localhost.example.org", ""})
    EXPECT_FALSE(is_loopback(host)) << host;
}

TEST(Guard, ElsewhereATokenIsRequired) {
  EXPECT_NO_THROW(Guard({.host = "127.0.0.1"}));
  EXPECT_NO_THROW(Guard({.host = "0.0.0.0", .token = secret}));
  for (const char* token : {"", "short", "has a blank in its middle", "has-ümlauts-in-its-middle"})
    EXPECT_THROW(Guard({.host = "0.0.0.0", .token = token}), Error) << token;
}

TEST(Guard, TheTokenMustBeTheSame) {
  const Guard guard({.host = "0.0.0.0", .token = secret});
  EXPECT_EQ(status_of_token(guard, {{"authorization", "Bearer " + secret}}), 200);
  EXPECT_EQ(status_of_token(guard, {{"authorization", "bearer " + secret}}), 200);
  EXPECT_EQ(status_of_token(guard, {}), 401);
  for (const std::string& given :
       {std::string(), secret, "Basic " + secret, std::string("Bearer "),
        "Bearer " + secret.substr(1), "Bearer " + secret + "0", "Bearer " + secret + secret,
        "Bearer 0" + secret.substr(1) + "x"})
    EXPECT_EQ(status_of_token(guard, {{"authorization", given}}), 401) << given;
  EXPECT_EQ(status_of_token(Guard({}), {}), 200);
}

TEST(Guard, SecretsAreComparedWhole) {
  EXPECT_TRUE(same_secret("abc", "abc"));
  EXPECT_FALSE(same_secret("abc", "abd"));
  EXPECT_FALSE(same_secret("abc", "ab"));
  EXPECT_FALSE(same_secret("abc", "abcabc"));
  EXPECT_FALSE(same_secret("abc", ""));
}

TEST(Guard, OnLoopbackOnlyKnownNamesAreAnswered) {
  const Guard guard({.host = "127.0.0.1", .host_names = {"Graph.example.org"}});
  for (const char* host : {"localhost", "LOCALHOST:8080", "127.0.0.1:1", "[::1]:8080", "[::1]",
                           "graph.example.org", "graph.example.org:443"})
    EXPECT_EQ(status_of_host(guard, {{"host", host}}), 200) << host;
  for (const char* host :
       {"evil.example.org", "localhost.evil.org", "127.0.0.1.evil.org", "", "[", ":8080", "::1"})
    EXPECT_EQ(status_of_host(guard, {{"host", host}}), 403) << host;
  EXPECT_EQ(status_of_host(guard, {}), 400);
  const Guard elsewhere({.host = "0.0.0.0", .token = secret});
  EXPECT_EQ(status_of_host(elsewhere, {{"host", "whatever.example.org"}}), 200);
}

}  // namespace
}  // namespace orrery
