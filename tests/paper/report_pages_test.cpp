// Saved reports: shown again, and as tables of Markdown files.
#include "paper/report_pages.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "facts/scratch.h"
#include "paper/reproduce.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;
using testing::refused;

class ReportPages : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(scratch_.path() / "results");
    Report report{"Moons", {Paragraph{"Counted at night."}}};
    report.blocks.emplace_back(Table{"near", {"planet", "moons"}, {{"Mars", "2"}}});
    report.blocks.emplace_back(Plot{"a curve", Plot::Kind::line, {"x"}, {"y"}, {}});
    report.blocks.emplace_back(Table{"", {"planet", "moons"}, {{"Jove", "95"}}});
    scratch_.write("results/moons.json", report_json(report).dump());
    scratch_.write("results/study.json",
                   nlohmann::json({{"report", report_json(report)}, {"seeds", 3}}).dump());
  }
  std::string rewritten(const std::string& markdown) const {
    return with_tables(markdown, "page.md", scratch_.path());
  }
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }

  testing::ScratchDirectory scratch_;
};

TEST_F(ReportPages, ASavedReportIsShownInThreeForms) {
  for (const auto* file : {"results/moons.json", "results/study.json"}) {
    EXPECT_TRUE(contains(show_report(at(file), PageFormat::markdown), "# Moons\n"));
    EXPECT_TRUE(contains(show_report(at(file), PageFormat::html), "<h1>Moons</h1>"));
    const std::string text = show_report(at(file), PageFormat::text);
    EXPECT_EQ(text,
              "Moons\n\nCounted at night.\n\nnear\n\nplanet  moons\nMars        2\n\n"
              "(a plot, in the other forms of this report: a curve)\n\nplanet  moons\nJove       "
              "95\n");
  }
  scratch_.write("broken.json", "{");
  EXPECT_TRUE(contains(refused([&] { read_report(at("broken.json")); }), "is not JSON"));
  scratch_.write("other.json", "{\"mrr\": 1}");
  EXPECT_TRUE(contains(refused([&] { read_report(at("other.json")); }), "other.json"));
  EXPECT_TRUE(contains(refused([&] { read_report(at("none.json")); }), "none.json"));
}

TEST_F(ReportPages, NothingOfAReportSpeaksToTheTerminal) {
  const std::string loud = "a\x1b]0;b\x07";
  Report report{loud, {Heading{loud}, Paragraph{loud}, Table{loud, {loud}, {{loud}}}}};
  report.blocks.emplace_back(Plot{loud, Plot::Kind::line, {loud}, {loud}, {}});
  const std::string text = report_plain_text(report);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_EQ(text.find('\x07'), std::string::npos) << text;
}

TEST_F(ReportPages, MarkedPartsAreWrittenAnew) {
  const std::string page =
      "# Page\n\n<!-- results/moons.json table 2 -->\nold words\n| a |\n<!-- end -->\nafter\n";
  const std::string once = rewritten(page);
  EXPECT_EQ(once,
            "# Page\n\n<!-- results/moons.json table 2 -->\n\n| planet | moons |\n|---|---:|\n"
            "| Jove | 95 |\n\n<!-- end -->\nafter\n");
  EXPECT_EQ(rewritten(once), once);
  const std::string whole = rewritten("<!-- results/study.json -->\n<!-- end -->");
  for (const auto* part : {"# Moons", "Counted at night.", "| Mars | 2 |", "| Jove | 95 |"})
    EXPECT_TRUE(contains(whole, part)) << whole;
  EXPECT_TRUE(whole.ends_with("<!-- end -->"));

  scratch_.write("page.md", page);
  EXPECT_TRUE(rewrite_tables(at("page.md"), scratch_.path()));
  EXPECT_EQ(read_bytes(at("page.md")), once);
  EXPECT_FALSE(rewrite_tables(at("page.md"), scratch_.path()));
}

TEST_F(ReportPages, MarksThatMeanNothingAreRefused) {
  const std::string end = "<!-- end -->\n", mark = "<!-- results/moons.json -->\n";
  const auto refusal = [&](const std::string& page) { return refused([&] { rewritten(page); }); };
  EXPECT_TRUE(contains(refusal("# Page\n"), "page.md: marks no table"));
  EXPECT_TRUE(contains(refusal(""), "marks no table"));
  EXPECT_TRUE(contains(refusal("\n" + mark + "x\n"), "page.md:2: has no <!-- end -->"));
  EXPECT_TRUE(contains(refusal(mark + mark + end), "page.md:2: begins before"));
  EXPECT_TRUE(contains(refusal(end + mark + end), "page.md:1: has no <!-- results"));
  EXPECT_TRUE(contains(refusal("<!-- results/suns.json -->\n" + end),
                       "page.md:1: names results/suns.json, which is not in"));
  EXPECT_TRUE(contains(refusal("<!-- results/moons.json table 3 -->\n" + end),
                       "page.md:1: asks for table 3 of a report that has 2"));
  // What only looks like a mark is a mistake, not a comment.
  EXPECT_TRUE(contains(refusal(mark + end + "<!-- results/moons.json tabel 1 -->\n"),
                       "page.md:3: is not a mark"));
}

// The tables that people read are those of the files that were measured.
TEST(ReadmeTables, AreThoseOfTheResults) {
  const std::filesystem::path root = ORRERY_SOURCE_DIR;
  for (const auto* page : {"README.md", "docs/results.md"}) {
    const std::string text = read_bytes(root / page);
    EXPECT_EQ(with_tables(text, page, root), text) << "run ./dev tables";
  }
  const std::string all = read_bytes(root / "docs/results.md");
  for (const auto& file : std::filesystem::directory_iterator(root / "results"))
    EXPECT_TRUE(contains(all, "<!-- results/" + file.path().filename().string() + " "))
        << "docs/results.md leaves out " << file.path();
}

}  // namespace
}  // namespace orrery
