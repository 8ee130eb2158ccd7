#include "report/comparison.h"

#include <gtest/gtest.h>

#include <string>

#include "orrery/report.h"

namespace orrery {
namespace {

// One model that failed, under a name that Markdown would read as marks.
Comparison failed_comparison() {
  Comparison comparison;
  comparison.data = "*sets*";
  comparison.runs = comparison.runs_failed = 1;
  CompareRow& row = comparison.rows.emplace_back();
  row.model.name = "my|*model*";
  row.failed.push_back({.seed = 1, .run = "run", .reason = "out of memory"});
  return comparison;
}

TEST(ComparisonReport, NamesAreNoMarksOnThePage) {
  const std::string page = comparison_markdown(failed_comparison());
  for (const char* part : {"Data: \\*sets\\*; Orrery ", "| my\\|\\*model\\* |", "| failed | — |",
                           "\n\nmy|\\*model\\*, seed 1, failed: out of memory\n"})
    EXPECT_NE(page.find(part), std::string::npos) << page;
}

TEST(ComparisonReport, ATerminalShowsThemAsTheyAre) {
  const std::string text = comparison_table(failed_comparison());
  EXPECT_TRUE(text.ends_with("\n\nmy|*model*, seed 1, failed: out of memory\n")) << text;
}

}  // namespace
}  // namespace orrery
