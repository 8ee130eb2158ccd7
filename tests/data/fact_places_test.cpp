#include "data/fact_places.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "data/data_check.h"
#include "data/load.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using Places = std::vector<std::string>;

class FactPlaces : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    return file_ = scratch_.write("facts.csv", text);
  }

  // With FILE for the file's path.
  Places places_of(const std::string& what) {
    LoadReport report;
    LoadOptions options;
    options.cut = cut_rule("100/0/0", "random", 1);
    const TemporalGraph data = load_facts(file_, options, &report);
    if (gone_) std::filesystem::remove(file_);
    const DataCheck check =
        check_data(data, {{file_.string()}, options.reading, report.date_reading});
    const auto found = std::ranges::find(check.suspicions, what, &Suspicion::what);
    if (found == check.suspicions.end()) return {"nothing suspicious"};
    EXPECT_EQ(found->places.size(), found->examples.size());
    Places places = found->places;
    for (std::string& place : places)
      for (std::size_t at = 0; (at = place.find(file_.string())) != std::string::npos;)
        place.replace(at, file_.string().size(), "FILE");
    return places;
  }

  testing::ScratchDirectory scratch_;
  std::filesystem::path file_;
  bool gone_ = false;
};

TEST_F(FactPlaces, OfFactsAndNames) {
  write(
      "subject,relation,object,from,to\n"
      "Acme Inc,runs,x,31.01.2014,1.2.2016\n"
      "Acme Inc.,runs,x,31.01.2015,1.2.2014\n"
      "Acme Inc,runs,x,31.01.2015,1.2.2016\n"
      "e,is,e,1.1.2014,\n"
      "e,is,f,1.1.2014,1.1.2015\n"
      "e,is,f,01.01.2014,01.01.2015\n"
      "x,once,y,1.1.2014,\n");
  EXPECT_EQ(places_of("ends_before_start"), Places{"FILE:3"});
  EXPECT_EQ(places_of("self_loop"), Places{"FILE:5"});
  EXPECT_EQ(places_of("duplicate"), Places{"FILE:6, FILE:7"});
  EXPECT_EQ(places_of("one_off_relation"), Places{"FILE:8"});
  EXPECT_EQ(places_of("similar_entities"), Places{"FILE:2, FILE:3"});
}

TEST_F(FactPlaces, OfPointsByTheirTimes) {
  write("a,r,a,2014-01-02T10:00\na,r,a,2014-01-01T10:00\na,r,b,2014-01-03T11:00\n");
  EXPECT_EQ(places_of("self_loop"), (Places{"FILE:1", "FILE:2"}));
}

TEST_F(FactPlaces, AreUnknownWhereTheFileIsGone) {
  write("a,r,a,2014-01-02\na,r,b,2014-01-03\n");
  gone_ = true;
  EXPECT_EQ(places_of("self_loop"), Places{""});
}

}  // namespace
}  // namespace orrery
