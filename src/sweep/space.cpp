#include "sweep/space.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "page/text_table.h"
#include "sweep/searched_value.h"

namespace orrery {
namespace {

constexpr int most_repeats = 1'000'000;  // draws in a row that give nothing new

bool is_whole(const SearchedOption& option) { return is_whole(option_named(option.name)); }

// `share` is uniform in [0, 1). Reals are rounded to four digits, which people can read and type.
std::string value_in(const SearchedRange& range, bool whole, double share) {
  const double most = whole ? range.to + 1 : range.to;  // each whole number has its share
  const double drawn =
      range.logarithmic
          ? std::exp(std::log(range.from) + share * (std::log(most) - std::log(range.from)))
          : range.from + share * (most - range.from);
  if (whole) return fmt::format("{:.0f}", std::clamp(std::floor(drawn), range.from, range.to));
  const double rounded = std::stod(fmt::format("{:.4g}", drawn));
  return fmt::format("{}", std::clamp(rounded, range.from, range.to));
}

class Drawing {
 public:
  Drawing(const std::vector<SearchedOption>& searched, std::uint64_t seed)
      : searched_(searched), key_(random_bits(seed, 0x7377656570)) {
    for (const SearchedOption& option : searched) whole_.push_back(is_whole(option));
  }

  TrialValues draw(std::uint64_t counter) const {
    TrialValues values;
    for (std::size_t i = 0; i < searched_.size(); ++i) {
      const SearchedOption& option = searched_[i];
      const double share = random_uniform(random_bits(key_, i), counter);
      const auto choice =
          static_cast<std::size_t>(share * static_cast<double>(option.values.size()));
      values.emplace_back(option.name, option.range ? value_in(*option.range, whole_[i], share)
                                                    : option.values[choice]);
    }
    return values;
  }

 private:
  const std::vector<SearchedOption>& searched_;
  std::uint64_t key_;
  std::vector<bool> whole_;
};

}  // namespace

std::optional<double> count_of_combinations(const std::vector<SearchedOption>& searched) {
  double count = 1;
  for (const SearchedOption& option : searched) {
    if (!option.range)
      count *= static_cast<double>(option.values.size());
    else if (is_whole(option))
      count *= option.range->to - option.range->from + 1;
    else
      return {};
  }
  return count;
}

std::vector<TrialValues> grid_trials(const std::vector<SearchedOption>& searched) {
  std::vector<TrialValues> trials = {{}};
  for (const SearchedOption& option : searched) {
    std::vector<TrialValues> longer;
    for (const TrialValues& trial : trials)
      for (const std::string& value : option.values) {
        longer.push_back(trial);
        longer.back().emplace_back(option.name, value);
      }
    trials = std::move(longer);
  }
  return trials;
}

std::vector<TrialValues> drawn_trials(const std::vector<SearchedOption>& searched,
                                      std::uint64_t seed, std::int64_t count) {
  const Drawing drawing(searched, seed);
  std::vector<TrialValues> trials;
  std::set<TrialValues> known;
  std::uint64_t counter = 0;
  for (int repeats = 0; std::ssize(trials) < count; ++counter) {
    TrialValues trial = drawing.draw(counter);
    if (known.insert(trial).second) {
      trials.push_back(std::move(trial));
      repeats = 0;
    } else if (++repeats == most_repeats) {
      fail_request(About{.option = "trials", .advice = worded("take fewer $trials, or a grid")},
                   "there are hardly more than {} different trials", trials.size());
    }
  }
  return trials;
}

std::string words_of(const TrialValues& values) {
  std::string words;
  for (const auto& [name, value] : values)
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name,
                         value.empty() ? "\"\"" : printable(value));
  return words;
}

}  // namespace orrery
