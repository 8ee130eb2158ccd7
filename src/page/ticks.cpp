#include "page/ticks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "page/text_table.h"

namespace orrery {
namespace {

constexpr double margin = 0.04;      // of an axis, beyond the outermost values
constexpr double rounding = 1e-9;    // relative: closer values are one
constexpr double largest = 1e250;    // beyond it margins overflow …
constexpr double smallest = 1e-250;  // … and below it steps vanish

// The smallest of 1, 2, 5 × 10ⁿ that is not below it.
double nice_step(double least) {
  const double decade = std::pow(10.0, std::floor(std::log10(least)));
  for (const double multiple : {1.0, 2.0, 5.0})
    if (multiple * decade >= least * (1 - rounding)) return multiple * decade;
  return 10 * decade;
}

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value)) + rounding));
}

std::string superscript(int exponent) {
  constexpr const char* raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) text += raised[digit - '0'];
  return text;
}

// Four digits stand without a comma, as years do.
std::string with_commas(std::string digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  if (whole < 5) return digits;
  return grouped(std::stoull(digits.substr(0, whole))) + digits.substr(whole);
}

// `step` is the distance to the next label, which must read differently.
std::string label_of(double value, double step, bool as_power) {
  if (std::abs(value) < step * rounding) return "0";
  const std::string sign = value < 0 ? "−" : "";
  const double size = std::abs(value);
  if (!as_power) {
    const int decimals = std::max(0, -exponent_of(step));
    return sign + with_commas(fmt::format("{:.{}f}", size, decimals));
  }
  const int exponent = exponent_of(size), decimals = std::max(0, exponent - exponent_of(step));
  const std::string mantissa = fmt::format("{:.{}f}", size / std::pow(10.0, exponent), decimals);
  const std::string power = "10" + superscript(exponent);
  return sign + (mantissa == "1" ? power : mantissa + "×" + power);
}

double linear_step(const Scale& scale, int most) {
  const double step = nice_step((scale.high - scale.low) / most);
  return scale.whole ? std::max(step, 1.0) : step;
}

std::vector<double> multiples_of(double step, const Scale& scale) {
  std::vector<double> values;
  const double last = std::floor(scale.high / step + rounding);
  for (double i = std::ceil(scale.low / step - rounding); i <= last; ++i)
    values.push_back(i * step);
  return values;
}

std::vector<double> powers_of_ten(const Scale& scale, std::size_t most) {
  const int first = exponent_of(scale.low), last = exponent_of(scale.high) + 1;
  const auto collect = [&](std::initializer_list<double> multiples, int every) {
    std::vector<double> values;
    for (int exponent = first; exponent <= last; ++exponent) {
      if (exponent % every != 0) continue;
      for (const double multiple : multiples) {
        const double value = multiple * std::pow(10.0, exponent);
        if (value >= scale.low && value <= scale.high) values.push_back(value);
      }
    }
    return values;
  };
  if (auto values = collect({1.0, 2.0, 5.0}, 1); values.size() <= most + 2) return values;
  int every = 1;
  while (collect({1.0}, every).size() > most + 1) ++every;
  return collect({1.0}, every);
}

// How many times the smallest gap between neighbours the largest is.
double unevenness(std::span<const double> values) {
  double least = std::numeric_limits<double>::max(), most = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    least = std::min(least, values[i] - values[i - 1]);
    most = std::max(most, values[i] - values[i - 1]);
  }
  return most / least;
}

}  // namespace

double Scale::place(double value) const {
  if (logarithmic)
    return (std::log10(value) - std::log10(low)) / (std::log10(high) - std::log10(low));
  return (value - low) / (high - low);
}

bool has_place(double value, bool logarithmic) {
  return std::abs(value) <= largest && (!logarithmic || value >= smallest);
}

Scale fit_scale(std::span<const double> values, bool logarithmic, bool with_zero) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  bool whole = !logarithmic;
  for (const double value : values) {
    if (!has_place(value, logarithmic)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
    whole = whole && value == std::nearbyint(value) && std::abs(value) < 1e15;
  }
  if (low > high) return logarithmic ? Scale{1, 10, true} : Scale{};
  if (logarithmic) {
    const double span = std::log10(high) - std::log10(low);
    const double room = std::pow(10.0, span > rounding ? margin * span : 0.5);
    return {low / room, high * room, true};
  }
  if (with_zero) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  const double size = std::max(std::abs(low), std::abs(high)), span = high - low;
  const bool constant = span <= std::max(size * rounding, smallest);
  const double room = !constant ? margin * span : size > smallest ? size / 2 : 1;
  // No margin leads across zero: a count of −3 or a score below nothing would puzzle a reader.
  const double below = low >= 0 && size > smallest ? std::max(0.0, low - room) : low - room;
  const double above = high <= 0 && size > smallest ? std::min(0.0, high + room) : high + room;
  return {below, above, false, whole};
}

std::vector<Tick> ticks_of(const Scale& scale, int most) {
  // Within a part of a decade the powers of ten are too few: plain steps are marked instead.
  const bool by_powers = scale.logarithmic && scale.high / scale.low > 4;
  const double step = linear_step(scale, most);
  const std::vector<double> values =
      by_powers ? powers_of_ten(scale, static_cast<std::size_t>(most)) : multiples_of(step, scale);
  std::vector<Tick> ticks;
  if (values.empty()) return ticks;
  const double largest_shown = std::max(std::abs(values.front()), std::abs(values.back()));
  const double finest = by_powers ? values.front() : step;
  const bool as_power = largest_shown >= 1e7 || finest < 1e-5;
  for (const double value : values) {
    const double digit = by_powers ? std::pow(10.0, exponent_of(value)) : step;
    ticks.push_back({value, label_of(value, digit, as_power)});
  }
  return ticks;
}

std::vector<Tick> ticks_at(std::span<const double> values) {
  std::vector<Tick> ticks;
  for (const double value : values) {
    const double size = std::abs(value);
    if (size >= 1e7 || (size > 0 && size < 1e-4)) return {};
    const bool is_whole = size == std::nearbyint(size);
    const std::string digits = is_whole ? fmt::format("{:.0f}", size) : fmt::format("{:.3g}", size);
    if (std::abs(std::stod(digits) - size) > rounding * size) return {};
    ticks.push_back({value, (value < 0 ? "−" : "") + with_commas(digits)});
  }
  return ticks;
}

bool grow_by_factors(std::span<const double> values) {
  constexpr double wide = 10;  // two values so many times apart grow by a factor
  if (values.size() < 2 || !(values.front() > 0)) return false;
  if (values.size() == 2) return values.back() >= wide * values.front();
  std::vector<double> logarithms;
  for (const double value : values) logarithms.push_back(std::log(value));
  return unevenness(logarithms) < unevenness(values);
}

std::string number_text(double number, int digits) {
  if (std::isnan(number)) return no_figure;
  if (std::isinf(number)) return number > 0 ? "∞" : "-∞";
  if (number == std::nearbyint(number) && std::abs(number) < 1e15)
    return fmt::format("{:.0f}", number + 0.0);
  return fmt::format("{:.{}g}", number, std::abs(number) >= 100 ? 6 : digits);
}

}  // namespace orrery
