// Which relations BSCA can hold, leaving its shifts aside. Since ⟨x·R, y⟩ = ⟨y·R†, x⟩:
//   symmetric ⇔ R = R†, asymmetric otherwise, inverse ⇔ R₂ = R₁†, evolving ⇔ R₂(t₂) = R₁(t₁)†.
// Both directions of each are tried: what meets the condition to 1e-12, what misses it visibly.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"
#include "engine/reference.h"
#include "models/bsca.h"
#include "paper/biquaternion.h"

namespace orrery {
namespace {

using Studied = Bsca<NoAttention, Biquaternion>;

constexpr int lanes = 3, entities = 40;
constexpr std::int32_t r1 = 0, r2 = 1, t1 = 0, t2 = 1;
constexpr double exact = 1e-12;

// Random rows without shifts; R is set by choosing relation_mul for the times' rows there are.
class RelationPatterns : public ::testing::Test {
 protected:
  RelationPatterns() : model_(plan(), random_tables()) {}

  using Transform = std::vector<BiquaternionValue>;  // by lane

  static Transform random_transform(std::uint64_t key) {
    Transform transform(lanes);
    for (int l = 0; l < lanes; ++l)
      for (int c = 0; c < Biquaternion::size; ++c)
        transform[l].c[c] = random_normal(key, 8 * l + c);
    return transform;
  }
  static Transform adjoints(Transform transform) {
    for (auto& r : transform) r = adjoint(r);
    return transform;
  }
  static Transform sum(Transform a, const Transform& b, double weight = 1) {
    for (int l = 0; l < lanes; ++l) a[l] = subtract(a[l], scale(-weight, b[l]));
    return a;
  }
  static double size(const Transform& transform) {
    double sum = 0;
    for (const auto& r : transform) sum += squared_norm(r);
    return std::sqrt(sum);
  }

  // relation_mul = R · time_mul⁻¹ − time_joint gives R at this time.
  void set(std::int32_t relation, std::int32_t time, const Transform& transform) {
    for (int l = 0; l < lanes; ++l) {
      const auto mul_row = row("time_mul", time, l);
      const auto inverse = mul(quaternion_conjugate(mul_row),
                               from_complex_parts({1.0 / determinant(mul_row), 0, 0, 0}));
      write("relation_mul", relation, l,
            subtract(mul(transform[l], inverse), row("time_joint", time, l)));
    }
  }

  // The largest of |φ(s, relation, o, time) − φ(o, other, s, other_time)| over all pairs.
  double apart(std::int32_t relation, std::int32_t time, std::int32_t other,
               std::int32_t other_time) const {
    std::vector<std::vector<double>> there, back;
    for (std::int32_t s = 0; s < entities; ++s) {
      there.push_back(model_.scores({s, relation, time}));
      back.push_back(model_.scores({s, other, other_time}));
    }
    double most = 0;
    for (std::size_t s = 0; s < entities; ++s)
      for (std::size_t o = 0; o < entities; ++o)
        most = std::max(most, std::abs(there[s][o] - back[o][s]));
    return most;
  }

 private:
  static const ModelShape& shape() {
    static constexpr ModelShape s{
        .entities = entities, .relation_rows = 2, .times = 2, .dim = lanes * Biquaternion::size};
    return s;
  }
  static ModelPlan plan() {
    return {&find_variant("bsca", {{"attention", "none"}}), shape(), {"time_add", "relation_add"}};
  }
  static ReferenceTables random_tables() {
    const ModelPlan p = plan();
    ReferenceTables tables(row_count<Studied>);
    for (const TableSpec& table : tables_of(*p.variant, p.shape, p.without)) {
      tables[table.row].resize(static_cast<std::size_t>(table.count) * p.shape.dim);
      for (std::size_t i = 0; i < tables[table.row].size(); ++i)
        tables[table.row][i] = 0.5 * random_normal(11 + table.row, i);
    }
    return tables;
  }

  static std::size_t table_of(std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(Studied::rows, name, &RowSpec::name) -
                                    Studied::rows.begin());
  }
  static std::size_t place(std::int32_t id, int component, int lane) {
    return static_cast<std::size_t>((id * Biquaternion::size + component) * lanes + lane);
  }
  BiquaternionValue row(std::string_view name, std::int32_t id, int lane) const {
    BiquaternionValue value;
    for (int c = 0; c < value.size; ++c)
      value.c[c] = model_.tables[table_of(name)][place(id, c, lane)];
    return value;
  }
  void write(std::string_view name, std::int32_t id, int lane, const BiquaternionValue& value) {
    for (int c = 0; c < value.size; ++c)
      model_.tables[table_of(name)][place(id, c, lane)] = value.c[c];
  }

  Reference<Studied> model_;
};

TEST_F(RelationPatterns, SymmetricWhereItIsItsOwnAdjoint) {
  for (std::uint64_t key = 0; key < 5; ++key) {
    const Transform any = random_transform(key);
    const Transform symmetric = sum(any, adjoints(any));
    set(r1, t1, symmetric);
    EXPECT_LT(apart(r1, t1, r1, t1), exact * size(symmetric));
    // A step away from R† breaks it, in proportion.
    const Transform odd = sum(any, adjoints(any), -1);
    for (const double step : {1e-6, 1e-3, 1.0}) {
      set(r1, t1, sum(symmetric, odd, step));
      EXPECT_GT(apart(r1, t1, r1, t1), 0.1 * step * size(odd));
    }
    // A step along R = R† does not.
    const Transform other = random_transform(100 + key);
    set(r1, t1, sum(symmetric, sum(other, adjoints(other))));
    EXPECT_LT(apart(r1, t1, r1, t1), exact * (size(symmetric) + 2 * size(other)));
  }
}

TEST_F(RelationPatterns, AsymmetricOtherwise) {
  for (std::uint64_t key = 0; key < 5; ++key) {
    const Transform any = random_transform(key);
    set(r1, t1, any);
    EXPECT_GT(apart(r1, t1, r1, t1), 0.1 * size(any));
    // R = −R†: φ(s, o) = −φ(o, s), and nobody stands in this relation to himself.
    const Transform odd = sum(any, adjoints(any), -1);
    set(r1, t1, odd);
    set(r2, t1, sum(odd, odd, -2));
    EXPECT_LT(apart(r1, t1, r2, t1), exact * size(odd));
    EXPECT_GT(apart(r1, t1, r1, t1), 0.1 * size(odd));
  }
}

TEST_F(RelationPatterns, InverseWhereOneIsTheAdjointOfTheOther) {
  for (std::uint64_t key = 0; key < 5; ++key) {
    const Transform any = random_transform(key), noise = random_transform(200 + key);
    set(r1, t1, any);
    set(r2, t1, adjoints(any));
    EXPECT_LT(apart(r1, t1, r2, t1), exact * size(any));
    EXPECT_GT(apart(r1, t1, r1, t1), 0.1 * size(any));
    for (const double step : {1e-6, 1e-3, 1.0}) {
      set(r2, t1, sum(adjoints(any), noise, step));
      EXPECT_GT(apart(r1, t1, r2, t1), 0.1 * step * size(noise));
    }
  }
}

TEST_F(RelationPatterns, EvolvingWhereTheAdjointComesAtAnotherTime) {
  for (std::uint64_t key = 0; key < 5; ++key) {
    const Transform any = random_transform(key), noise = random_transform(300 + key);
    set(r1, t1, any);
    set(r2, t2, adjoints(any));
    EXPECT_LT(apart(r1, t1, r2, t2), exact * size(any));
    EXPECT_GT(apart(r1, t1, r2, t1), 0.1 * size(any));  // at t1 it does not hold yet
    for (const double step : {1e-6, 1e-3, 1.0}) {
      set(r2, t2, sum(adjoints(any), noise, step));
      EXPECT_GT(apart(r1, t1, r2, t2), 0.1 * step * size(noise));
    }
  }
}

// The paper argues that an invertible R is symmetric and an asymmetric one singular.
TEST_F(RelationPatterns, InvertibleIsNotTheCondition) {
  // 1 + j/2 in every lane: far from singular, not its own adjoint.
  const Transform invertible(lanes, from_complex_parts({1, 0, 0.5, 0}));
  for (const auto& r : invertible) ASSERT_NEAR(std::abs(determinant(r)), 1.25, 1e-15);
  set(r1, t1, invertible);
  EXPECT_GT(apart(r1, t1, r1, t1), 0.1 * size(invertible));

  // Nor is R⁻¹ = (1 − j/2) / 1.25 the inverse relation; the adjoint, 1 − j/2, is.
  Transform inverse = invertible;
  for (auto& r : inverse) r = scale(1 / 1.25, quaternion_conjugate(r));
  set(r2, t1, inverse);
  EXPECT_GT(apart(r1, t1, r2, t1), 0.01 * size(invertible));
  set(r2, t1, adjoints(invertible));
  EXPECT_LT(apart(r1, t1, r2, t1), exact * size(invertible));

  // And a singular R can be symmetric: (1 + I·i) has determinant 0 and is its own adjoint.
  const Transform singular(lanes, from_complex_parts({1, {0, 1}, 0, 0}));
  for (const auto& r : singular) ASSERT_EQ(std::abs(determinant(r)), 0);
  set(r1, t1, singular);
  EXPECT_LT(apart(r1, t1, r1, t1), exact * size(singular));
}

}  // namespace
}  // namespace orrery
