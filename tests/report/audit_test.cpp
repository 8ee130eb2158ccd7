#include "orrery/audit.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "orrery/report.h"

namespace orrery {
namespace {

Audit made_audit() {
  Audit audit;
  audit.folds = 3;
  audit.calibrated = true;
  audit.facts.push_back({.subject = "Ada, Countess",
                         .relation = "works for",
                         .object = "Acme",
                         .time = "2010\t2012",
                         .plausibility = 0.0125,
                         .doubt = 4.5,
                         .object_rank = 1234,
                         .subject_rank = 7,
                         .weaker = "object",
                         .likelier = {{"Babbage \"& Co\"", 0.75}, {"Mill", 0.125}},
                         .likelier_time = "1833\t1852",
                         .subject_facts = 12,
                         .object_facts = 3});
  audit.facts.push_back({.subject = "Bob",
                         .relation = "works for",
                         .object = "Acme",
                         .time = "2010\t2011",
                         .plausibility = 0.9,
                         .subject_facts = AuditedFact::unknown_count,
                         .object_facts = AuditedFact::unknown_count,
                         .trained_on = true});
  audit.notes = {"be careful"};
  return audit;
}

bool shows(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(AuditReport, ShowsTheFirstAndCountsTheRest) {
  const std::string text = audit_text(made_audit(), 1);
  for (const char* part :
       {"2 facts judged in 3 folds",
        "0.013 (Ada, Countess, works for, Acme, "
        "2010 to 2012)",
        "object 1,234, subject 7", "likelier object: Babbage \"& Co\" (0.75), Mill (0.12)",
        "likelier time: 1833 to 1852", "1 more", "note: be careful"})
    EXPECT_TRUE(shows(text, part)) << part << "\n" << text;
  EXPECT_FALSE(shows(text, "Bob"));
  EXPECT_TRUE(shows(audit_text(made_audit()), "the model was trained on it"));
}

TEST(AuditReport, SaysHowADrillWent) {
  Audit audit = made_audit();
  audit.facts[0].replaced = "Babbage";
  audit.corrupted = 4;
  audit.found = 3;
  const std::string text = audit_text(audit);
  EXPECT_TRUE(shows(text, "of 4 facts that were made false, 3 are among the first tenth (75 %)"));
  EXPECT_TRUE(shows(text, "here stood Babbage"));
}

TEST(AuditReport, HasAllOfItAsJson) {
  const auto json = nlohmann::json::parse(audit_json(made_audit()));
  EXPECT_EQ(json["judged"], 2);
  EXPECT_EQ(json["facts"][0]["end"], "2012");
  EXPECT_EQ(json["facts"][0]["likelier"][0]["probability"], 0.75);
  EXPECT_EQ(json["facts"][0]["likelier_time"]["start"], "1833");
  EXPECT_TRUE(json["facts"][1]["subject_facts"].is_null());
  EXPECT_EQ(json["facts"][1]["trained_on"], true);
  EXPECT_EQ(nlohmann::json::parse(audit_json(made_audit(), 1))["facts"].size(), 1U);
}

TEST(AuditReport, HasARowForEachFactAsCsv) {
  const std::string csv = audit_csv(made_audit());
  EXPECT_TRUE(shows(csv,
                    "\n\"Ada, Countess\",works for,Acme,2010,2012,0.0125,4.5,1234,7,object,"
                    "\"Babbage \"\"& Co\"\"\",0.75,1833,1852,12,3,no,\n"))
      << csv;
  EXPECT_TRUE(shows(csv, "\nBob,works for,Acme,2010,2011,0.9,"));
}

}  // namespace
}  // namespace orrery
