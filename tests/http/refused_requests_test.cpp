// Requests that are wrong get a status and a sentence, and spoil nothing.
#include "http/service_fixture.h"

namespace orrery {
namespace {

using testing::ServiceTest;

TEST_F(ServiceTest, AListKeepsItsOrderAndItsWrongOnes) {
  const auto answered = json(post(R"([
    {"subject": "e01", "relation": "r1", "time": "2014-01-03", "top": 2},
    {"subject": "e01", "relation": "nonsense", "time": "2014-01-03"},
    {"object": "e02", "relation": "r2", "time": "2014-01-04", "model": "second", "top": 1},
    {"object": "e02", "relation": "r2", "time": "no date"}])"));
  ASSERT_EQ(answered.size(), 4U);
  EXPECT_EQ(answered[0].at("answers").size(), 2U);
  EXPECT_TRUE(answered[1].contains("error"));
  EXPECT_EQ(answered[2].at("model"), "second");
  EXPECT_EQ(answered[2].at("asked"), "subject");
  EXPECT_EQ(answered[2].at("answers").size(), 1U);
  EXPECT_TRUE(answered[3].contains("error"));
  EXPECT_EQ(json(post("[]")), nlohmann::json::array());
}

TEST_F(ServiceTest, WrongBodiesAreRefused) {
  const std::pair<const char*, int> wrong[] = {
      {"", 400},
      {"{", 400},
      {"nonsense", 400},
      {"\"text\"", 422},
      {"3", 422},
      {"null", 422},
      {"true", 422},
      {"[1]", 422},
      {"[[]]", 422},
      {"[null]", 422},
      {"{}", 422},
      {R"({"subject": "e01"})", 422},
      {R"({"subject": "e01", "relation": "r1", "object": "e02", "time": "x"})", 422},
      {R"({"subject": "e01", "relation": "r1"})", 422},
      {R"({"subject": "nobody", "relation": "r1", "time": "2014-01-01"})", 422},
      {R"({"subject": "e01", "relation": "nothing", "time": "2014-01-01"})", 422},
      {R"({"subject": "e01", "relation": "r1", "time": "yesterday"})", 422},
      {R"({"subject": "e01", "relation": "r1", "time": "2014-01-01", "top": 21})", 422},
      {R"({"subject": "e01", "relation": "r1", "time": "2014-01-01", "model": "third"})", 422},
      {R"({"subject": "e01", "relation": "r1", "time": "2014-01-01", "file": "/etc/passwd"})", 422},
      {R"({"subject": "e01\u0000", "relation": "r1", "time": "2014-01-01"})", 422},
      {"[{},{},{},{},{},{},{},{},{}]", 413},
  };
  for (const auto& [body, status] : wrong) expect_error(post(body), status, body);
  const auto unknown = json(post(R"({"subjekt": "e01", "relation": "r1", "time": "2014-01-01"})"));
  EXPECT_EQ(unknown["error"]["field"], "subjekt");
  EXPECT_EQ(unknown["error"]["advice"], "did you mean 'subject'?");
  EXPECT_TRUE(watching_.faults.empty());
}

TEST_F(ServiceTest, AnyBytesGetAnAnswer) {
  const std::string whole = R"({"subject": "e01", "relation": "r1", "time": "2014-01-03"})";
  for (std::size_t cut = 0; cut < whole.size(); ++cut)
    expect_error(post(whole.substr(0, cut)), 400, whole.substr(0, cut));
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char byte : {'\0', '\xff', '"', '{', '\\', '\n', '9'}) {
      std::string changed = whole;
      changed[at] = byte;
      const int status = post(changed).status;
      EXPECT_TRUE(status == 200 || status == 400 || status == 422) << status << changed;
    }
  EXPECT_TRUE(watching_.faults.empty());
}

TEST_F(ServiceTest, PathsAndMethods) {
  for (const char* path : {"/nothing", "", "//", "/api", "/api/", "/../etc/passwd",
                           "/page/index.html", "/index.htm", "/healthz/"})
    expect_error(get(path), 404, path);
  for (const char* method : {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "GET"}) {
    const auto refused = service_.answer_head(request(method, "/api/predict")).value();
    expect_error(refused, 405, method);
    EXPECT_NE(
        std::ranges::find(refused.headers, std::pair<std::string, std::string>("Allow", "POST")),
        refused.headers.end());
  }
  expect_error(service_.answer_head(request("POST", "/healthz")).value(), 405, "POST");
  expect_error(service_.answer_head(request("POST", "/")).value(), 405, "POST");
  EXPECT_EQ(service_.answer_head(request("HEAD", "/healthz")).value().status, 200);
}

TEST_F(ServiceTest, HeadsThatCouldBeReadInTwoWaysAreRefused) {
  const auto status_with = [&](const HttpPairs& headers) {
    HttpRequest head = request("POST", "/api/predict");
    head.headers.insert(head.headers.end(), headers.begin(), headers.end());
    const auto answered = service_.answer_head(head);
    return answered ? answered->status : 0;
  };
  const std::pair<std::string, std::string> is_json = {"content-type", "application/json"};
  EXPECT_EQ(status_with({is_json, {"content-length", "3"}}), 0);
  EXPECT_EQ(status_with({is_json, {"transfer-encoding", "chunked"}}), 0);
  EXPECT_EQ(
      status_with({{"content-type", "application/json; charset=utf-8"}, {"content-length", "3"}}),
      0);
  EXPECT_EQ(status_with({is_json, {"content-length", "3"}, {"content-length", "4"}}), 400);
  EXPECT_EQ(status_with({is_json, {"content-length", "3"}, {"transfer-encoding", "chunked"}}), 400);
  EXPECT_EQ(status_with({is_json, {"transfer-encoding", "gzip, chunked"}}), 400);
  EXPECT_EQ(status_with({is_json, {"content-length", "-1"}}), 400);
  EXPECT_EQ(status_with({is_json, {"content-length", "0x10"}}), 400);
  EXPECT_EQ(status_with({is_json, {"content-length", "99999999999999999999999"}}), 400);
  EXPECT_EQ(status_with({is_json, {"content-length", "3"}, {"host", "localhost"}}), 400);
  EXPECT_EQ(status_with({is_json}), 411);
  EXPECT_EQ(status_with({is_json, {"content-length", "100000000"}}), 413);
  EXPECT_EQ(status_with({{"content-type", "text/plain"}, {"content-length", "3"}}), 415);
  EXPECT_EQ(status_with({{"content-length", "3"}}), 415);
  EXPECT_EQ(status_with({is_json, {"content-length", "3"}, {"content-encoding", "gzip"}}), 415);
}

}  // namespace
}  // namespace orrery
