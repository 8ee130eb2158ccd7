// Models that multiply, against their papers' formulas written out.
#include <gtest/gtest.h>

#include "engine/paper_world.h"

namespace orrery {
namespace {

using C = std::complex<double>;

Four geometric(const Four& a, const Four& b) {
  return {
      a.w * b.w + a.x * b.x + a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w - a.y * b.z + a.z * b.y,
      a.w * b.y + a.y * b.w + a.x * b.z - a.z * b.x, a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x};
}

TEST(Formula, TeLM) {
  const PaperWorld<TeLM> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const Four s = four(world, "entity", q.subject, i),
                 r = four(world, "relation", q.relation, i), t = four(world, "time", q.time, i),
                 c = four(world, "entity", o, i);
      score += geometric(geometric(geometric(s, r), t), {c.w, -c.x, -c.y, -c.z}).w;
    }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      sum += cube(four(world, "entity", q.subject, i).norm()) +
             cube(four(world, "entity", o, i).norm()) +
             cube(geometric(four(world, "relation", q.relation, i), four(world, "time", q.time, i))
                      .norm());
    return sum;
  });
  world.expect_time_penalty([&](std::int32_t from, std::int32_t to) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const Four a = four(world, "time", from, i), b = four(world, "time", to, i),
                 d = four(world, "time_drift", 0, i);
      sum += cube(Four{b.w - a.w - d.w, b.x - a.x - d.x, b.y - a.y - d.y, b.z - a.z - d.z}.norm());
    }
    return sum;
  });
}

TEST(Formula, TeAst) {
  const PaperWorld<TeAst> world;
  const auto transform = [&](const Query& q) {
    const auto r = world.complex_row("relation", q.relation), t = world.complex_row("time", q.time),
               p = world.complex_row("time_phase", q.time);
    Complexes w;
    for (std::size_t i = 0; i < world.lanes; ++i)
      w.push_back(formula_pi * r[i] * t[i] +
                  C(1, 1) * C(std::sin(std::abs(p[i].real())), std::sin(std::abs(p[i].imag()))));
    return w;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    auto x = world.complex_row("entity", q.subject);
    const auto w = transform(q);
    for (std::size_t i = 0; i < world.lanes; ++i) x[i] *= w[i];
    return product(x, world.complex_row("entity", o));
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.complex_row("entity", q.subject)) + cubes(transform(q)) +
           cubes(world.complex_row("entity", o));
  });
  world.expect_time_penalty([&](std::int32_t from, std::int32_t to) {
    const auto t0 = world.complex_row("time", from), t1 = world.complex_row("time", to);
    const auto p0 = world.complex_row("time_phase", from), p1 = world.complex_row("time_phase", to);
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      sum += std::pow(std::norm(t1[i] - t0[i]) + std::norm(p1[i] - p0[i]), 1.5);
    return sum;
  });
}

TEST(Formula, TltKgeComplex) {
  const PaperWorld<TltKge<Real>> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const std::int32_t window = q.time / world.shape.window;
    const auto h = world.row("entity", q.subject), r = world.row("relation", q.relation),
               tr = world.row("time_relation", q.time), te = world.row("time_entity", q.time),
               tc = world.row("time_composition", q.time),
               wr = world.row("window_relation", window), we = world.row("window_entity", window),
               c = world.row("entity", o);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const C product = C(h[i], te[i] + we[i]) * C(r[i] + r[i] * tc[i], tr[i] + wr[i]);
      score += (product.real() + product.imag()) * c[i];
    }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.row("entity", q.subject)) + cubes(world.row("relation", q.relation)) +
           cubes(world.row("entity", o));
  });
}

TEST(Formula, TltKgeQuaternion) {
  const PaperWorld<TltKge<Complex>> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const std::int32_t window = q.time / world.shape.window;
    const auto h = world.complex_row("entity", q.subject),
               r = world.complex_row("relation", q.relation),
               tr = world.complex_row("time_relation", q.time),
               te = world.complex_row("time_entity", q.time),
               tc = world.complex_row("time_composition", q.time),
               wr = world.complex_row("window_relation", window),
               we = world.complex_row("window_entity", window), c = world.complex_row("entity", o);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const C e = te[i] + we[i], t = tr[i] + wr[i];
      const double a = r[i].real(), b = r[i].imag(), u = tc[i].real(), v = tc[i].imag();
      const Four x = hamilton({h[i].real(), h[i].imag(), e.real(), e.imag()},
                              {a + a * u + b * v, b + a * v - b * u, t.real(), t.imag()});
      score += (x.w + x.y) * c[i].real() + (x.x + x.z) * c[i].imag();
    }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.complex_row("entity", q.subject)) +
           cubes(world.complex_row("relation", q.relation)) + cubes(world.complex_row("entity", o));
  });
}

TEST(Formula, TCompoundE) {
  const PaperWorld<TCompoundE> world;
  const auto operation = [&](const Query& q) {
    const auto r0 = world.row("relation_scale", q.relation),
               r1 = world.row("relation_shift", q.relation), t0 = world.row("time_shift", q.time),
               t1 = world.row("time_scale", q.time);
    Complexes scale_and_shift;
    for (std::size_t i = 0; i < world.lanes; ++i)
      scale_and_shift.emplace_back((formula_pi * r0[i] + t0[i]) * t1[i], formula_pi * r1[i]);
    return scale_and_shift;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = world.row("entity", q.subject), c = world.row("entity", o);
    const auto w = operation(q);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      score += (s[i] + w[i].imag()) * w[i].real() * c[i];
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.row("entity", q.subject)) + cubes(operation(q)) +
           cubes(world.row("entity", o));
  });
  world.expect_time_penalty([&](std::int32_t from, std::int32_t to) {
    const auto a0 = world.row("time_shift", from), a1 = world.row("time_scale", from),
               b0 = world.row("time_shift", to), b1 = world.row("time_scale", to);
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      sum += cube(std::hypot(b0[i] - a0[i], b1[i] - a1[i]));
    return sum;
  });
}

constexpr std::size_t relation_lanes = 1;  // a tenth of six, rounded

TEST(Formula, ChronoRInThePlane) {
  const PaperWorld<ChronoR2> world;
  const auto timed = [&](const Query& q) {
    auto rotation = world.complex_row("time", q.time);
    std::ranges::copy_n(world.complex_row("relation", q.relation).begin(), relation_lanes,
                        rotation.begin());
    return rotation;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    auto x = world.complex_row("entity", q.subject);
    const auto first = timed(q), second = world.complex_row("relation_lasting", q.relation);
    for (std::size_t i = 0; i < world.lanes; ++i) x[i] = x[i] * first[i] * second[i];
    return product(x, world.complex_row("entity", o));
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.complex_row("entity", q.subject)) + cubes(timed(q)) +
           cubes(world.complex_row("relation_lasting", q.relation)) +
           cubes(world.complex_row("entity", o));
  });
}

// The matrix of v ↦ u v ū, which scales by |u|².
Four turned(const Four& u, const Four& v) {
  const double w = u.w, x = u.x, y = u.y, z = u.z;
  return {
      0,
      (w * w + x * x - y * y - z * z) * v.x + 2 * (x * y - w * z) * v.y + 2 * (x * z + w * y) * v.z,
      2 * (x * y + w * z) * v.x + (w * w - x * x + y * y - z * z) * v.y + 2 * (y * z - w * x) * v.z,
      2 * (x * z - w * y) * v.x + 2 * (y * z + w * x) * v.y +
          (w * w - x * x - y * y + z * z) * v.z};
}

TEST(Formula, ChronoRInSpace) {
  const PaperWorld<ChronoR3> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      Four u = i < relation_lanes ? four(world, "relation", q.relation, i)
                                  : four(world, "time", q.time, i);
      const double size = u.norm();
      u = {u.w / size, u.x / size, u.y / size, u.z / size};
      const Four v = turned(four(world, "relation_lasting", q.relation, i),
                            turned(u, four(world, "entity", q.subject, i))),
                 c = four(world, "entity", o, i);
      score += v.x * c.x + v.y * c.y + v.z * c.z;
    }
    return score;
  });
  // Of vectors: the first component of an entity is nothing.
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    double sum = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const Four s = four(world, "entity", q.subject, i), c = four(world, "entity", o, i),
                 r = four(world, "relation_lasting", q.relation, i);
      for (const Four& v : {s, c}) sum += cube(std::hypot(v.x, v.y, v.z));
      sum += cube(r.norm());
    }
    return sum;
  });
}

TEST(Formula, DeSimplE) {
  const PaperWorld<DeSimplE> world;
  const auto entity_at = [&](std::int32_t e, int role, std::int32_t time) {
    auto row = world.row("entity", e, role);
    for (std::size_t i = 4; i < world.lanes; ++i) {
      const auto wave = [&](const std::string& unit, ClockReading reading) {
        return world.row(unit + "_amplitude", e, role)[i] *
               std::sin(world.row(unit + "_frequency", e, role)[i] * world.clock(time, reading) +
                        world.row(unit + "_phase", e, role)[i]);
      };
      row[i] = wave("year", ClockReading::year) + wave("month", ClockReading::month) +
               wave("day", ClockReading::day);
    }
    return row;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto hs = entity_at(q.subject, 0, q.time), ts = entity_at(q.subject, 1, q.time),
               ho = entity_at(o, 0, q.time), to = entity_at(o, 1, q.time),
               r = world.row("relation", q.relation, 0),
               inverse = world.row("relation", q.relation, 1);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      score += (hs[i] * r[i] * to[i] + ho[i] * inverse[i] * ts[i]) / 2;
    return score;
  });
}

TEST(Formula, TuckErTnt) {
  const PaperWorld<TuckErTnt> world;
  const auto mixed = [&](const Query& q) {
    Reals w = world.row("relation", q.relation);
    const Reals t = world.row("time", q.time), lasting = world.row("relation_lasting", q.relation);
    for (std::size_t i = 0; i < world.lanes; ++i) w[i] = w[i] * t[i] + lasting[i];
    return w;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const Reals s = world.row("entity", q.subject), c = world.row("entity", o), w = mixed(q);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i)
      for (std::size_t j = 0; j < world.lanes; ++j) {
        const Reals core = world.row("core", static_cast<std::int32_t>(i * world.lanes + j));
        for (std::size_t k = 0; k < world.lanes; ++k) score += core[k] * s[i] * w[j] * c[k];
      }
    return score;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    double sum = 0;
    for (const Reals& row : {world.row("entity", q.subject), mixed(q), world.row("entity", o)})
      for (const double x : row) sum += cube(std::abs(x));
    return sum;
  });
}

}  // namespace
}  // namespace orrery
