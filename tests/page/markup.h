// A small reader of the markup that pages are made of: what is open must be closed, in order.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

inline std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++count;
  return count;
}

// The end of a tag that begins at `at`; quotes may hide a '>'.
inline std::size_t end_of_tag(std::string_view page, std::size_t at) {
  bool quoted = false;
  for (; at < page.size() && (quoted || page[at] != '>'); ++at) quoted ^= page[at] == '"';
  return at;
}

inline void expect_entity(std::string_view page, std::size_t at) {
  constexpr std::array<std::string_view, 5> known = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (const auto entity : known)
    if (page.substr(at, entity.size()) == entity) return;
  ADD_FAILURE() << "a bare ampersand: " << page.substr(at, 30);
}

inline void expect_well_formed(std::string_view page) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < page.size(); ++at) {
    const auto c = static_cast<unsigned char>(page[at]);
    ASSERT_TRUE(c >= 0x20 || c == '\n') << "a control character at " << at;
    if (c == '&') expect_entity(page, at);
    if (c != '<') continue;
    const std::size_t end = end_of_tag(page, at);
    ASSERT_LT(end, page.size()) << "a tag without an end: " << page.substr(at, 30);
    const std::string_view tag = page.substr(at + 1, end - at - 1);
    ASSERT_EQ(count_of(tag, "\"") % 2, 0U) << tag;
    ASSERT_EQ(tag.find('<'), tag.npos) << tag;
    const std::string name(tag.substr(0, tag.find(' ')));
    at = end;
    if (name == "!DOCTYPE" || name == "meta" || tag.back() == '/') continue;
    if (name[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      ASSERT_EQ(open.back(), name.substr(1));
      open.pop_back();
    } else {
      open.push_back(name);
      if (name == "style") at = page.find("</style>", at) - 1;
    }
  }
  EXPECT_TRUE(open.empty()) << open.back() << " is left open";
}

// What stands between two words, each time.
inline std::vector<std::string> all_between(std::string_view text, std::string_view before,
                                            std::string_view after) {
  std::vector<std::string> found;
  for (auto at = text.find(before); at != text.npos; at = text.find(before, at)) {
    at += before.size();
    const auto end = text.find(after, at);
    if (end == text.npos) break;
    found.emplace_back(text.substr(at, end - at));
  }
  return found;
}

}  // namespace orrery
