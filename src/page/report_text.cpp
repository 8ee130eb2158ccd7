#include "page/report_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <nlohmann/json.hpp>

#include "page/text_table.h"

namespace orrery {
namespace {

constexpr std::string_view decimal_digits = "0123456789";

bool is_word(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0;
}

std::string one_line(std::string_view text) {
  std::string line = valid_utf8(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t' || c == '\r'; }, ' ');
  return printable(line);
}

std::string without_markup(std::string_view line) {
  std::string safe;
  for (const char c : line) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

// Underscores inside words and lone ampersands mean nothing and stay readable as they are.
bool means_something(std::string_view line, std::size_t i) {
  const char before = i > 0 ? line[i - 1] : ' ', after = i + 1 < line.size() ? line[i + 1] : ' ';
  if (line[i] == '_') return !is_word(before) || !is_word(after);
  if (line[i] == '&') return is_word(after) || after == '#';
  return std::string_view("\\`*<>[]~$").find(line[i]) != std::string_view::npos;
}

std::string without_marks(std::string_view line) {
  std::string safe;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (means_something(line, i)) safe += '\\';
    safe += line[i];
  }
  return safe;
}

std::string trimmed(std::string line) {
  line.erase(0, line.find_first_not_of(' '));
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

// "# …", "- …" and "1. …" would begin a heading or a list.
std::string without_block_start(std::string line) {
  line = trimmed(std::move(line));
  if (line.empty()) return line;
  if (std::string_view("#+-=").find(line[0]) != std::string_view::npos) line.insert(0, 1, '\\');
  const std::size_t end = line.find_first_not_of(decimal_digits);
  const std::string mark = end > 0 && end < line.size() ? line.substr(end, 2) : "";
  if (mark == ". " || mark == ") ") line.insert(end, 1, '\\');
  return line;
}

// A browser would break a line after the dashes of "--models".
std::string with_whole_flags(std::string_view code) {
  std::string dressed;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find(' '), code.size() - 1) + 1;
    const std::string_view gap = code[end - 1] == ' ' ? " " : "";
    const std::string word = without_markup(code.substr(0, end - gap.size()));
    dressed += code.starts_with("--") ? fmt::format("<span>{}</span>{}", word, gap)
                                      : fmt::format("{}{}", word, gap);
    code.remove_prefix(end);
  }
  return dressed;
}

using Dress = std::function<std::string(std::string_view)>;

std::string dress_code(std::string_view line, const Dress& plain, const Dress& code) {
  std::string dressed;
  while (!line.empty()) {
    const std::size_t open = line.find('`');
    const std::size_t close = open < line.size() ? line.find('`', open + 1) : open;
    if (close >= line.size()) break;
    if (close == open + 1)
      dressed += plain(line.substr(0, close + 1));
    else
      dressed += plain(line.substr(0, open)) + code(line.substr(open + 1, close - open - 1));
    line.remove_prefix(close + 1);
  }
  return dressed + plain(line);
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  using Json = nlohmann::json;
  return Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::string html_text(std::string_view text) { return without_markup(one_line(text)); }

std::string markdown_text(std::string_view text) { return trimmed(without_marks(one_line(text))); }

std::string html_paragraph(std::string_view text) {
  return dress_code(one_line(text), without_markup, [](std::string_view code) {
    return fmt::format("<code>{}</code>", with_whole_flags(code));
  });
}

std::string markdown_paragraph(std::string_view text) {
  return without_block_start(dress_code(one_line(text), without_marks, [](std::string_view code) {
    return fmt::format("`{}`", code);
  }));
}

}  // namespace orrery
