// Models of distances, against their papers' formulas written out.
#include <gtest/gtest.h>

#include "engine/paper_world.h"

namespace orrery {
namespace {

template <class Distance>
void expect_translations(const std::function<double(const Reals&)>& norm) {
  const PaperWorld<TTransE<Distance>> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = world.row("entity", q.subject), r = world.row("relation", q.relation),
               t = world.row("time", q.time), c = world.row("entity", o);
    Reals apart;
    for (std::size_t i = 0; i < world.lanes; ++i) apart.push_back(s[i] + r[i] + t[i] - c[i]);
    return -norm(apart);
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.row("entity", q.subject)) + cubes(world.row("relation", q.relation)) +
           cubes(world.row("time", q.time)) + cubes(world.row("entity", o));
  });
}

TEST(DistanceFormula, TTransE) {
  expect_translations<ByAbsoluteDistance>([](const Reals& x) {
    double sum = 0;
    for (const double v : x) sum += std::abs(v);
    return sum;
  });
  expect_translations<ByEuclideanDistance>([](const Reals& x) {
    double sum = 0;
    for (const double v : x) sum += v * v;
    return std::sqrt(sum);
  });
}

TEST(DistanceFormula, HyTE) {
  const PaperWorld<HyTE> world;
  const auto project = [&](const Reals& x, std::int32_t time) {
    Reals w = world.row("normal", time);
    double size = 0, along = 0;
    for (const double v : w) size += v * v;
    for (double& v : w) v /= std::sqrt(size);
    for (std::size_t i = 0; i < world.lanes; ++i) along += w[i] * x[i];
    Reals projected = x;
    for (std::size_t i = 0; i < world.lanes; ++i) projected[i] -= along * w[i];
    return projected;
  };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = project(world.row("entity", q.subject), q.time),
               r = project(world.row("relation", q.relation), q.time),
               c = project(world.row("entity", o), q.time);
    double distance = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) distance += std::abs(s[i] + r[i] - c[i]);
    return -distance;
  });
}

TEST(DistanceFormula, TeRo) {
  const PaperWorld<TeRo> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = world.complex_row("entity", q.subject),
               r = world.complex_row("relation", q.relation), t = world.complex_row("time", q.time),
               c = world.complex_row("entity", o);
    double distance = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const auto rotation = std::polar(1.0, std::arg(t[i]));
      distance += std::abs(s[i] * rotation + r[i] - std::conj(c[i] * rotation));
    }
    return -distance;
  });
}

TEST(DistanceFormula, RotateQVS) {
  const PaperWorld<RotateQVS> world;
  const auto conjugated = [](const Four& v) { return Four{v.w, -v.x, -v.y, -v.z}; };
  world.expect_scores([&](const Query& q, std::int32_t o) {
    double distance = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      Four t = four(world, "time", q.time, i);
      const double size = t.norm();
      t = {t.w / size, t.x / size, t.y / size, t.z / size};
      const auto turned = [&](const Four& v) { return hamilton(hamilton(t, v), conjugated(t)); };
      const Four s = turned(four(world, "entity", q.subject, i)),
                 r = four(world, "relation", q.relation, i),
                 c = conjugated(turned(four(world, "entity", o, i)));
      distance += Four{s.w + r.w - c.w, s.x + r.x - c.x, s.y + r.y - c.y, s.z + r.z - c.z}.norm();
    }
    return -distance;
  });
}

// The paper's distance of a point from the box between two corners.
double box_distance(double x, double low, double high) {
  const double centre = (low + high) / 2, w = high - low + 1;
  const double kappa = 0.5 * (w - 1) * (w - 1 / w);
  return low <= x && x <= high ? std::abs(x - centre) / w : std::abs(x - centre) * w - kappa;
}

TEST(DistanceFormula, BoxTE) {
  const PaperWorld<BoxTE> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const auto s = world.row("entity", q.subject), s_bump = world.row("bump", q.subject),
               c = world.row("entity", o), c_bump = world.row("bump", o),
               scale = world.row("relation_scale", q.relation), t0 = world.row("time_bump", q.time),
               t1 = world.row("time_bump_scaled", q.time);
    double distance = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const double shift = t0[i] + scale[i] * t1[i];
      const auto from = [&](const std::string& box, double point) {
        const double centre = world.row(box + "_centre", q.relation)[i],
                     root = world.row(box + "_width", q.relation)[i];
        return box_distance(point, centre - root * root / 2, centre + root * root / 2);
      };
      distance += from("head", s[i] + c_bump[i] + shift) + from("tail", c[i] + s_bump[i] + shift);
    }
    return -distance;
  });
  world.expect_penalty([&](const Query& q, std::int32_t o) {
    return cubes(world.row("entity", q.subject)) + cubes(world.row("bump", q.subject)) +
           cubes(world.row("entity", o)) + cubes(world.row("bump", o));
  });
}

// KL(N(mean, p) ‖ N(0, q))
double divergence(double mean, double p, double q) {
  return 0.5 * (p / q + mean * mean / q - 1 + std::log(q / p));
}

TEST(DistanceFormula, ATiSE) {
  const PaperWorld<ATiSE> world;
  world.expect_scores([&](const Query& q, std::int32_t o) {
    const double span = world.clock(q.time, ClockReading::span);
    double score = 0;
    for (std::size_t i = 0; i < world.lanes; ++i) {
      const auto mean = [&](const std::string& start, const std::string& prefix, std::int32_t id) {
        return world.row(start, id)[i] + span * world.row(prefix + "trend", id)[i] +
               world.row(prefix + "amplitude", id)[i] *
                   std::sin(2 * formula_pi * world.row(prefix + "frequency", id)[i] * span);
      };
      const double apart = mean("entity", "", q.subject) - mean("entity", "", o) -
                           mean("relation", "relation_", q.relation);
      const double of_entities = std::exp(world.row("variance", q.subject)[i]) +
                                 std::exp(world.row("variance", o)[i]),
                   of_relation = std::exp(world.row("relation_variance", q.relation)[i]);
      const double symmetric = (divergence(apart, of_entities, of_relation) +
                                divergence(apart, of_relation, of_entities)) /
                               2;
      score -= symmetric + 0.5;  // the same for all answers
    }
    return score;
  });
}

}  // namespace
}  // namespace orrery
