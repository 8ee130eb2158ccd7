// A biquaternion as people study it: eight reals, four complex numbers or a 2×2 complex matrix, and
// so with an adjoint and a polar form. In double precision.
#pragma once

#include <array>
#include <cmath>
#include <complex>

namespace orrery {

struct BiquaternionValue {
  static constexpr int size = 8;
  double c[size] = {};  // w.re w.im x.re x.im … z.im
};
using ComplexMatrix2 = std::array<std::array<std::complex<double>, 2>, 2>;

// Parts w, x, y, z.
inline std::complex<double> complex_part(const BiquaternionValue& q, int part) {
  return {q.c[2 * part], q.c[2 * part + 1]};
}
inline BiquaternionValue from_complex_parts(const std::array<std::complex<double>, 4>& parts) {
  BiquaternionValue q;
  for (int i = 0; i < 4; ++i) {
    q.c[2 * i] = parts[i].real();
    q.c[2 * i + 1] = parts[i].imag();
  }
  return q;
}

inline double squared_norm(const BiquaternionValue& q) {
  double sum = 0;
  for (const double component : q.c) sum += component * component;
  return sum;
}
inline BiquaternionValue subtract(BiquaternionValue a, const BiquaternionValue& b) {
  for (int i = 0; i < a.size; ++i) a.c[i] -= b.c[i];
  return a;
}
inline BiquaternionValue scale(double factor, BiquaternionValue q) {
  for (double& component : q.c) component *= factor;
  return q;
}

inline BiquaternionValue complex_conjugate(BiquaternionValue q) {
  for (int i = 1; i < q.size; i += 2) q.c[i] = -q.c[i];
  return q;
}
inline BiquaternionValue quaternion_conjugate(BiquaternionValue q) {
  for (int i = 2; i < q.size; ++i) q.c[i] = -q.c[i];
  return q;
}
// x†, both at once: ⟨a·x, b⟩ = ⟨b·x†, a⟩ for all a and b. Of the matrix it is the adjoint.
inline BiquaternionValue adjoint(const BiquaternionValue& q) {
  return quaternion_conjugate(complex_conjugate(q));
}

// 1, i, j, k are the unit matrix, diag(I, −I), (0 1; −1 0) and (0 I; I 0).
inline ComplexMatrix2 matrix_of(const BiquaternionValue& q) {
  const std::complex<double> unit(0, 1), w = complex_part(q, 0), x = unit * complex_part(q, 1),
                                         y = complex_part(q, 2), z = unit * complex_part(q, 3);
  return {{{w + x, y + z}, {z - y, w - x}}};
}
inline BiquaternionValue from_matrix(const ComplexMatrix2& m) {
  const std::complex<double> half(0.5, 0), turn(0, -0.5);
  return from_complex_parts({half * (m[0][0] + m[1][1]), turn * (m[0][0] - m[1][1]),
                             half * (m[0][1] - m[1][0]), turn * (m[0][1] + m[1][0])});
}
inline BiquaternionValue mul(const BiquaternionValue& a, const BiquaternionValue& b) {
  const ComplexMatrix2 left = matrix_of(a), right = matrix_of(b);
  ComplexMatrix2 product;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) product[i][j] = left[i][0] * right[0][j] + left[i][1] * right[1][j];
  return from_matrix(product);
}
inline std::complex<double> determinant(const BiquaternionValue& q) {
  std::complex<double> sum = 0;
  for (int part = 0; part < 4; ++part) sum += complex_part(q, part) * complex_part(q, part);
  return sum;
}

// q = unitary · hermitian, where
//   unitary = e^(I·phase/2) (cos angle + n sin angle)      n, m: real unit vectors of i, j, k
//   hermitian = scale (cosh rapidity + I m sinh rapidity)
struct PolarForm {
  double scale = 0;  // √|determinant|: how much it stretches, the geometric mean of both axes
  double phase = 0;  // of the determinant, in (−π, π]: twice the common turn of complex phases
  double angle = 0;  // circular, in [0, π]: half of what it turns space by
  double rapidity = 0;  // hyperbolic, from 0: one axis grows by e^rapidity, the other shrinks by it
  BiquaternionValue unitary, hermitian;
};

// A singular q (its determinant vanishes beside its norm) has no finite rapidity: all four numbers
// are 0 then, and unitary · hermitian is still q.
inline PolarForm polar_form(const BiquaternionValue& q) {
  constexpr double negligible = 1e-12;
  PolarForm polar;
  const double norm = squared_norm(q);
  const std::complex<double> det = determinant(q);
  const bool regular = std::abs(det) > negligible * norm;
  const double size = regular ? std::abs(det) : 0;  // the product of the matrix's singular values
  const double phase = regular ? std::arg(det) : 0;
  polar.unitary = from_complex_parts({1, 0, 0, 0});
  const double trace = std::sqrt(2 * (norm + size));  // the sum of the singular values
  if (!(trace > 0)) return polar;

  // From hermitian + size · hermitian⁻¹ = trace follows trace · unitary = q + e^(I·phase) q*, so
  // that e^(−I·phase/2) · unitary is the real part of a multiple of q: a unit quaternion.
  const std::complex<double> turn = std::polar(1.0, -phase / 2), back = std::polar(1.0, phase / 2);
  std::array<double, 4> rotation;
  for (int i = 0; i < 4; ++i) rotation[i] = 2 * (turn * complex_part(q, i)).real() / trace;
  polar.unitary = from_complex_parts(
      {back * rotation[0], back * rotation[1], back * rotation[2], back * rotation[3]});

  // (q†q + size) / trace is the root of q†q, whose vector part is size · I m sinh(2 rapidity).
  const BiquaternionValue square = mul(adjoint(q), q);
  polar.hermitian = scale(1 / trace, square);
  polar.hermitian.c[0] += size / trace;
  if (!regular) return polar;
  polar.scale = std::sqrt(size);
  polar.phase = phase;
  polar.angle = std::atan2(std::hypot(rotation[1], rotation[2], rotation[3]), rotation[0]);
  polar.rapidity = std::asinh(std::hypot(square.c[3], square.c[5], square.c[7]) / size) / 2;
  return polar;
}

// How far a·r₁ is from being a·r₂ asked the other way round: ‖r₁ − r₂†‖ over the most it can be,
// √(2‖r₁‖² + 2‖r₂‖²). With r₁ = r₂, 0 is symmetric and 1 antisymmetric; what is unrelated lies
// around √½. Sums over lanes, so that a lane counts by its energy.
class AdjointDistance {
 public:
  void add(const BiquaternionValue& r1, const BiquaternionValue& r2) {
    const BiquaternionValue difference = subtract(r1, adjoint(r2));
    apart_ += squared_norm(difference);
    most_ += 2 * (squared_norm(r1) + squared_norm(r2));
  }
  void add(const AdjointDistance& other) {
    apart_ += other.apart_;
    most_ += other.most_;
  }
  double value() const { return most_ > 0 ? std::sqrt(apart_ / most_) : 0; }

 private:
  double apart_ = 0, most_ = 0;
};

}  // namespace orrery
