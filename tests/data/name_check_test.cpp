#include "data/name_check.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace orrery {
namespace {

using Names = std::vector<std::string>;

std::uint64_t pairs_in(const Names& names) { return find_similar_names(names, 10).pairs; }

TEST(NameCheck, CaseSpacesAndPunctuationMakeNoDifference) {
  const SimilarNames found =
      find_similar_names({"ACME Inc", "Acme Inc", "Acme Inc.", "Acme_inc", "Globex"}, 10);
  EXPECT_EQ(found.pairs, 3U);
  EXPECT_EQ(found.first, (std::vector<SimilarNames::Pair>{{0, 1}, {1, 2}, {2, 3}}));
}

TEST(NameCheck, LongWordsMayBeMisspelt) {
  EXPECT_EQ(pairs_in({"Angela Merkel", "Angela Merkle"}), 1U) << "exchanged";
  EXPECT_EQ(pairs_in({"Angela Merkel", "Angela Merkl"}), 1U) << "one too few";
  EXPECT_EQ(pairs_in({"Angela Merkel", "Angela Merkell"}), 1U) << "one too many";
  EXPECT_EQ(pairs_in({"Angela Merkel", "angela-Merkil"}), 1U) << "another one";
  EXPECT_EQ(pairs_in({"Z\xC3\xBCrich", "Zurich"}), 1U) << "letters of two bytes are letters";
  EXPECT_EQ(pairs_in({"Angela Merkel", "Angelo Merkil"}), 0U) << "two of them";
}

TEST(NameCheck, WhatDiffersByNatureIsLeftAlone) {
  EXPECT_EQ(pairs_in({"room 101", "room 102", "room 103"}), 0U) << "numbers";
  EXPECT_EQ(pairs_in({"version 1.5", "version 15"}), 0U);
  EXPECT_EQ(pairs_in({"Elizabeth I", "Elizabeth II", "Elizabeth V"}), 0U) << "short words";
  EXPECT_EQ(pairs_in({"Group stage A", "Group stage B"}), 0U);
  EXPECT_EQ(pairs_in({"C", "C#", "C++", "c"}), 0U) << "short names";
  EXPECT_EQ(pairs_in({"Iran", "Iraq"}), 0U);
  EXPECT_EQ(pairs_in({std::string(300, 'a'), std::string(300, 'A')}), 0U) << "whole texts";
  EXPECT_EQ(pairs_in({}), 0U);
  EXPECT_EQ(pairs_in({"\x01\x02", "\xF0\x9F\x98\x80", "...", "   "}), 0U);
}

TEST(NameCheck, OnlyTheFirstAreKept) {
  Names names;
  for (int i = 0; i < 30; ++i) {
    names.push_back(fmt::format("name of number {}", i));
    names.push_back(fmt::format("Name of number {}", i));
  }
  std::ranges::sort(names);
  const SimilarNames found = find_similar_names(names, 4);
  EXPECT_EQ(found.pairs, 30U);
  EXPECT_EQ(found.first.size(), 4U);
}

// More names than one pass keeps keys of, all of one beginning, and one name that all others fold
// to.
TEST(NameCheck, ManyNamesAreNoProblem) {
  Names names;
  for (int i = 0; i < 100'000; ++i)
    names.push_back(fmt::format("a long beginning that all of the many names share {}", i));
  for (int i = 0; i < 1000; ++i)
    names.push_back("same" + std::string(static_cast<std::size_t>(i % 150), '.') + "name" +
                    std::string(static_cast<std::size_t>(i / 150), '!'));
  names.emplace_back("a long beginning that all of the many names shares 77777");
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  EXPECT_EQ(pairs_in(names), 1000U) << "999 with the one before, and the misspelt one";
}

}  // namespace
}  // namespace orrery
