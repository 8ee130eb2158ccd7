#include "facts/table_form.h"

#include <gtest/gtest.h>

namespace orrery {
namespace {

std::string form_of(std::string_view text, std::string_view ending, bool whole = true) {
  const TableForm form = table_form(text, whole, ending);
  return std::string(name_of_separator(form.separator)) + (form.quotes ? " quoted" : "");
}

TEST(TableForm, EverySeparatorUnderEveryEnding) {
  for (const auto* ending : {".csv", ".tsv", ".txt", ""}) {
    EXPECT_EQ(form_of("a\tr\tb\t2014\nc\tr\td\t2015\n", ending), "TAB");
    EXPECT_EQ(form_of("a,r,b,2014\nc,r,d,2015\n", ending), "comma quoted");
    EXPECT_EQ(form_of("a;r;b;2014\nc;r;d;2015\n", ending), "semicolon quoted");
    EXPECT_EQ(form_of("a|r|b|2014\nc|r|d|2015\n", ending), "vertical bar quoted");
  }
}

TEST(TableForm, WithoutASignOfOneTheEndingDecides) {
  EXPECT_EQ(form_of("", ".csv"), "comma quoted");
  EXPECT_EQ(form_of("", ".tsv"), "TAB");
  EXPECT_EQ(form_of("one\ntwo\n", ".txt"), "TAB");
  EXPECT_EQ(form_of("a,b;c,d;e,f;g\n", ".csv"), "comma quoted");
}

TEST(TableForm, ALineMaySayIt) {
  EXPECT_EQ(form_of("sep=;\r\na,b;r,s;c;2014\r\n", ".csv"), "semicolon quoted");
  EXPECT_EQ(form_of("sep=x\na,r,b,2014\nc,r,d,2015\n", ".csv"), "comma quoted");
}

TEST(TableForm, NamesMayHoldOtherSeparators) {
  EXPECT_EQ(form_of("Smith, J;r;b;2014\nc;r;Doe, A, B, C;2015\n", ".csv"), "semicolon quoted");
  EXPECT_EQ(form_of("a,b,c,d\tr\tb\t2014\nc\tr\td\t2015\n", ".txt"), "TAB");
  EXPECT_EQ(form_of("\"a;b;c;d\",r,\"x\ny\",2014\n", ".csv"), "comma quoted");
  EXPECT_EQ(form_of("a;r;b;3,5\nc;r;d;4,5\n", ".csv"), "semicolon quoted");
}

TEST(TableForm, AHeaderTells) {
  EXPECT_EQ(form_of("subject;relation;object;date\na,b;r;c,d;1,2\n", ".csv"), "semicolon quoted");
  EXPECT_EQ(form_of("Source Name|Event Text|Target Name|Event Date\n", ".txt"),
            "vertical bar quoted");
}

TEST(TableForm, TabsWithEveryFieldInQuotes) {
  EXPECT_EQ(form_of("\"s\"\t\"p\"\t\"o\"\t\"date\"\n\"a\"\t\"r\"\t\"b\"\t\"2014\"\n", ".tsv"),
            "TAB quoted");
  EXPECT_EQ(form_of("\"a\"\t\"r\"\t\"b\"\t2014\n", ".tsv"), "TAB");
}

TEST(TableForm, ALineCutInTwoDoesNotCount) {
  EXPECT_EQ(form_of("a;r;b;2014\nc,c,c,c", ".csv", false), "semicolon quoted");
}

}  // namespace
}  // namespace orrery
