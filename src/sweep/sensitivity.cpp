#include "sweep/sensitivity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "orrery/scores.h"
#include "page/ticks.h"
#include "sweep/searched_value.h"

namespace orrery {
namespace {

constexpr std::size_t most_groups = 8;  // of a range

struct TriedValue {
  std::string text;
  double number = 0, mrr = 0;
};

std::vector<TriedValue> points_of(const Sweep& sweep, const SearchedOption& option, bool number) {
  std::vector<TriedValue> points;
  for (const Trial& trial : sweep.trials) {
    if (trial.first_mrr <= 0) continue;  // it failed at once
    const auto value =
        std::ranges::find(trial.values, option.name, &std::pair<std::string, std::string>::first);
    if (value == trial.values.end()) continue;
    points.push_back({value->second, number ? std::stod(value->second) : 0, trial.first_mrr});
  }
  // Of texts in the order in which they were written.
  std::ranges::stable_sort(points, {}, [&](const TriedValue& point) {
    return number ? point.number
                  : static_cast<double>(std::ranges::find(option.values, point.text) -
                                        option.values.begin());
  });
  return points;
}

ValueGroup group_of(std::span<const TriedValue> points, bool logarithmic) {
  std::vector<double> places, mrrs;
  for (const TriedValue& point : points) {
    places.push_back(logarithmic ? std::log(point.number) : point.number);
    mrrs.push_back(point.mrr);
  }
  const double place = statistics_of(places).mean;
  const auto [mean, deviation] = statistics_of(mrrs);
  ValueGroup group;
  group.trials = std::ssize(points);
  group.at = logarithmic ? std::exp(place) : place;
  group.mean = mean;
  group.deviation = deviation;
  group.best = std::ranges::max(mrrs);
  const bool one = points.front().text == points.back().text;
  if (one) group.at = points.front().number;
  group.label =
      one ? points.front().text : fmt::format("{} … {}", points.front().text, points.back().text);
  return group;
}

std::vector<double> values_of(const std::vector<TriedValue>& points) {
  std::vector<double> values;
  for (const TriedValue& point : points)
    if (values.empty() || values.back() != point.number) values.push_back(point.number);
  return values;
}

std::size_t count_of_values(const std::vector<TriedValue>& points) {
  std::set<std::string> texts;
  for (const TriedValue& point : points) texts.insert(point.text);
  return texts.size();
}

// Where a group that begins at `first` ends: with its value, or of many of them with its share.
std::size_t end_of_group(const std::vector<TriedValue>& points, std::size_t first, bool many) {
  if (!many) {
    std::size_t end = first;
    while (end < points.size() && points[end].text == points[first].text) ++end;
    return end;
  }
  const double count = static_cast<double>(points.size());
  const double groups =
      std::clamp(std::round(std::sqrt(count)), 1.0, static_cast<double>(most_groups));
  const double share = std::floor(static_cast<double>(first) * groups / count + 1e-9) + 1;
  return static_cast<std::size_t>(std::ceil(share * count / groups - 1e-9));
}

Sensitivity sensitivity_of(const Sweep& sweep, const SearchedOption& option) {
  const OptionInfo& info = option_named(option.name);
  Sensitivity found;
  found.name = option.name;
  found.number = is_number(info);
  const auto points = points_of(sweep, option, found.number);
  if (points.empty()) return found;
  found.logarithmic = option.range ? option.range->logarithmic : grow_by_factors(values_of(points));
  const bool many = option.range && (is_real(info) || count_of_values(points) > most_groups);
  for (std::size_t first = 0; first < points.size();) {
    const std::size_t end = end_of_group(points, first, many);
    found.groups.push_back(
        group_of(std::span(points).subspan(first, end - first), found.logarithmic));
    first = end;
  }
  return found;
}

}  // namespace

const ValueGroup& Sensitivity::best() const {
  return *std::ranges::max_element(groups, {}, &ValueGroup::mean);
}
const ValueGroup& Sensitivity::worst() const {
  return *std::ranges::min_element(groups, {}, &ValueGroup::mean);
}

std::vector<Sensitivity> sensitivities(const Sweep& sweep) {
  std::vector<Sensitivity> all;
  for (const SearchedOption& option : sweep.options.searched) {
    all.push_back(sensitivity_of(sweep, option));
    if (all.back().groups.size() < 2) all.pop_back();
  }
  std::ranges::stable_sort(all, std::ranges::greater{}, [](const Sensitivity& option) {
    return option.best().mean - option.worst().mean;
  });
  return all;
}

}  // namespace orrery
