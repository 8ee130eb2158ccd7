// All that the server does between a request and a response, without a socket.
#include "http/service_fixture.h"
#include "orrery/geometry.h"

namespace orrery {
namespace {

using testing::ServiceTest;
using testing::small_model;
using testing::small_question;

TEST_F(ServiceTest, AnswersAreThoseOfTheModel) {
  const Question asked = small_question(4);
  const auto answered = json(post(nlohmann::json{
      {"subject", asked.subject}, {"relation", asked.relation}, {"time", asked.time}, {"top", 5}}
                                      .dump()));
  const Answers expected = small_model().predict(asked, {.top = 5});
  EXPECT_EQ(answered.at("asked"), "object");
  EXPECT_EQ(answered.at("subject"), asked.subject);
  EXPECT_EQ(answered.at("time_row"), asked.time);
  EXPECT_EQ(answered.at("model"), "first");
  ASSERT_EQ(answered.at("answers").size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(answered["answers"][i].at("name"), expected[i].name);
    EXPECT_EQ(answered["answers"][i].at("score").get<double>(), expected[i].score);
    EXPECT_EQ(answered["answers"][i].at("probability").get<double>(), expected[i].probability);
  }
  const auto other = json(post(nlohmann::json{
      {"subject", asked.subject},
      {"relation", asked.relation},
      {"time", asked.time},
      {"model", "second"}}.dump()));
  EXPECT_EQ(other.at("answers")[0].at("score").get<double>(),
            small_model(2).predict(asked)[0].score);
}

TEST_F(ServiceTest, AnyPartCanBeAskedForAndFactsAreMarked) {
  const FactColumns facts = testing::small_facts();
  const nlohmann::json fact = {{"subject", facts.subject[0]},
                               {"relation", facts.relation[0]},
                               {"object", facts.object[0]},
                               {"time", facts.time[0]}};
  const auto whole = json(post(fact.dump()));
  EXPECT_EQ(whole.at("asked"), "fact");
  EXPECT_EQ(whole.at("answers")[0].at("known").at("split"), "train");
  EXPECT_EQ(whole["answers"][0]["known"].at("now"), true);
  for (const char* part : {"subject", "relation", "object", "time"}) {
    nlohmann::json question = fact;
    question.erase(part);
    question["top"] = 20;
    const auto answered = json(post(question.dump()));
    EXPECT_EQ(answered.at("asked"), part);
    const auto is_it = [&](const auto& answer) { return answer.at("name") == fact[part]; };
    const auto& answers = answered.at("answers");
    const auto it = std::ranges::find_if(answers, is_it);
    EXPECT_TRUE(it == answers.end() || it->at("known").at("now") == true) << part;
    question["known"] = "hide";
    const auto hidden = json(post(question.dump())).at("answers");
    EXPECT_EQ(std::ranges::count_if(hidden, is_it), 0) << part;
  }
  nlohmann::json when = fact;
  when.erase("time");
  const auto curve = json(post(when.dump(), "/api/when"));
  EXPECT_EQ(curve.at("asked"), "time");
  EXPECT_EQ(curve.at("curve").size(), 8U);
  expect_error(post(fact.dump(), "/api/when"), 422, "time");
  when.erase("object");
  expect_error(post(when.dump(), "/api/when"), 422, "object");
}

TEST_F(ServiceTest, AnswersAreHeldToLists) {
  const std::string question = R"({"subject": "e01", "relation": "r1", "time": "2014-01-03")";
  const auto only = json(post(question + R"(, "only": ["e05", "e07"]})")).at("answers");
  ASSERT_EQ(only.size(), 2U);
  for (const auto& answer : only) EXPECT_TRUE(answer["name"] == "e05" || answer["name"] == "e07");
  const auto all = json(post(question + R"(, "top": 3})")).at("answers");
  const std::string best = all[0]["name"];
  const auto without = json(post(question + R"(, "without": [")" + best + R"("]})")).at("answers");
  EXPECT_EQ(without[0]["name"], all[1]["name"]);
  expect_error(post(question + R"(, "only": ["nobody"]})"), 422, "only");
  expect_error(post(question + R"(, "known": "maybe"})"), 422, "known");
  const auto seen = json(post(question + R"(, "type": "seen"})")).at("answers");
  for (const auto& answer : seen) EXPECT_EQ(answer.at("seen"), true);
}

TEST_F(ServiceTest, AnEntityHasItsFacts) {
  const FactColumns facts = testing::small_facts();
  std::size_t expected = 0;
  for (std::size_t i = 0; i < facts.subject.size(); ++i)
    expected += facts.subject[i] == "e04" || facts.object[i] == "e04" ? 1 : 0;
  const auto found = json(get("/api/neighbours", {{"entity", "E04"}, {"top", "5"}}));
  EXPECT_EQ(found.at("entity"), "e04");
  EXPECT_EQ(found.at("total"), expected);
  EXPECT_EQ(found.at("nearest").size(), 10U);
  ASSERT_EQ(found.at("facts").size(), 5U);
  std::string last = "2014-01-99";
  for (const auto& fact : found["facts"]) {
    EXPECT_TRUE(fact.at("subject") == "e04" || fact.at("object") == "e04");
    EXPECT_EQ(fact.at("split"), "train");
    EXPECT_LE(fact.at("time").get<std::string>(), last);
    last = fact.at("time");
  }
  expect_error(get("/api/neighbours", {{"entity", "nobody"}}), 422, "entity");
  expect_error(get("/api/neighbours"), 422, "entity");
}

TEST_F(ServiceTest, ARelationHasItsGeometry) {
  const auto found =
      json(get("/api/geometry", {{"relation", "R1"}, {"time", "2014-01-03"}, {"top", "1"}}));
  const RelationGeometry expected =
      relation_geometry(small_model(1), "r1", {.time = "2014-01-03", .top = 1});
  EXPECT_EQ(found.at("time_row"), "2014-01-03");
  EXPECT_EQ(found.at("symmetry"), expected.symmetry);
  EXPECT_EQ(found.at("numbers")[0].at("reversed"), expected.numbers[0].reversed);
  ASSERT_EQ(found.at("inverse").size(), 1U);
  EXPECT_EQ(found.at("inverse")[0].at("name"), expected.inverse[0].name);
  expect_error(get("/api/geometry", {{"relation", "r1"}}), 422, "no time");
  expect_error(get("/api/geometry", {{"relation", "r9"}, {"time", "2014-01-03"}}), 422, "relation");
  expect_error(get("/api/geometry", {{"time", "2014-01-03"}}), 422, "no relation");
  const HttpResponse ended =
      get("/api/geometry", {{"relation", "r1"}, {"time", "2014-01-03"}, {"event", "end"}});
  expect_error(ended, 422, "a model of points");
  EXPECT_EQ(json(ended).at("error").at("field"), "event");
}

TEST_F(ServiceTest, AFactIsExplained) {
  const FactColumns facts = testing::small_facts();
  nlohmann::json fact = {{"subject", facts.subject[0]},
                         {"relation", facts.relation[0]},
                         {"object", facts.object[0]},
                         {"time", facts.time[0]},
                         {"top", 3},
                         {"neighbours", 2}};
  const auto explained = json(post(fact.dump(), "/api/explain"));
  EXPECT_EQ(explained.at("model"), "first");
  EXPECT_EQ(explained.at("known").at("now"), true);
  EXPECT_EQ(explained.at("sides").size(), 2U);
  EXPECT_EQ(explained.at("curve").size(), 8U);
  EXPECT_LE(explained.at("supporting").size(), 3U);
  EXPECT_EQ(explained.at("neighbours").at("subject").size(), 2U);
  fact["object"] = "nobody";
  expect_error(post(fact.dump(), "/api/explain"), 422, "object");
  fact.erase("object");
  expect_error(post(fact.dump(), "/api/explain"), 422, "object");
  expect_error(post("[]", "/api/explain"), 422, "a list");
}

TEST_F(ServiceTest, NamesAndInfo) {
  const auto info = json(get("/api/info"));
  EXPECT_EQ(info.at("models")[0].at("timed"), true);
  ASSERT_EQ(info.at("models").size(), 2U);
  EXPECT_EQ(info["models"][0].at("name"), "first");
  EXPECT_EQ(info["models"][0].at("entities"), 30);
  EXPECT_EQ(info["models"][0].at("options").at("dim"), "16");
  EXPECT_EQ(info.at("limits").at("top"), 20);

  const auto entities = json(get("/api/entities", {{"query", "E1"}, {"top", "2"}}));
  EXPECT_EQ(entities.at("entities").size(), 2U);
  EXPECT_EQ(entities["entities"][0].at("name"), "e10");
  EXPECT_EQ(entities.at("more"), true);
  EXPECT_EQ(json(get("/api/relations", {{"model", "second"}})).at("relations").size(), 3U);
  const auto times = json(get("/api/times"));
  EXPECT_EQ(times.at("times").size(), 8U);
  EXPECT_EQ(times.at("granularity"), "day");
  expect_error(get("/api/entities", {{"model", "third"}}), 422, "model");
  expect_error(get("/api/entities", {{"top", "many"}}), 422, "top");
  expect_error(get("/healthz", {{"verbose", "1"}}), 422, "verbose");
}

TEST_F(ServiceTest, TheLogSaysNothingOfWhatWasAsked) {
  post(R"({"subject": "e01", "relation": "r1", "time": "2014-01-03"})");
  get("/api/entities", {{"query", "e0"}});
  get("/secret-path");
  ASSERT_EQ(watching_.requests.size(), 3U);
  EXPECT_EQ(watching_.requests[0].path, "/api/predict");
  EXPECT_EQ(watching_.requests[0].questions, 1U);
  EXPECT_EQ(watching_.requests[0].model, "first");
  EXPECT_EQ(watching_.requests[1].path, "/api/entities");
  EXPECT_EQ(watching_.requests[2].path, "unknown");
  EXPECT_EQ(watching_.requests[2].status, 404);
  const std::string metrics = get("/metrics").body;
  EXPECT_EQ(metrics.find("secret"), std::string::npos);
  EXPECT_NE(metrics.find("orrery_questions_total 1\n"), std::string::npos) << metrics;
}

TEST_F(ServiceTest, WhatStopsIsNotReady) {
  EXPECT_EQ(get("/readyz").status, 200);
  service_.begin_stop();
  expect_error(get("/readyz"), 503, "stopping");
  EXPECT_EQ(get("/healthz").status, 200);
}

TEST_F(ServiceTest, ThePageIsServedAsItself) {
  const HttpResponse page = get("/");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.content_type, "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("<!doctype html>"), std::string::npos);
  const auto header = [&](const std::string& name) {
    const auto found = std::ranges::find(page.headers, name, &HttpPairs::value_type::first);
    return found == page.headers.end() ? std::string() : found->second;
  };
  EXPECT_NE(header("Content-Security-Policy").find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(header("X-Content-Type-Options"), "nosniff");
  HttpRequest again = request("GET", "/");
  again.headers.emplace_back("if-none-match", header("ETag"));
  EXPECT_EQ(service_.answer_head(again).value().status, 304);
  EXPECT_EQ(get("/index.html").body, page.body);
}

TEST_F(ServiceTest, TheDescriptionIsOfTheTable) {
  const auto described = json(get("/openapi.json"));
  EXPECT_EQ(described.at("openapi"), "3.0.3");
  for (const Endpoint& endpoint : service_.endpoints()) {
    const auto& path = described.at("paths").at(std::string(endpoint.path));
    const auto& operation = path.at(endpoint.method == "POST" ? "post" : "get");
    EXPECT_EQ(operation.at("summary"), endpoint.sentence);
    if (endpoint.method == "GET" && !endpoint.fields.empty()) {
      EXPECT_EQ(operation.at("parameters").size(), endpoint.fields.size());
    }
  }
  EXPECT_EQ(described.at("paths").size(), service_.endpoints().size());
}

}  // namespace
}  // namespace orrery
