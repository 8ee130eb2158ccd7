#include "page/report_text.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

TEST(ReportText, HtmlHoldsNoMarkupOfNames) {
  EXPECT_EQ(html_text("<b a=\"1\">R&D's</b>"), "&lt;b a=&quot;1&quot;&gt;R&amp;D&#39;s&lt;/b&gt;");
  EXPECT_EQ(html_text("a\nb\tc\x01\x7f"), "a b c??");
  EXPECT_EQ(html_text(std::string_view("nul\0!", 5)), "nul?!");
}

TEST(ReportText, BytesThatAreNoTextAreReplaced) {
  EXPECT_EQ(valid_utf8("Ω → ü"), "Ω → ü");
  EXPECT_EQ(valid_utf8("a\xff!"), "a\xEF\xBF\xBD!");
  EXPECT_EQ(html_text("\xc3<"), "\xEF\xBF\xBD&lt;");
}

TEST(ReportText, CodeIsMarkedAndEscaped) {
  EXPECT_EQ(html_paragraph("run `a <b>` or `c`."),
            "run <code>a &lt;b&gt;</code> or <code>c</code>.");
  EXPECT_EQ(html_paragraph("`a --b  <c> --d`"),
            "<code>a <span>--b</span>  &lt;c&gt; <span>--d</span></code>");
  EXPECT_EQ(html_paragraph("`` is none, as is a lone `"), "`` is none, as is a lone `");
  EXPECT_EQ(markdown_paragraph("run `a*b*` *now*"), "run `a*b*` \\*now\\*");
}

TEST(ReportText, MarkdownMarksInNamesMeanNothing) {
  EXPECT_EQ(markdown_text("a*b [c](d) <i> `e` $f$ ~g~ \\"),
            "a\\*b \\[c\\](d) \\<i\\> \\`e\\` \\$f\\$ \\~g\\~ \\\\");
  EXPECT_EQ(markdown_text("time_add of R&D"), "time_add of R\\&D");
  EXPECT_EQ(markdown_text("_x_ & y"), "\\_x\\_ & y");
  EXPECT_EQ(markdown_text(" two\nlines "), "two lines");
}

TEST(ReportText, AParagraphStartsNoHeadingOrList) {
  EXPECT_EQ(markdown_paragraph("# no"), "\\# no");
  EXPECT_EQ(markdown_paragraph("- no"), "\\- no");
  EXPECT_EQ(markdown_paragraph("12. no"), "12\\. no");
  EXPECT_EQ(markdown_paragraph("3.5 percent"), "3.5 percent");
  EXPECT_EQ(markdown_paragraph("5 seeds"), "5 seeds");
}

}  // namespace
}  // namespace orrery
