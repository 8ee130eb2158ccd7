#include "http/fields.h"

#include <gtest/gtest.h>

#include "http/problem.h"

namespace orrery {
namespace {

const std::vector<Field> table = {
    {.name = "subject", .sentence = "a text"},
    {.name = "top",
     .type = FieldType::whole,
     .sentence = "a number",
     .least = 1,
     .most = 1000,
     .preset = 10},
    {.name = "known",
     .type = FieldType::choice,
     .sentence = "a choice",
     .choices = {"mark", "hide"}},
    {.name = "only", .type = FieldType::texts, .sentence = "texts", .most = 2},
};

Problem refused(const auto& work) {
  try {
    work();
  } catch (const Problem& problem) {
    EXPECT_FALSE(problem.message.empty());
    EXPECT_GE(problem.status, 400);
    EXPECT_LT(problem.status, 500);
    return problem;
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

TEST(Fields, AreReadWithTheirDefaults) {
  const FieldValues given =
      read_fields(table, nlohmann::json::parse(R"({"subject": "Zoë", "only": ["a", "b"]})"));
  EXPECT_EQ(given.text("subject"), "Zoë");
  EXPECT_EQ(given.whole("top"), 10);
  EXPECT_EQ(given.text("known"), "mark");
  EXPECT_EQ(given.texts("only"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(read_fields(table, nlohmann::json::parse(R"({"only": null})")).texts("only").empty());
}

TEST(Fields, OfAQueryAreTexts) {
  const FieldValues given =
      read_fields(table, HttpPairs{{"top", "3"}, {"only", "a"}, {"only", "b"}});
  EXPECT_EQ(given.whole("top"), 3);
  EXPECT_EQ(given.texts("only").size(), 2U);
  for (const char* top : {"", "0", "1001", "-1", "1.5", "1e3", "99999999999999999999", "3x", " 3"})
    EXPECT_EQ(refused([&] { read_fields(table, HttpPairs{{"top", top}}); }).field, "top") << top;
  EXPECT_EQ(refused([] {
              read_fields(table, HttpPairs{{"top", "1"}, {"top", "2"}});
            }).field,
            "top");
  EXPECT_EQ(refused([] {
              read_fields(table, HttpPairs{{"subject", "\xff\xfe"}});
            }).field,
            "subject");
  EXPECT_EQ(refused([] {
              read_fields(table, HttpPairs{{"subject", std::string("a\0b", 3)}});
            }).field,
            "subject");
}

TEST(Fields, WrongOnesAreNamed) {
  const std::pair<const char*, const char*> wrong[] = {
      {R"({"subject": 3})", "subject"},
      {R"({"subject": ["a"]})", "subject"},
      {R"({"subject": {"a": 1}})", "subject"},
      {R"({"subject": "a\u0000b"})", "subject"},
      {R"({"top": "3"})", "top"},
      {R"({"top": 0})", "top"},
      {R"({"top": -5})", "top"},
      {R"({"top": 1001})", "top"},
      {R"({"top": 18446744073709551615})", "top"},
      {R"({"top": -9223372036854775808})", "top"},
      {R"({"top": 1e300})", "top"},
      {R"({"top": 2.5})", "top"},
      {R"({"top": true})", "top"},
      {R"({"known": "maybe"})", "known"},
      {R"({"known": 1})", "known"},
      {R"({"only": "a"})", "only"},
      {R"({"only": [1]})", "only"},
      {R"({"only": ["a", "b", "c"]})", "only"},
  };
  for (const auto& [body, field] : wrong) {
    const Problem problem = refused([&] { read_fields(table, nlohmann::json::parse(body)); });
    EXPECT_EQ(problem.field, field) << body;
    EXPECT_EQ(problem.status, 422) << body;
  }
  const Problem misspelt = refused([] { read_fields(table, nlohmann::json{{"sbuject", "a"}}); });
  EXPECT_EQ(misspelt.advice, "did you mean 'subject'?");
  const Problem far = refused([] { read_fields(table, nlohmann::json{{"zzzzzzz", "a"}}); });
  EXPECT_EQ(far.advice, "there are subject, top, known, only");
}

TEST(Fields, ABodyThatIsNoJsonIsRefused) {
  const std::string deep_list(100'000, '['), deep_object = [] {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += "{\"a\":";
    return text;
  }();
  for (const std::string& body :
       {std::string(), std::string("  "), std::string("{"), std::string("}"), std::string("nul"),
        std::string("{\"a\":1,}"), std::string("{'a':1}"), std::string("{} {}"),
        std::string("\0", 1), std::string("{\"a\":\"\xff\"}"), std::string("{\"a\":\"\xc0\x80\"}"),
        std::string("{\"a\":1e999}"), std::string("{\"a\":\"\\ud800\"}"),
        std::string("{\"top\":1,\"top\":2}"), deep_list, deep_object,
        std::string("[[[[[[[[[[]]]]]]]]]]"), std::string("NaN"), std::string("\xef\xbb")})
    EXPECT_EQ(refused([&] { read_json_body(body); }).status, 400) << body.substr(0, 40);
  EXPECT_EQ(read_json_body("[{\"a\": [1]}]").size(), 1U);
}

}  // namespace
}  // namespace orrery
