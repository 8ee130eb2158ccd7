// Taking turns: the parts of a comparison run one after the other, many times over, so that
// whatever else the machine does falls on all of them; the median of each is what is shown.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// A whole number from 0 on; empty: the word is something else.
inline std::optional<int> number_in(std::string_view word) {
  int number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number < 0) return {};
  return number;
}

struct Repetition {
  int turns = 0;
  int threads = 0;  // 0: every core
};

// What benchmarks without options of their own are given: the turns, then the threads (./dev bench
// hands all programs the same words; one that has no use for threads ignores them).
inline Repetition repetition_in(std::span<const std::string_view> words, int turns) {
  Repetition given{turns, 0};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto number = number_in(words[i]);
    if (i >= 2 || !number || (i == 0 && *number == 0)) {
      fmt::print(stderr, "'{}' is not understood; give a number of turns, then one of threads\n",
                 words[i]);
      std::exit(1);
    }
    (i == 0 ? given.turns : given.threads) = *number;
  }
  return given;
}
inline Repetition repetition_in(int count, char** words, int turns) {
  return repetition_in(std::vector<std::string_view>(words + 1, words + count), turns);
}

struct Part {
  std::string name;
  std::function<void()> run;
  std::vector<double> milliseconds;       // by the clock on the wall
  std::vector<double> core_milliseconds;  // summed over the cores; waiting threads may spin
};

inline double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

// The first turn warms caches and buffers up and is not counted.
inline void take_turns(std::vector<Part>& parts, int turns) {
  using Clock = std::chrono::steady_clock;
  for (int turn = 0; turn <= turns; ++turn)
    for (Part& part : parts) {
      const auto start = Clock::now();
      const std::clock_t start_of_cores = std::clock();
      part.run();
      const std::clock_t cores = std::clock() - start_of_cores;
      const std::chrono::duration<double, std::milli> taken = Clock::now() - start;
      if (turn == 0) continue;
      part.milliseconds.push_back(taken.count());
      part.core_milliseconds.push_back(1e3 * static_cast<double>(cores) / CLOCKS_PER_SEC);
    }
}

// The median over the turns of a part's time divided by that of others together.
inline double ratio_of(const Part& part, std::span<const Part> others,
                       std::vector<double> Part::*times) {
  std::vector<double> ratios;
  for (std::size_t turn = 0; turn < (part.*times).size(); ++turn) {
    double together = 0;
    for (const Part& other : others) together += (other.*times)[turn];
    ratios.push_back((part.*times)[turn] / together);
  }
  return median(ratios);
}

inline void print_parts(const std::vector<Part>& parts) {
  fmt::print("  {:<34}{:>10}{:>12}\n", "", "ms", "core ms");
  for (const Part& part : parts)
    fmt::print("  {:<34}{:>10.1f}{:>12.1f}\n", part.name, median(part.milliseconds),
               median(part.core_milliseconds));
}

}  // namespace orrery
