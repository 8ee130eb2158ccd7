#include "orrery/error.h"

#include <algorithm>

#include "base/error.h"

namespace orrery {
namespace {

constexpr char mark = '\x1f';  // around an option's name

std::string spelt(const std::string& name, OptionStyle style) {
  if (style == OptionStyle::flag) return "--" + name;
  std::string keyword = name;
  std::ranges::replace(keyword, '-', '_');
  return keyword;
}

std::string unmarked(const std::string& text, OptionStyle style) {
  std::string result;
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = text.find(mark, at);
    const std::size_t end = begin == text.npos ? begin : text.find(mark, begin + 1);
    if (end == text.npos) return result + text.substr(at);
    result += text.substr(at, begin - at) + spelt(text.substr(begin + 1, end - begin - 1), style);
    at = end + 1;
  }
}

std::string sentence(const std::string& message, const ErrorDetails& details, OptionStyle style) {
  const Place& place = details.place;
  const std::string where = place.file.empty() ? ""
                            : place.line == 0  ? fmt::format("{}: ", place.file)
                                               : fmt::format("{}:{}: ", place.file, place.line);
  const std::string advice = details.advice.empty() ? "" : "; " + unmarked(details.advice, style);
  return fmt::format("{}{}{}", where, unmarked(message, style), advice);
}

bool in_option_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

}  // namespace

Error::Error(Kind kind, std::string message, ErrorDetails details)
    : std::runtime_error(sentence(message, details, OptionStyle::flag)),
      kind_(kind),
      message_(std::move(message)),
      details_(std::move(details)) {}

std::string Error::message(OptionStyle style) const { return unmarked(message_, style); }
std::string Error::advice(OptionStyle style) const { return unmarked(details_.advice, style); }
std::string Error::text(OptionStyle style) const { return sentence(message_, details_, style); }

Error Error::at(Place place) const {
  if (!details_.place.file.empty()) return *this;
  ErrorDetails details = details_;
  details.place = std::move(place);
  return {kind_, message_, std::move(details)};
}

Error Error::of_option(std::string option) const {
  if (!details_.option.empty()) return *this;
  ErrorDetails details = details_;
  details.option = std::move(option);
  return {kind_, message_, std::move(details)};
}

Error Error::while_at(const std::string& work) const {
  return {kind_, work + ": " + message_, details_};
}

Error Error::with_advice(const std::string& advice) const {
  ErrorDetails details = details_;
  details.advice += details.advice.empty() ? advice : "; " + advice;
  return {kind_, message_, std::move(details)};
}

std::string option_mark(const std::string& name) { return mark + name + mark; }

std::string with_marked_options(std::string_view format) {
  std::string result;
  for (std::size_t at = 0; at < format.size();) {
    if (format[at] != '$') {
      result += format[at++];
      continue;
    }
    const auto* const begin = format.begin() + at + 1;
    const auto* const end = std::find_if_not(begin, format.end(), in_option_name);
    result += option_mark(std::string(begin, end));
    at = static_cast<std::size_t>(end - format.begin());
  }
  return result;
}

}  // namespace orrery
