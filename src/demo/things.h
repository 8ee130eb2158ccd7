// Who is who in a world of statements: entities by kind and circle, in closed form.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// Zipf's law without a table: the k-th of n is drawn in proportion to about 1 / k^skew, and `skew`
// is not 1.
class Zipf {
 public:
  Zipf(std::uint64_t n, double skew);
  std::uint64_t draw(double uniform) const;  // from [0, 1)
  double share_of_first(std::uint64_t k) const;

 private:
  std::uint64_t n_;
  double power_, total_;
};

enum class Kind : std::uint8_t { person, work, place, organisation, topic, country };
inline constexpr std::array<std::string_view, 6> kind_names = {"Person",       "Work",  "Place",
                                                               "Organisation", "Topic", "Country"};

// Entities are numbered kind by kind, and those of a kind circle by circle. A few circles are
// large; each has members of every kind, but countries, of which there are fewer than circles, are
// shared.
class Things {
 public:
  struct Circle {
    std::uint64_t first = 0, size = 0;  // entities
  };

  Things(std::int32_t entities, std::uint64_t seed);

  std::int32_t circles() const { return circles_; }
  std::int32_t draw_circle(double uniform) const;
  Circle members(Kind kind, std::int32_t circle) const;

  Kind kind_of(std::int32_t entity) const;
  std::int32_t circle_of(std::int32_t entity) const;
  std::int32_t number_in_kind(std::int32_t entity) const;
  std::string name(std::int32_t entity) const;  // by the number would tell circles: dealt anew

 private:
  std::uint64_t size_of(Kind kind) const;

  std::uint64_t seed_;
  std::int32_t circles_;
  Zipf circle_sizes_;
  std::array<std::int32_t, kind_names.size() + 1> first_ = {};        // by kind
  std::array<std::vector<std::uint64_t>, kind_names.size()> starts_;  // by kind and circle
};

}  // namespace orrery
