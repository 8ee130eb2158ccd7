#include "demo/things.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace orrery {
namespace {

constexpr double circle_skew = 0.9;
constexpr std::int32_t circles_a_country = 5, fewest_of_a_kind = 4;
// Of all entities; persons are the rest, and countries follow the circles.
constexpr std::array<double, kind_names.size()> kind_shares = {0, 0.2, 0.15, 0.08, 0.02, 0};

// As many circles as members of one: both grow with the world.
std::int32_t circles_among(std::int32_t entities) {
  return static_cast<std::int32_t>(std::sqrt(static_cast<double>(entities)));
}

std::size_t at(Kind kind) { return static_cast<std::size_t>(kind); }

}  // namespace

Zipf::Zipf(std::uint64_t n, double skew)
    : n_(n), power_(1 - skew), total_(std::pow(static_cast<double>(n) + 1, power_) - 1) {}

std::uint64_t Zipf::draw(double uniform) const {
  const double drawn = std::pow(1 + uniform * total_, 1 / power_) - 1;
  return std::min(static_cast<std::uint64_t>(std::max(drawn, 0.0)), n_ - 1);
}

double Zipf::share_of_first(std::uint64_t k) const {
  return (std::pow(static_cast<double>(k) + 1, power_) - 1) / total_;
}

Things::Things(std::int32_t entities, std::uint64_t seed)
    : seed_(seed),
      circles_(circles_among(entities)),
      circle_sizes_(static_cast<std::uint64_t>(circles_), circle_skew) {
  std::array<std::int32_t, kind_names.size()> sizes = {};
  for (std::size_t i = 1; i < sizes.size(); ++i)
    sizes[i] = std::max(fewest_of_a_kind, static_cast<std::int32_t>(entities * kind_shares[i]));
  sizes[at(Kind::country)] = std::max(fewest_of_a_kind, circles_ / circles_a_country);
  sizes[at(Kind::person)] = entities;
  for (std::size_t i = 1; i < sizes.size(); ++i) sizes[at(Kind::person)] -= sizes[i];
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    first_[i + 1] = first_[i] + sizes[i];
    if (sizes[i] < circles_) continue;
    const double beyond_one_each = sizes[i] - circles_;
    for (std::uint64_t circle = 0; circle < static_cast<std::uint64_t>(circles_); ++circle)
      starts_[i].push_back(circle + static_cast<std::uint64_t>(
                                        beyond_one_each * circle_sizes_.share_of_first(circle)));
    starts_[i].push_back(static_cast<std::uint64_t>(sizes[i]));
  }
}

std::int32_t Things::draw_circle(double uniform) const {
  return static_cast<std::int32_t>(circle_sizes_.draw(uniform));
}

std::uint64_t Things::size_of(Kind kind) const {
  return static_cast<std::uint64_t>(first_[at(kind) + 1] - first_[at(kind)]);
}

Things::Circle Things::members(Kind kind, std::int32_t circle) const {
  const auto first = static_cast<std::uint64_t>(first_[at(kind)]);
  const auto number = static_cast<std::uint64_t>(circle);
  const auto& starts = starts_[at(kind)];
  if (starts.empty()) return {first + number % size_of(kind), 1};
  return {first + starts[number], starts[number + 1] - starts[number]};
}

Kind Things::kind_of(std::int32_t entity) const {
  const auto next = std::upper_bound(first_.begin(), first_.end(), entity);
  return static_cast<Kind>(next - first_.begin() - 1);
}

std::int32_t Things::number_in_kind(std::int32_t entity) const {
  return entity - first_[at(kind_of(entity))];
}

std::int32_t Things::circle_of(std::int32_t entity) const {
  const auto number = static_cast<std::uint64_t>(number_in_kind(entity));
  const auto& starts = starts_[at(kind_of(entity))];
  if (starts.empty()) return static_cast<std::int32_t>(number);
  return static_cast<std::int32_t>(std::upper_bound(starts.begin(), starts.end(), number) -
                                   starts.begin() - 1);
}

std::string Things::name(std::int32_t entity) const {
  const Kind kind = kind_of(entity);
  const RandomPermutation deal(size_of(kind), random_bits(seed_, at(kind)));
  const auto number = static_cast<std::uint64_t>(number_in_kind(entity));
  return fmt::format("{} {}", kind_names[at(kind)], deal(number) + 1);
}

}  // namespace orrery
