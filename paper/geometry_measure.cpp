#include <algorithm>

#include "api/judged_run.h"
#include "base/error.h"
#include "paper/geometry.h"
#include "paper/patterns_in_data.h"
#include "paper/relation_transform.h"

namespace orrery {
namespace {

constexpr std::uint64_t compared_facts[] = {1, 50};  // rare relations are noise: shown apart
constexpr const char* paper_relation = "Consult";
constexpr const char* paper_time = "2014-03-29";

std::int32_t relation_asked(const ModelHeader& header, const std::string& asked,
                            const std::vector<ReversedCount>& counts) {
  if (!asked.empty()) return header.relations.require(asked, "relation");
  if (const auto known = header.relations.find(paper_relation)) return *known;
  return static_cast<std::int32_t>(std::ranges::max_element(counts, {}, &ReversedCount::facts) -
                                   counts.begin());
}

// A date that no row holds is not taken for its nearest: the picture is of one time.
std::int32_t time_asked(const Timeline& times, const std::string& asked) {
  const std::string wanted = asked.empty() ? paper_time : asked;
  std::vector<std::string> labels;
  for (std::size_t row = 0; row < times.rows.size(); ++row) {
    labels.push_back(times.rows[row].label);
    if (labels.back() == wanted) return static_cast<std::int32_t>(row);
  }
  if (asked.empty()) return times.size() / 2;
  if (const ParsedDate date = parse_date(asked); date.kind == ParsedDate::Kind::date) {
    const TimePoint point = time_point(date.date, times.granularity);
    const std::int32_t row = times.nearest_row_to(point);
    const TimeRow& found = times.rows[static_cast<std::size_t>(row)];
    if (found.first <= point && point <= found.last) return row;
  }
  std::ranges::sort(labels);
  return Vocabulary(std::move(labels)).require(asked, "time");  // which it has not: an Error
}

TransformPicture picture_of(const RelationTransforms& transforms, std::int32_t row,
                            std::int32_t time) {
  TransformPicture picture;
  std::vector<double> joint, time_mul, transform, angle, rapidity, scale, phase;
  const auto pool = [](std::vector<double>& values, const BiquaternionValue& value) {
    values.insert(values.end(), value.c, value.c + value.size);
  };
  for (std::int32_t lane = 0; lane < transforms.lanes(); ++lane) {
    const BiquaternionValue r = transforms.at(row, time, lane);
    pool(joint, transforms.joint(row, time, lane));
    pool(time_mul, transforms.time_mul(time, lane));
    pool(transform, r);
    const PolarForm polar = polar_form(r);
    angle.push_back(polar.angle);
    rapidity.push_back(polar.rapidity);
    scale.push_back(polar.scale);
    phase.push_back(polar.phase);
    if (polar.scale == 0) ++picture.singular;
  }
  picture.joint = histogram_of(joint);
  picture.time_mul = histogram_of(time_mul);
  picture.transform = histogram_of(transform);
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

void check_geometry(const Vocabulary& relations, const Timeline& times,
                    const GeometryOptions& options) {
  if (!options.relation.empty()) relations.require(options.relation, "relation");
  time_asked(times, options.time);
}

Geometry measure_geometry(const std::filesystem::path& model, const GeometryOptions& options) {
  const ModelFile file(model);
  const ModelHeader& header = file.header();
  const RelationTransforms transforms(file);
  const TemporalGraph data = data_of_run(model, header, options.data).data;
  const auto counts = count_reversed(data.split(Split::train), header.relations.size());
  const std::int32_t relation = relation_asked(header, options.relation, counts);
  const std::int32_t time = time_asked(header.times, options.time);
  const auto times = transforms.sample_of_times(most_sampled_times);

  Geometry geometry;
  geometry.relation = header.relations.name(relation);
  geometry.time = header.times.rows[static_cast<std::size_t>(time)].label;
  geometry.lanes = transforms.lanes();
  geometry.sampled_times = static_cast<std::int32_t>(times.size());
  geometry.times = header.times.size();
  for (const std::int32_t row : transforms.rows_of(relation)) {
    geometry.sides.push_back(picture_of(transforms, row, time));
    if (header.times.intervals) geometry.sides.back().side = row == relation ? "start" : "end";
  }
  for (std::int32_t r = 0; r < header.relations.size(); ++r) {
    const ReversedCount& count = counts[static_cast<std::size_t>(r)];
    if (count.facts > 0)
      geometry.relations.push_back({header.relations.name(r), count.facts, count.reversed,
                                    distance_over(transforms, r, {time}),
                                    distance_over(transforms, r, times)});
  }
  std::ranges::stable_sort(geometry.relations, std::ranges::greater{}, &RelationSymmetry::facts);
  for (const std::uint64_t least_facts : compared_facts)
    geometry.correlations.push_back(correlation_of(geometry.relations, least_facts));
  return geometry;
}

}  // namespace orrery
