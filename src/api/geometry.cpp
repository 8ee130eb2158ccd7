#include "orrery/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "api/model_state.h"
#include "base/error.h"
#include "engine/probe.h"
#include "facts/utf8.h"
#include "serve/influence.h"
#include "serve/question_ids.h"

namespace orrery {
namespace {

// What tells a relation from others: its matrices, or where scores are distances its shift.
class RelationMap {
 public:
  explicit RelationMap(EntityMap map) : map_(std::move(map)) {
    const double all = squares(map_.matrices);
    for (std::size_t l = 0; l < map_.numbers; ++l) {
      // What regularisation has shrunk to nothing is as good as unused.
      constexpr double nothing = 1e-12;
      if (squares(matrix(l)) > nothing * all) used_.push_back(l);
    }
  }

  const std::vector<double>& own() const { return map_.product ? map_.matrices : map_.shift; }

  // The same seen from the other side: ⟨eM, o⟩ = ⟨oMᵀ, e⟩, and |eM + b − o| = |oMᵀ − bMᵀ − e| for
  // the matrices of distances, which keep all lengths.
  std::vector<double> reverse() const {
    const std::size_t n = map_.components;
    std::vector<double> turned(own().size());
    for (std::size_t l = 0; l < map_.numbers; ++l)
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
          const double m = map_.matrices[(l * n + i) * n + j];
          if (map_.product)
            turned[(l * n + j) * n + i] = m;
          else
            turned[l * n + i] -= map_.shift[l * n + j] * m;
        }
    return turned;
  }

  std::vector<NumberGeometry> numbers() const {
    const std::vector<double> turned = reverse();
    const std::size_t n = map_.components, width = own().size() / map_.numbers;
    std::vector<NumberGeometry> found;
    for (const std::size_t l : used_) {
      double alike = 0, reversed = 0, trace = 0;
      for (std::size_t i = l * width; i < (l + 1) * width; ++i) {
        alike += std::pow((own()[i] + turned[i]) / 2, 2);
        reversed += std::pow((own()[i] - turned[i]) / 2, 2);
      }
      for (std::size_t i = 0; i < n; ++i) trace += map_.matrices[(l * n + i) * n + i];
      const double share = 1.0 / static_cast<double>(n);
      const bool mirrors = map_.product && trace < 0;
      found.push_back({(mirrors ? -1 : 1) * std::sqrt(share * alike), std::sqrt(share * reversed)});
    }
    return found;
  }

  // Root mean squares of what is left of a component of size 1, and of the shift's components.
  double size() const {
    const auto used = static_cast<double>(used_.size() * map_.components);
    return used == 0 ? 0 : std::sqrt(squares(map_.matrices) / used);
  }
  double shift() const {
    return std::sqrt(squares(map_.shift) / static_cast<double>(map_.shift.size()));
  }

  bool product() const { return map_.product; }
  std::size_t components() const { return map_.components; }

 private:
  static double squares(std::span<const double> values) {
    return std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  }
  std::span<const double> matrix(std::size_t number) const {
    const std::size_t size = map_.components * map_.components;
    return std::span(map_.matrices).subspan(number * size, size);
  }

  EntityMap map_;
  std::vector<std::size_t> used_;  // numbers whose matrix is not zero; the others see no entity
};

double cosine(const std::vector<double>& a, const std::vector<double>& b) {
  double product = 0, of_a = 0, of_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    product += a[i] * b[i];
    of_a += a[i] * a[i];
    of_b += b[i] * b[i];
  }
  return of_a > 0 && of_b > 0 ? std::clamp(product / std::sqrt(of_a * of_b), -1.0, 1.0) : 0;
}

std::vector<double> less(std::vector<double> from, const std::vector<double>& what) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] -= what[i];
  return from;
}

double median_of(std::vector<LikeRelation> found) {
  if (found.empty()) return 0;
  const auto middle = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2);
  std::ranges::nth_element(found, middle, {}, &LikeRelation::likeness);
  return middle->likeness;
}

std::vector<LikeRelation> best_of(std::vector<LikeRelation> found, std::size_t top) {
  std::ranges::stable_sort(found, std::ranges::greater(), &LikeRelation::likeness);
  found.resize(std::min(found.size(), top));
  return found;
}

// Rows of times, evenly chosen, with the first, the last and the one that is asked for.
std::vector<std::int32_t> chosen_times(std::int32_t times, std::size_t most, std::int32_t asked) {
  const auto count = std::min<std::int64_t>(times, static_cast<std::int64_t>(most));
  std::vector<std::int32_t> rows;
  for (std::int64_t i = 0; i < count; ++i)
    rows.push_back(
        static_cast<std::int32_t>(count < 2 ? 0 : i * (std::int64_t{times} - 1) / (count - 1)));
  const auto place = std::ranges::lower_bound(rows, asked);
  if (place == rows.end() || *place != asked) rows.insert(place, asked);
  return rows;
}

// A relation of a model at a time.
class Looking {
 public:
  Looking(const StoredModel& model, Probe& probe, bool end)
      : model_(model), probe_(probe), end_(end) {}

  RelationMap at(std::int32_t relation, std::int32_t time, bool reciprocal = false) const {
    const RelationIds ids = model_.header().relation_ids();
    return RelationMap(
        probe_.entity_map({0, ids.id(relation, reciprocal, end_ && ids.ends), time}));
  }

  // What all relations do at a time, since it is theirs too: it would make all of them look alike.
  // Of a few relations, what they have in common is a part of each.
  std::vector<double> in_common(std::int32_t time) const {
    constexpr std::int32_t few = 8;
    const std::int32_t count = model_.header().relations.size();
    std::vector<double> mean(at(0, time).own().size());
    if (count < few) return mean;
    for (std::int32_t relation = 0; relation < count; ++relation) {
      const RelationMap map = at(relation, time);
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += map.own()[i] / count;
    }
    return mean;
  }

  void compare_relations(std::int32_t relation, std::int32_t time, std::size_t top,
                         RelationGeometry& found) const {
    const RelationMap map = at(relation, time);
    const std::vector<double> reverse = map.reverse();
    const std::vector<double> common = in_common(time);
    const std::vector<double> own = less(map.own(), common), back = less(reverse, common);
    const Vocabulary& names = model_.header().relations;
    std::vector<LikeRelation> nearest, inverse;
    for (std::int32_t other = 0; other < names.size(); ++other) {
      if (other == relation) continue;
      const std::vector<double> of_other = less(at(other, time).own(), common);
      nearest.push_back({names.name(other), cosine(own, of_other)});
      inverse.push_back({names.name(other), cosine(back, of_other)});
    }
    found.symmetry = cosine(map.own(), reverse);
    found.learned_reverse = cosine(reverse, at(relation, time, true).own());
    found.median_nearest = median_of(nearest);
    found.median_inverse = median_of(inverse);
    found.nearest = best_of(std::move(nearest), top);
    found.inverse = best_of(std::move(inverse), top);
  }

  void compare_times(std::int32_t relation, std::int32_t time, std::size_t most,
                     RelationGeometry& found) const {
    const RelationMap asked = at(relation, time);
    const auto& rows = model_.header().times.rows;
    for (const std::int32_t row : chosen_times(model_.header().times.size(), most, time)) {
      const RelationMap then = at(relation, row);
      found.over_time.push_back({rows[static_cast<std::size_t>(row)].label, then.size(),
                                 cosine(asked.own(), then.own())});
    }
  }

 private:
  const StoredModel& model_;
  Probe& probe_;
  bool end_;
};

struct AskedRelation {
  std::int32_t relation = 0, time = 0;
  std::string time_name, note;
};

// The relation and the time as questions have them; which entity is asked of makes no difference.
AskedRelation asked_relation(const StoredModel& model, std::string_view relation,
                             const GeometryOptions& options) {
  const ModelHeader& header = model.header();
  if (relation.empty())
    fail_request(About{.option = "relation", .advice = worded("give it, with $relation")},
                 "a relation's name is missing");
  QuestionIds ids = ids_of(
      model,
      {.subject = header.entities.name(0), .relation = std::string(relation), .time = options.time},
      true);
  if (!options.untrained && std::ranges::binary_search(header.untrained.relations, ids.relation))
    fail_request(About{.option = "relation", .advice = worded("ask all the same with $untrained")},
                 "no training fact has the relation {}, so its embedding is noise",
                 shown(header.relations.name(ids.relation)));
  // One row is looked into, where predict takes both neighbours.
  if (ids.time.share_of_other > 0)
    ids.note = fmt::format("no training fact is of {}; the nearest time, {}, is shown",
                           shown(options.time), ids.time_name);
  return {ids.relation, ids.time.row, knows_time(model) ? ids.time_name : "", ids.note};
}

std::string no_map_reason(const StoredModel& model, const EntityMap& map) {
  const ModelVariant& variant = *model.plan().variant;
  if (map.numbers > 0) return {};
  if (variant.has_core)
    return fmt::format("a core tensor of {} mixes all numbers of an embedding with one another",
                       variant.name);
  return fmt::format("relations of {} do not take an entity to a place: its scores are {}",
                     variant.name, variant.comparator);
}

}  // namespace

std::string no_geometry_reason(const Model& model) {
  if (model.state().mixture)
    return "a mixture has no embeddings of its own; take one of the models it was made of";
  const StoredModel& stored = *model.state().stored;
  return no_map_reason(stored, probe_of(stored)->entity_map({0, 0, 0}));
}

RelationGeometry relation_geometry(const Model& model, std::string_view relation,
                                   const GeometryOptions& options) {
  if (const std::string reason = no_geometry_reason(model); !reason.empty())
    fail_request("this model's relations have no geometry: {}", reason);
  const StoredModel& stored = *model.state().stored;
  const RelationIds ids = stored.header().relation_ids();
  if (options.end && !ids.ends)
    fail_request(About{.option = "event"}, "this model has no starts and ends of relations");
  const AskedRelation asked = asked_relation(stored, relation, options);
  const auto probe = probe_of(stored);
  const Looking looking(stored, *probe, options.end);
  const RelationMap map = looking.at(asked.relation, asked.time);
  const double stretched = probe->entity_size() * map.size();
  RelationGeometry found;
  found.relation = stored.header().relations.name(asked.relation);
  found.time = asked.time_name;
  found.event = !ids.ends ? "" : options.end ? "end" : "start";
  found.note = asked.note;
  found.product = map.product();
  found.components = static_cast<std::int64_t>(map.components());
  found.size = map.size();
  // Embeddings that training has left next to zero have no size to compare with.
  found.shift = stretched > 1e-30 ? map.shift() / stretched : 0;
  found.numbers = map.numbers();
  looking.compare_relations(asked.relation, asked.time, options.top, found);
  if (knows_time(stored)) looking.compare_times(asked.relation, asked.time, options.times, found);
  return found;
}

}  // namespace orrery
