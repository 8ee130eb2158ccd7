#include "learn/toml_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

#include "base/error.h"

namespace orrery {
namespace {

[[noreturn]] void fail_at(const TomlLine& line, std::string_view wanted) {
  fail_request("{}:{}: {} = {} is not {}", line.file, line.number, line.name, line.value, wanted);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

// The rest of a line without its comment; '#' inside quotes is text.
std::string_view without_comment(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (text[i] == '#' && !quoted)
      return text.substr(0, i);
  }
  return text;
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

}  // namespace

std::vector<TomlLine> toml_lines(std::string_view text, const std::string& file) {
  std::vector<TomlLine> lines;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = text.find('\n');
    const auto content = trim(without_comment(text.substr(0, end)));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (content.empty()) continue;
    const auto equals = content.find('=');
    const auto name = trim(content.substr(0, equals));
    if (equals == std::string_view::npos || name.empty())
      fail_request("{}:{}: '{}' is not of the form name = value", file, number, content);
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
  std::string_view rest = line.value;
  if (rest.size() < 2 || rest.front() != '[' || rest.back() != ']')
    fail_at(line, "a list of texts such as [\"a\", \"b\"]");
  rest = trim(rest.substr(1, rest.size() - 2));
  value.clear();
  while (!rest.empty()) {
    value.push_back(take_quoted(line, rest));
    rest = trim(rest);
    if (rest.empty()) break;
    if (rest.front() != ',') fail_at(line, "a list whose texts are separated by commas");
    rest = trim(rest.substr(1));
  }
}

}  // namespace orrery
