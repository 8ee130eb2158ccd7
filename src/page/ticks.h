// Axes: where a number lies on one, which numbers are marked, and how they are written.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace orrery {

struct Scale {
  double low = 0, high = 1;
  bool logarithmic = false;
  bool whole = false;  // of whole numbers only: no marks between them

  double place(double value) const;  // 0 at low, 1 at high
};

struct Tick {
  double value;
  std::string label;
};

// Other numbers leave a gap: they have no place on such an axis.
bool has_place(double value, bool logarithmic);

// Of values upwards: whether they are above 0 and grow by factors rather than by steps. Then they
// are drawn on a logarithmic axis.
bool grow_by_factors(std::span<const double> values);

// Room for all values that have a place, with a margin; with_zero: zero included, as bars need it.
Scale fit_scale(std::span<const double> values, bool logarithmic, bool with_zero = false);

// Multiples of 1, 2 or 5 × 10ⁿ, about `most` of them; on logarithmic axes powers of ten, with 2 and
// 5 times them where those are few.
std::vector<Tick> ticks_of(const Scale& scale, int most);

// At these values; none where one of them cannot be written in a few digits.
std::vector<Tick> ticks_at(std::span<const double> values);

std::string number_text(double number, int digits = 4);  // of large ones six; NaN is a dash

}  // namespace orrery
