// Rivals of BSCA, against their papers' formulas written out.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>

#include "engine/paper_world.h"

namespace orrery {
namespace {

using Number = std::complex<double>;

// w + x i + y j + z k over complex numbers.
using Biquaternions = std::array<Number, 4>;

Biquaternions biquaternion(const PaperWorld<BiQUE>& world, std::string_view name, std::int32_t id,
                           std::size_t lane) {
  Biquaternions q;
  for (int part = 0; part < 4; ++part)
    q[part] = {world.row(name, id, 2 * part)[lane], world.row(name, id, 2 * part + 1)[lane]};
  return q;
}
Biquaternions times(const Biquaternions& p, const Biquaternions& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
          p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
          p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}
Biquaternions plus(const Biquaternions& p, const Biquaternions& q) {
  return {p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3]};
}
double cube_of_norm(const Biquaternions& q) {
  double square = 0;
  for (const Number& part : q) square += std::norm(part);
  return std::pow(square, 1.5);
}

TEST(RivalFormula, BiQUE) {
  const PaperWorld<BiQUE> world;
  const auto shifted = [&](const Query& q, std::size_t i) {
    return plus(biquaternion(world, "entity", q.subject, i),
                biquaternion(world, "relation_add", q.relation, i));
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const auto x = times(shifted(q, i), biquaternion(world, "relation_mul", q.relation, i)),
                 c = biquaternion(world, "entity", o, i);
      for (std::size_t part = 0; part < 4; ++part) score += (x[part] * std::conj(c[part])).real();
    }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      sum += 2 * cube_of_norm(shifted(q, i)) +
             0.5 * cube_of_norm(biquaternion(world, "relation_mul", q.relation, i)) +
             2 * cube_of_norm(biquaternion(world, "entity", o, i));
    return 2 * sum;
  });
}

struct BicomplexNumber {
  Number first, second;
  double norm() const { return std::sqrt(std::norm(first) + std::norm(second)); }
};
BicomplexNumber bicomplex(const PaperWorld<TBicomR>& world, std::string_view name, std::int32_t id,
                          std::size_t lane) {
  const Four x = four(world, name, id, lane);
  return {{x.w, x.x}, {x.y, x.z}};
}
BicomplexNumber times(const BicomplexNumber& z, const BicomplexNumber& w) {
  return {z.first * w.first - z.second * w.second, z.first * w.second + z.second * w.first};
}

TEST(RivalFormula, TBicomR) {
  const PaperWorld<TBicomR> world;
  const auto transform = [&](const Query& q, std::size_t i) {
    return times(bicomplex(world, "relation", q.relation, i), bicomplex(world, "time", q.time, i));
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const auto x = times(bicomplex(world, "entity", q.subject, i), transform(q, i)),
                 c = bicomplex(world, "entity", o, i);
      score += (x.first * std::conj(c.first) + x.second * std::conj(c.second)).real();
    }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      sum += cube(bicomplex(world, "entity", q.subject, i).norm()) + cube(transform(q, i).norm()) +
             cube(bicomplex(world, "entity", o, i).norm());
    return sum;
  });
  world.expect_time_penalty([&](std::int32_t from, std::int32_t to) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const auto a = bicomplex(world, "time", from, i), b = bicomplex(world, "time", to, i);
      sum += cube(BicomplexNumber{b.first - a.first, b.second - a.second}.norm());
    }
    return sum;
  });
}

// The answer's shift in the paper's score is the same for all answers, so it is left out here.
TEST(RivalFormula, TPComplEx) {
  const PaperWorld<TPComplEx> world;
  const auto sum_of = [](Complexes a, const Complexes& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
    return a;
  };
  const auto product_of = [](Complexes a, const Complexes& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] *= b[i];
    return a;
  };
  const auto subject = [&](const Query& q) {
    return sum_of(world.complex_row("entity", q.subject),
                  world.complex_row("time_subject", q.time));
  };
  const auto transform = [&](const Query& q) {
    return product_of(world.complex_row("relation", q.relation), world.complex_row("time", q.time));
  };
  const auto answer = [&](const Query& q, std::int32_t o) {
    return sum_of(world.complex_row("entity", o), world.complex_row("time_answer", q.time));
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto x = product_of(subject(q), transform(q));
    const double same_for_all = product(x, world.complex_row("time_answer", q.time));
    return product(x, answer(q, o)) - same_for_all;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(subject(q)) + cubes(transform(q)) + cubes(answer(q, o));
  });
  world.expect_time_penalty([&](std::int32_t from, std::int32_t to) {
    double sum = 0;
    for (const auto* row : {"time", "time_subject", "time_answer"}) {
      auto step = world.complex_row(row, to);
      const auto start = world.complex_row(row, from);
      for (std::size_t i = 0; i < world.lanes; ++i) step[i] -= start[i];
      sum += cubes(step);
    }
    return sum;
  });
}

constexpr std::size_t static_lanes = 1;  // a twenty-first of six, but one at least

TEST(RivalFormula, LCGE) {
  const PaperWorld<LCGE> world;
  const auto is_static = [](std::size_t lane) { return lane < static_lanes; };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = world.complex_row("entity", q.subject), c = world.complex_row("entity", o),
               r = world.complex_row("relation", q.relation),
               lasting = world.complex_row("relation_lasting", q.relation),
               t = world.complex_row("time", q.time);
    Number temporal = 0, commonsense = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      if (is_static(i))
        commonsense += s[i] * r[i] * std::conj(c[i]);
      else
        temporal += s[i] * (r[i] * t[i] + lasting[i]) * std::conj(c[i]);
    return temporal.real() + double{LCGE::static_weight} * commonsense.real();
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    const auto s = world.complex_row("entity", q.subject), c = world.complex_row("entity", o),
               r = world.complex_row("relation", q.relation),
               lasting = world.complex_row("relation_lasting", q.relation),
               t = world.complex_row("time", q.time);
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const double entities = cube(std::abs(s[i])) + cube(std::abs(c[i]));
      sum += is_static(i) ? entities + cube(std::abs(r[i]))
                          : 2 * entities + cube(std::abs(r[i] * t[i])) + cube(std::abs(lasting[i]));
    }
    return sum;
  });
}

// As the paper has it: attention over the three products of three geometries.
class GeometriesOfHge {
 public:
  explicit GeometriesOfHge(const PaperWorld<HGE>& world) : world_(world) {}

  struct Parts {
    Reals re, im;
  };
  Parts of(std::string_view name, std::int32_t id) const {
    return {world_.row(name, id, 0), world_.row(name, id, 1)};
  }
  Parts timed(const Query& q) const {
    const Parts p = of("relation", q.relation), t = of("time", q.time);
    Parts x = p;
    for (std::size_t i = 0; i < lanes; ++i) {
      x.re[i] = p.re[i] * t.re[i] + p.im[i] * t.im[i];
      x.im[i] = p.re[i] * t.im[i] + p.im[i] * t.re[i];
    }
    return x;
  }
  Parts query(const Query& q) const {
    const Parts s = of("entity", q.subject), w = of("attention", q.relation), moving = timed(q),
                still = of("relation_lasting", q.relation);
    const Parts p = {attended(w.re, moving.re, still.re), attended(w.im, moving.im, still.im)};
    // Split-complex, dual and complex numbers.
    std::array<Parts, 3> made;
    std::array<double, 3> weights{};
    for (std::size_t geometry = 0; geometry < 3; ++geometry) {
      const double square = 1.0 - static_cast<double>(geometry);
      Parts& x = made[geometry] = s;
      for (std::size_t i = 0; i < lanes; ++i) {
        x.re[i] = s.re[i] * p.re[i] + square * s.im[i] * p.im[i];
        x.im[i] = s.re[i] * p.im[i] + s.im[i] * p.re[i];
      }
      weights[geometry] = std::exp(dot_product(p.re, x.re) / std::sqrt(double{lanes}));
    }
    const double all = weights[0] + weights[1] + weights[2];
    Parts x = made[0];
    for (std::size_t i = 0; i < lanes; ++i) {
      x.re[i] = x.im[i] = 0;
      for (std::size_t geometry = 0; geometry < 3; ++geometry) {
        x.re[i] += weights[geometry] / all * made[geometry].re[i];
        x.im[i] += weights[geometry] / all * made[geometry].im[i];
      }
    }
    return x;
  }
  static double dot_product(const Reals& a, const Reals& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }

 private:
  static constexpr int lanes = PaperWorld<HGE>::lanes;

  static Reals attended(const Reals& w, const Reals& moving, const Reals& still) {
    const double scale = std::sqrt(double{lanes}), first = std::exp(dot_product(w, moving) / scale),
                 second = std::exp(dot_product(w, still) / scale);
    Reals p;
    for (std::size_t i = 0; i < moving.size(); ++i)
      p.push_back((first * moving[i] + second * still[i]) / (first + second));
    return p;
  }

  const PaperWorld<HGE>& world_;
};

TEST(RivalFormula, HGE) {
  const PaperWorld<HGE> world;
  const GeometriesOfHge paper(world);
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto x = paper.query(q), c = paper.of("entity", o);
    return paper.dot_product(x.re, c.re) - paper.dot_product(x.im, c.im);
  });
  const auto cubes_of = [&](const GeometriesOfHge::Parts& x) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) sum += cube(std::hypot(x.re[i], x.im[i]));
    return sum;
  };
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return 2 * cubes_of(paper.of("entity", q.subject)) + cubes_of(paper.timed(q)) +
           cubes_of(paper.of("relation_lasting", q.relation)) + 2 * cubes_of(paper.of("entity", o));
  });
}

}  // namespace
}  // namespace orrery
