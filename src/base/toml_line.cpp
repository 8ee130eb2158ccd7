#include "base/toml_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace orrery {
namespace {

[[noreturn]] void fail_at(const TomlLine& line, std::string_view wanted) {
  fail_request(About{.option = line.name, .place = {line.file, line.number}}, "{} = {} is not {}",
               line.name, line.value, wanted);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// Where `sign` stands first; inside quotes it is text. The size of the text: nowhere.
std::size_t end_outside_quotes(std::string_view text, char sign) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == sign && !quoted)
      return i;
  }
  return text.size();
}

// Takes one quoted text off the front of `rest`.
std::string take_quoted(const TomlLine& line, std::string_view& rest) {
  if (rest.empty() || rest.front() != '"') fail_at(line, "a text in double quotes");
  std::string text;
  std::size_t i = 1;
  for (; i < rest.size() && rest[i] != '"'; ++i) {
    if (rest[i] != '\\') {
      text += rest[i];
      continue;
    }
    constexpr std::string_view names = "\"\\nt", meanings = "\"\\\n\t";
    const auto known = ++i < rest.size() ? names.find(rest[i]) : std::string_view::npos;
    if (known == std::string_view::npos)
      fail_at(line, "a text with known escapes (\\\" \\\\ \\n \\t)");
    text += meanings[known];
  }
  if (i >= rest.size()) fail_at(line, "a text that ends in a double quote");
  rest.remove_prefix(i + 1);
  return text;
}

template <class Number>
void read_number(const TomlLine& line, Number& value, std::string_view wanted) {
  const char* end = line.value.data() + line.value.size();
  const auto [stop, error] = std::from_chars(line.value.data(), end, value);
  if (error != std::errc() || stop != end) fail_at(line, wanted);
}

// Editors of some systems put a mark before UTF-8, or write UTF-16, where every letter of a name
// has a zero byte beside it.
std::string_view without_mark(std::string_view text, const std::string& file) {
  const bool marked = text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
  if (marked || text.substr(0, 2).find('\0') != std::string_view::npos)
    fail_request(About{.place = {file}, .advice = "save it as UTF-8"}, "is UTF-16");
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.substr(text.starts_with(mark) ? mark.size() : 0);
}

}  // namespace

std::vector<TomlLine> toml_lines(std::string_view text, const std::string& file) {
  text = without_mark(text, file);
  std::vector<TomlLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const auto whole = text.substr(0, end);
    const auto content = trim(whole.substr(0, end_outside_quotes(whole, '#')));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (content.empty()) continue;
    const auto equals = content.find('=');
    const auto name = trim(content.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      fail_request(About{.place = {file, number}}, "'{}' is not of the form name = value", content);
    lines.push_back(
        {file, number, std::string(name), std::string(trim(content.substr(equals + 1)))});
  }
  return lines;
}

std::string toml_value(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n')
      quoted += "\\n";
    else if (c == '\t')
      quoted += "\\t";
    else
      quoted += c;
  }
  return quoted + '"';
}
std::string toml_value(bool value) { return value ? "true" : "false"; }
std::string toml_value(std::int64_t value) { return fmt::format("{}", value); }
std::string toml_value(std::uint64_t value) { return fmt::format("{}", value); }
std::string toml_value(double value) { return fmt::format("{}", value); }
std::string toml_value(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const auto& text : texts) quoted.push_back(toml_value(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

void read_toml_value(const TomlLine& line, std::string& value) {
  std::string_view rest = line.value;
  value = take_quoted(line, rest);
  if (!trim(rest).empty()) fail_at(line, "one text in double quotes");
}
void read_toml_value(const TomlLine& line, bool& value) {
  if (line.value != "true" && line.value != "false") fail_at(line, "true or false");
  value = line.value == "true";
}
void read_toml_value(const TomlLine& line, std::int64_t& value) {
  read_number(line, value, "a whole number");
}
void read_toml_value(const TomlLine& line, std::uint64_t& value) {
  read_number(line, value, "a whole number that is not negative");
}
void read_toml_value(const TomlLine& line, double& value) { read_number(line, value, "a number"); }
void read_toml_value(const TomlLine& line, std::vector<std::string>& value) {
  if (!is_toml_list(line)) fail_at(line, "a list of texts such as [\"a\", \"b\"]");
  value.clear();
  for (const std::string& element : toml_elements(line)) {
    std::string_view rest = element;
    value.push_back(take_quoted(line, rest));
    if (!rest.empty()) fail_at(line, "a list whose texts are separated by commas");
  }
}

bool is_toml_list(const TomlLine& line) {
  return line.value.size() >= 2 && line.value.front() == '[' && line.value.back() == ']';
}

std::vector<std::string> toml_elements(const TomlLine& line) {
  if (!is_toml_list(line)) fail_at(line, "a list such as [1, 2]");
  std::vector<std::string> elements;
  std::string_view rest = trim(std::string_view(line.value).substr(1, line.value.size() - 2));
  while (!rest.empty()) {
    const auto end = end_outside_quotes(rest, ',');
    const auto element = trim(rest.substr(0, end));
    if (element.empty()) fail_at(line, "a list with a value before each comma");
    elements.emplace_back(element);
    rest = trim(rest.substr(std::min(end + 1, rest.size())));
  }
  return elements;
}

}  // namespace orrery
