#include "data/cut_facts.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "base/error.h"
#include "base/random.h"

namespace orrery {
namespace {

struct Ends {
  std::uint64_t train = 0, valid = 0;  // where these splits end
};

[[noreturn]] void fail_to_cut(std::size_t facts, const CutRule& rule, std::string_view why) {
  fail_request(About{.option = "split", .advice = "take other shares"},
               "{} facts cannot be split {}/{}/{}: {}", facts, rule.shares[0], rule.shares[1],
               rule.shares[2], why);
}

Ends ends_of(std::size_t size, const CutRule& rule) {
  const double total = std::accumulate(rule.shares.begin(), rule.shares.end(), 0.0);
  const auto end_at = [&](double share) {
    return static_cast<std::uint64_t>(std::llround(share / total * static_cast<double>(size)));
  };
  return {end_at(rule.shares[0]), end_at(rule.shares[0] + rule.shares[1])};
}

void check_ends(std::size_t size, const Ends& ends, const CutRule& rule) {
  const std::uint64_t sizes[] = {ends.train, ends.valid - ends.train, size - ends.valid};
  for (std::size_t i = 0; i < 3; ++i)
    if (sizes[i] == 0 && (rule.shares[i] > 0 || i == 0))
      fail_to_cut(size, rule, "each split needs at least one fact");
}

Splits dealt(const std::vector<Fact>& facts, const std::vector<Split>& split_of) {
  Splits splits;
  for (std::size_t i = 0; i < facts.size(); ++i)
    splits[static_cast<std::size_t>(split_of[i])].push_back(facts[i]);
  return splits;
}

Splits cut_at_random(const std::vector<Fact>& facts, const CutRule& rule) {
  const Ends ends = ends_of(facts.size(), rule);
  check_ends(facts.size(), ends, rule);
  Splits splits;
  const RandomPermutation place(facts.size(), rule.seed);
  for (std::uint64_t i = 0; i < facts.size(); ++i) {
    const std::uint64_t at = place(i);
    splits[at < ends.train ? 0 : at < ends.valid ? 1 : 2].push_back(facts[i]);
  }
  return splits;
}

auto key_of(const Date& date) {
  return std::tuple(date.year, date.month, date.day, date.hour, date.minute, date.second);
}

Splits cut_by_time(const std::vector<Fact>& facts, const CutRule& rule,
                   const std::function<Date(const Fact&)>& date_of) {
  std::vector<std::size_t> order(facts.size());
  std::iota(order.begin(), order.end(), 0);
  const auto date_at = [&](std::size_t i) { return key_of(date_of(facts[i])); };
  std::ranges::stable_sort(order, {}, date_at);
  // The end of a date that is nearest to the share asked for.
  const auto between_dates = [&](std::uint64_t wanted) {
    const auto begins_a_date = [&](std::uint64_t at) {
      return at == 0 || at >= order.size() || date_at(order[at - 1]) != date_at(order[at]);
    };
    std::uint64_t before = wanted, after = wanted;
    while (!begins_a_date(before)) --before;
    while (!begins_a_date(after)) ++after;
    return wanted - before <= after - wanted ? before : after;
  };
  Ends ends = ends_of(facts.size(), rule);
  ends = {between_dates(ends.train), between_dates(ends.valid)};
  ends.valid = std::max(ends.train, ends.valid);
  check_ends(facts.size(), ends, rule);
  std::vector<Split> split_of(facts.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    split_of[order[i]] = i < ends.train   ? Split::train
                         : i < ends.valid ? Split::valid
                                          : Split::test;
  return dealt(facts, split_of);
}

// The facts of each (subject, relation) pair from its earliest to its latest, as positions; pairs
// in the order in which the list first names them.
std::vector<std::vector<std::size_t>> pairs_of(const std::vector<Fact>& facts,
                                               const std::function<Date(const Fact&)>& date_of) {
  std::unordered_map<std::uint64_t, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> pairs;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const auto key = (static_cast<std::uint64_t>(facts[i].subject) << 32U) |
                     static_cast<std::uint32_t>(facts[i].relation);
    const auto [found, is_new] = number_of.try_emplace(key, pairs.size());
    if (is_new) pairs.emplace_back();
    pairs[found->second].push_back(i);
  }
  for (auto& pair : pairs)
    std::ranges::stable_sort(pair, {}, [&](std::size_t i) { return key_of(date_of(facts[i])); });
  return pairs;
}

Splits cut_off_last(const std::vector<Fact>& facts, const CutRule& rule,
                    const std::function<Date(const Fact&)>& date_of) {
  const Ends ends = ends_of(facts.size(), rule);
  std::uint64_t valid_left = ends.valid - ends.train, test_left = facts.size() - ends.valid;
  std::vector<Split> split_of(facts.size(), Split::train);
  auto pairs = pairs_of(facts, date_of);
  const auto give_last = [&](std::vector<std::size_t>& pair, Split to, std::uint64_t& left) {
    if (left == 0 || pair.size() < 2) return;
    split_of[pair.back()] = to;
    pair.pop_back();
    --left;
  };
  std::vector<std::size_t> order(pairs.size());
  const RandomPermutation place(pairs.size(), rule.seed);
  for (std::uint64_t i = 0; i < pairs.size(); ++i) order[place(i)] = i;
  for (const std::size_t i : order) {
    give_last(pairs[i], Split::test, test_left);
    give_last(pairs[i], Split::valid, valid_left);
  }
  Splits splits = dealt(facts, split_of);
  check_ends(facts.size(), {splits[0].size(), splits[0].size() + splits[1].size()}, rule);
  return splits;
}

CutBy cut_named(const std::string& by) {
  if (by == "random") return CutBy::random;
  if (by == "time") return CutBy::time;
  if (by == "last") return CutBy::last;
  fail_request(About{.option = "split-by"}, "$split-by is '{}', but must be random, time or last",
               by);
}

}  // namespace

std::string usual_shares(std::size_t facts) {
  if (facts < 10) return "100/0/0";
  if (facts < 2'000) return "80/10/10";
  if (facts < 200'000) return "90/5/5";
  return facts < 2'000'000 ? "98/1/1" : "99.6/0.2/0.2";
}

CutRule cut_rule(const std::string& shares, const std::string& by, std::uint64_t seed) {
  CutRule rule;
  rule.seed = seed;
  rule.by = cut_named(by);
  const char* at = shares.data();
  const char* const end = at + shares.size();
  bool good = true;
  for (std::size_t i = 0; i < rule.shares.size() && good; ++i) {
    if (i > 0) good = at != end && *at++ == '/';
    const auto [stop, error] = std::from_chars(at, end, rule.shares[i]);
    good = good && error == std::errc() && std::isfinite(rule.shares[i]) && rule.shares[i] >= 0;
    at = stop;
  }
  if (!good || at != end || rule.shares[0] <= 0)
    fail_request(About{.option = "split"},
                 "$split is '{}', but must be three shares such as 80/10/10", shares);
  return rule;
}

Splits cut_facts(std::vector<Fact> facts, const CutRule& rule,
                 const std::function<Date(const Fact&)>& date_of) {
  if (facts.empty()) return {};
  switch (rule.by) {
    case CutBy::time:
      return cut_by_time(facts, rule, date_of);
    case CutBy::last:
      return cut_off_last(facts, rule, date_of);
    default:
      return cut_at_random(facts, rule);
  }
}

}  // namespace orrery
