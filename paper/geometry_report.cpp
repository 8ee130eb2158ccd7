#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "page/report.h"
#include "page/text_table.h"
#include "paper/geometry.h"

namespace orrery {
namespace {

// The numbers that are pictured, in the order of the report.
struct Shown {
  const char* key;    // in JSON
  const char* title;  // for people
  const char* axis;
  Histogram TransformPicture::*histogram;
};
constexpr Shown components[] = {
    {"joint", "relation_mul + time_joint", "component", &TransformPicture::joint},
    {"time_mul", "time_mul", "component", &TransformPicture::time_mul},
    {"transform", "R = (relation_mul + time_joint) · time_mul", "component",
     &TransformPicture::transform},
};
constexpr Shown polar_numbers[] = {
    {"angle", "circular angle", "radians", &TransformPicture::angle},
    {"rapidity", "hyperbolic rapidity", "rapidity", &TransformPicture::rapidity},
    {"scale", "scale", "√|determinant|", &TransformPicture::scale},
    {"phase", "phase of the determinant", "radians", &TransformPicture::phase},
};

std::string name_of(const Shown& shown, const TransformPicture& picture) {
  return picture.side.empty() ? shown.title : fmt::format("{} ({})", shown.title, picture.side);
}

Plot plot_of(const Shown& shown, const TransformPicture& picture, const char* counted) {
  const Histogram& h = picture.*shown.histogram;
  Series bars{.name = name_of(shown, picture), .x = {}, .y = {}};
  for (std::size_t i = 0; i < h.counts.size(); ++i) {
    bars.x.push_back(h.least + static_cast<double>(i) * h.width);
    bars.y.push_back(static_cast<double>(h.counts[i]));
  }
  return {.caption = bars.name,
          .kind = Plot::Kind::bars,
          .x = {shown.axis},
          .y = {counted},
          .series = {bars}};
}

template <class List>
Table summary_of(const Geometry& geometry, const List& list, std::string caption) {
  Table table{.caption = std::move(caption),
              .columns = {"", "mean", "deviation", "least", "most"},
              .rows = {}};
  for (const TransformPicture& picture : geometry.sides)
    for (const Shown& shown : list) {
      const Histogram& h = picture.*shown.histogram;
      table.rows.push_back({name_of(shown, picture), three_digits(h.mean),
                            three_digits(h.deviation), three_digits(h.least),
                            three_digits(h.most)});
    }
  return table;
}

template <class List>
void add_pictures(Report& report, const Geometry& geometry, const List& list, const char* counted) {
  report.blocks.emplace_back(summary_of(
      geometry, list,
      fmt::format("{} at {}, over all {}", printable(geometry.relation), geometry.time, counted)));
  for (const TransformPicture& picture : geometry.sides)
    for (const Shown& shown : list) report.blocks.emplace_back(plot_of(shown, picture, counted));
}

void add_relation(Report& report, const Geometry& geometry) {
  report.blocks.emplace_back(
      Heading{fmt::format("{} at {}", printable(geometry.relation), geometry.time)});
  report.blocks.emplace_back(Paragraph{fmt::format(
      "The eight components of all {} biquaternions together, as in the paper's figure.",
      geometry.lanes)});
  add_pictures(report, geometry, components, "components");

  report.blocks.emplace_back(Heading{"Its polar form"});
  report.blocks.emplace_back(Paragraph{
      "A biquaternion is a 2×2 complex matrix, so each of R is a unitary times a positive "
      "Hermitian one. The scale is what it stretches by. The circular angle (0 to π) is half of "
      "what its unitary part turns space by. The rapidity is that of its hyperbolic rotation: one "
      "axis grows by e^rapidity, another shrinks by it. The phase of the determinant is twice the "
      "turn that all complex phases have in common."});
  for (const TransformPicture& picture : geometry.sides) {
    std::string text = fmt::format(
        "R{} is {:.3f} away from R† (0: symmetric, 1: antisymmetric, {:.3f}: unrelated).",
        picture.side.empty() ? "" : " (" + picture.side + ")", picture.distance, std::sqrt(0.5));
    if (picture.singular > 0)
      text += fmt::format(" {} of its {} biquaternions are singular, and their numbers count as 0.",
                          picture.singular, geometry.lanes);
    report.blocks.emplace_back(Paragraph{text});
  }
  add_pictures(report, geometry, polar_numbers, "biquaternions");
}

Plot scatter_of(const Geometry& geometry) {
  const std::uint64_t many = geometry.correlations.back().least_facts;
  Plot plot{.caption = "A dot a relation: symmetric ones should lie low on the right",
            .kind = Plot::Kind::scatter,
            .x = {"share of facts whose reverse is in the training data"},
            .y = {"distance of R from R†"},
            .series = {{.name = fmt::format("at least {} facts", many), .x = {}, .y = {}},
                       {.name = "fewer", .x = {}, .y = {}}}};
  for (const RelationSymmetry& relation : geometry.relations) {
    Series& series = plot.series[relation.facts >= many ? 0 : 1];
    series.x.push_back(relation.share());
    series.y.push_back(relation.over_times);
  }
  std::erase_if(plot.series, [](const Series& series) { return series.x.empty(); });
  return plot;
}

void add_symmetry(Report& report, const Geometry& geometry) {
  report.blocks.emplace_back(Heading{"Symmetry, learned and counted"});
  report.blocks.emplace_back(Paragraph{fmt::format(
      "Leaving the shifts aside, a relation is symmetric for all entities exactly where R = R†. "
      "Its distance from that is ‖R − R†‖ / 2‖R‖, biquaternions weighed by their energy: 0 is "
      "symmetric, 1 antisymmetric, {:.3f} neither. It is given at {} and over {} of the {} times, "
      "evenly spaced{}. Beside it stands how many of the relation's training facts (s, r, o, t) "
      "are there as (o, r, s, t), too: of a symmetric relation about the share that training has "
      "of all facts. Facts of an entity with itself are not counted.",
      std::sqrt(0.5), geometry.time, geometry.sampled_times, geometry.times,
      geometry.sides.size() > 1 ? ", starts and ends together" : "")});
  const std::string at_time = "distance at " + geometry.time;
  Table correlations{.caption =
                         "Rank correlation (Spearman) of both; below 0: what is symmetric in the "
                         "data is nearer to R†",
                     .columns = {"relations of", "relations", at_time, "over times"},
                     .rows = {}};
  for (const SymmetryCorrelation& c : geometry.correlations)
    correlations.rows.push_back({c.least_facts > 1 ? fmt::format("at least {} facts", c.least_facts)
                                                   : "any number of facts",
                                 grouped(c.relations), three_digits(c.at_time),
                                 three_digits(c.over_times)});
  report.blocks.emplace_back(correlations);
  report.blocks.emplace_back(scatter_of(geometry));
  Table table{.caption = "All relations, most facts first",
              .columns = {"relation", "facts", "reversed, %", at_time, "over times"},
              .rows = {}};
  for (const RelationSymmetry& relation : geometry.relations) {
    if (relation.relation == geometry.relation) table.bold_rows.push_back(table.rows.size());
    table.rows.push_back({printable(relation.relation), grouped(relation.facts),
                          percent(relation.share()), three_digits(relation.at_time),
                          three_digits(relation.over_times)});
  }
  report.blocks.emplace_back(table);
}

nlohmann::ordered_json histogram_json(const Histogram& h) {
  return {{"mean", h.mean}, {"deviation", h.deviation}, {"least", h.least},
          {"most", h.most}, {"width", h.width},         {"counts", h.counts}};
}

}  // namespace

Report geometry_report(const Geometry& geometry) {
  Report report{.title = "The geometry of a trained model", .blocks = {}};
  add_relation(report, geometry);
  add_symmetry(report, geometry);
  return report;
}

nlohmann::ordered_json geometry_json(const Geometry& geometry) {
  nlohmann::ordered_json json = {{"relation", geometry.relation},
                                 {"time", geometry.time},
                                 {"lanes", geometry.lanes},
                                 {"times", geometry.times},
                                 {"sampled_times", geometry.sampled_times}};
  json["sides"] = nlohmann::ordered_json::array();
  for (const TransformPicture& picture : geometry.sides) {
    nlohmann::ordered_json side = {{"side", picture.side},
                                   {"distance", picture.distance},
                                   {"singular_lanes", picture.singular}};
    for (const Shown& shown : components)
      side[shown.key] = histogram_json(picture.*shown.histogram);
    for (const Shown& shown : polar_numbers)
      side[shown.key] = histogram_json(picture.*shown.histogram);
    json["sides"].push_back(side);
  }
  json["correlations"] = nlohmann::ordered_json::array();
  for (const SymmetryCorrelation& c : geometry.correlations)
    json["correlations"].push_back({{"least_facts", c.least_facts},
                                    {"relations", c.relations},
                                    {"at_time", c.at_time},
                                    {"over_times", c.over_times}});
  json["relations"] = nlohmann::ordered_json::array();
  for (const RelationSymmetry& r : geometry.relations)
    json["relations"].push_back({{"relation", r.relation},
                                 {"facts", r.facts},
                                 {"reversed", r.reversed},
                                 {"distance_at_time", r.at_time},
                                 {"distance_over_times", r.over_times}});
  return json;
}

}  // namespace orrery
