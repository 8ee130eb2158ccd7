#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "page/text_table.h"
#include "paper/geometry.h"
#include "paper/patterns_in_data.h"
#include "paper/relation_transform.h"

namespace orrery {
namespace {

constexpr std::uint64_t compared_facts[] = {1, 50};  // rare relations are noise: shown apart
constexpr const char* paper_relation = "Consult";
constexpr const char* paper_time = "2014-03-29";

// Where the name stands; one that is not there is a request Error that suggests the nearest.
std::int32_t place_of(const std::string& name, std::span<const std::string> known,
                      const char* what) {
  const auto found = std::ranges::find(known, name);
  if (found != known.end()) return static_cast<std::int32_t>(found - known.begin());
  const std::string nearest = nearest_name(name, known);
  fail_request(
      About{.option = what,
            .advice = nearest.empty() ? std::string()
                                      : fmt::format("did you mean \"{}\"?", printable(nearest))},
      "there is no {} \"{}\" among the {} known", what, printable(name), known.size());
}

std::int32_t relation_asked(const Model& model, const std::string& asked,
                            const std::vector<ReversedCount>& counts) {
  const auto names = model.relation_names();
  if (!asked.empty()) return place_of(asked, names, "relation");
  if (const auto known = std::ranges::find(names, paper_relation); known != names.end())
    return static_cast<std::int32_t>(known - names.begin());
  return static_cast<std::int32_t>(std::ranges::max_element(counts, {}, &ReversedCount::facts) -
                                   counts.begin());
}

// Of a model or of a data set. A date that no time holds is not taken for its nearest: the picture
// is of one time.
template <class Known>
std::int32_t time_asked(const Known& known, const std::string& asked) {
  if (const auto found = known.find_time(asked.empty() ? paper_time : asked)) return *found;
  const auto names = known.time_names();
  if (asked.empty()) return static_cast<std::int32_t>(names.size() / 2);
  return place_of(asked, names, "time");  // which is not there: an Error
}

// By the model's relations, whatever ids the facts give them.
std::vector<ReversedCount> reversed_facts(const Model& model, const Dataset& data) {
  const auto counts = count_reversed(data.facts(Split::train), data.relations());
  const auto known = model.relation_names();
  std::vector<ReversedCount> by_model(known.size());
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const std::string& name = data.relation_names()[r];
    const auto found = std::ranges::find(known, name);
    if (found == known.end())
      fail_request(About{.option = "data", .place = {data.source()}},
                   "the relation \"{}\" is not known to the model: it was trained on other facts",
                   printable(name));
    by_model[static_cast<std::size_t>(found - known.begin())] = counts[r];
  }
  return by_model;
}

TransformPicture picture_of(const RelationTransforms& transforms, std::int32_t row,
                            std::int32_t time) {
  TransformPicture picture;
  const RelationTransform transform = transforms.at({row, time});
  std::vector<double> angle, rapidity, scale, phase;
  for (std::int32_t lane = 0; lane < transforms.lanes(); ++lane) {
    const PolarForm polar = polar_form(biquaternion_at(transform.product, lane));
    angle.push_back(polar.angle);
    rapidity.push_back(polar.rapidity);
    scale.push_back(polar.scale);
    phase.push_back(polar.phase);
    if (polar.scale == 0) ++picture.singular;
  }
  picture.joint = histogram_of(transform.joint);
  picture.time_mul = histogram_of(transform.time_mul);
  picture.transform = histogram_of(transform.product);
  picture.angle = histogram_of(angle);
  picture.rapidity = histogram_of(rapidity);
  picture.scale = histogram_of(scale);
  picture.phase = histogram_of(phase);
  picture.distance = transforms.distance({row, time}, {row, time}).value();
  return picture;
}

// Starts and ends of an interval's relation are taken together.
double distance_over(const RelationTransforms& transforms, std::int32_t relation,
                     const std::vector<std::int32_t>& times) {
  AdjointDistance sum;
  for (const std::int32_t row : transforms.rows_of(relation))
    for (const std::int32_t time : times) sum.add(transforms.distance({row, time}, {row, time}));
  return sum.value();
}

SymmetryCorrelation correlation_of(const std::vector<RelationSymmetry>& relations,
                                   std::uint64_t least_facts) {
  std::vector<double> share, at_time, over_times;
  for (const RelationSymmetry& relation : relations) {
    if (relation.facts < least_facts) continue;
    share.push_back(relation.share());
    at_time.push_back(relation.at_time);
    over_times.push_back(relation.over_times);
  }
  return {least_facts, share.size(), rank_correlation(share, at_time),
          rank_correlation(share, over_times)};
}

}  // namespace

void check_geometry(const Dataset& data, const GeometryOptions& options) {
  if (!options.relation.empty()) place_of(options.relation, data.relation_names(), "relation");
  time_asked(data, options.time);
}

Geometry measure_geometry(const Model& model, const Dataset& data, const GeometryOptions& options) {
  const RelationTransforms transforms(model);
  const auto counts = reversed_facts(model, data);
  const std::int32_t relation = relation_asked(model, options.relation, counts);
  const std::int32_t time = time_asked(model, options.time);
  const auto times = transforms.sample_of_times(most_sampled_times);

  Geometry geometry;
  geometry.relation = model.relation_names()[static_cast<std::size_t>(relation)];
  geometry.time = model.time_names()[static_cast<std::size_t>(time)];
  geometry.lanes = transforms.lanes();
  geometry.sampled_times = static_cast<std::int32_t>(times.size());
  geometry.times = model.card().times;
  for (const std::int32_t row : transforms.rows_of(relation))
    geometry.sides.push_back(picture_of(transforms, row, time));
  if (geometry.sides.size() > 1) {
    geometry.sides[0].side = "start";
    geometry.sides[1].side = "end";
  }
  for (std::size_t r = 0; r < counts.size(); ++r) {
    const auto [facts, reversed] = counts[r];
    if (facts == 0) continue;
    const auto id = static_cast<std::int32_t>(r);
    geometry.relations.push_back({model.relation_names()[r], facts, reversed,
                                  distance_over(transforms, id, {time}),
                                  distance_over(transforms, id, times)});
  }
  std::ranges::stable_sort(geometry.relations, std::ranges::greater{}, &RelationSymmetry::facts);
  for (const std::uint64_t least_facts : compared_facts)
    geometry.correlations.push_back(correlation_of(geometry.relations, least_facts));
  return geometry;
}

}  // namespace orrery
