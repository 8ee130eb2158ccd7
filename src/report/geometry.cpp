#include "report/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "orrery/report.h"
#include "page/text_table.h"

namespace orrery {
namespace {

using GeometryJson = nlohmann::ordered_json;

// A signed number with a true minus.
std::string likeness_text(double likeness) {
  const std::string text = fmt::format("{:.2f}", std::abs(likeness));
  return (likeness < -0.005 ? "−" : "") + text;
}

// From where on a likeness is called so. Shares of squares: of a symmetry of 0.7, 85 % of what the
// relation does is the same in both directions.
constexpr double clear = 0.7, leaning = 0.3;

std::string direction_sentence(const RelationGeometry& geometry) {
  const double symmetry = geometry.symmetry;
  const std::string number = likeness_text(symmetry);
  if (symmetry >= clear)
    return fmt::format(
        "Both directions are alike: what it says of two entities it says of them "
        "the other way round, too (symmetry {}).",
        number);
  if (symmetry >= leaning)
    return fmt::format(
        "It leans towards both directions alike, but not in all numbers (symmetry {}).", number);
  if (symmetry > -leaning)
    return fmt::format(
        "Its direction matters: the other way round it is another relation "
        "(symmetry {}).",
        number);
  if (symmetry > -clear)
    return fmt::format("It mostly turns round with its direction (symmetry {}).", number);
  return fmt::format(
      "It turns round with its direction: what it says of two entities it denies "
      "of them the other way round (symmetry {}).",
      number);
}

std::string size_sentence(const RelationGeometry& geometry) {
  if (!geometry.product)
    return fmt::format("It moves an entity by {:.2f} of an entity's size.", geometry.shift);
  std::vector<double> sizes;
  for (const NumberGeometry& number : geometry.numbers)
    sizes.push_back(std::hypot(number.alike, number.reversed));
  if (sizes.empty()) return "It does nothing to an entity.";
  const auto [least, most] = std::ranges::minmax(sizes);
  std::string text = fmt::format(
      "It stretches the numbers of an entity by {:.2f} on average, from {:.2f} to {:.2f}",
      geometry.size, least, most);
  if (geometry.shift >= 0.005)
    text += fmt::format(", and moves them by {:.2f} of their size", geometry.shift);
  return text + ".";
}

std::string time_sentence(const RelationGeometry& geometry) {
  const auto least = std::ranges::min_element(geometry.over_time, {}, &GeometryAtTime::likeness);
  if (least->likeness >= 0.95)
    return fmt::format("It is nearly the same at all times (likeness {} at the least).",
                       likeness_text(least->likeness));
  return fmt::format("It changes with time: what it does at {} is least like this (likeness {}).",
                     least->time, likeness_text(least->likeness));
}

GeometryJson relations_json(const std::vector<LikeRelation>& relations) {
  GeometryJson list = GeometryJson::array();
  for (const LikeRelation& one : relations)
    list.push_back({{"name", one.name}, {"likeness", one.likeness}});
  return list;
}

}  // namespace

std::vector<std::string> geometry_sentences(const RelationGeometry& geometry) {
  std::vector<std::string> sentences = {direction_sentence(geometry), size_sentence(geometry)};
  sentences.push_back(fmt::format(
      "Asked for the subject, the model uses an embedding of its own, learned apart: its likeness "
      "to the reverse is {}.",
      likeness_text(geometry.learned_reverse)));
  if (geometry.over_time.size() > 1) sentences.push_back(time_sentence(geometry));
  return sentences;
}

nlohmann::ordered_json json_of(const RelationGeometry& geometry) {
  GeometryJson json = {{"relation", geometry.relation}};
  if (!geometry.time.empty()) json["time_row"] = geometry.time;
  if (!geometry.event.empty()) json["event"] = geometry.event;
  if (!geometry.note.empty()) json["note"] = geometry.note;
  json["sentences"] = geometry_sentences(geometry);
  json["product"] = geometry.product;
  json["components"] = geometry.components;
  json["size"] = geometry.size;
  json["shift"] = geometry.shift;
  json["symmetry"] = geometry.symmetry;
  json["learned_reverse"] = geometry.learned_reverse;
  json["numbers"] = GeometryJson::array();
  for (const NumberGeometry& number : geometry.numbers)
    json["numbers"].push_back({{"alike", number.alike}, {"reversed", number.reversed}});
  json["nearest"] = relations_json(geometry.nearest);
  json["median_nearest"] = geometry.median_nearest;
  json["inverse"] = relations_json(geometry.inverse);
  json["median_inverse"] = geometry.median_inverse;
  json["over_time"] = GeometryJson::array();
  for (const GeometryAtTime& at : geometry.over_time)
    json["over_time"].push_back({{"time", at.time}, {"size", at.size}, {"likeness", at.likeness}});
  return json;
}

std::string geometry_json(const RelationGeometry& geometry) {
  return json_of(geometry).dump(2, ' ', false, GeometryJson::error_handler_t::replace);
}

std::string geometry_text(const RelationGeometry& geometry) {
  std::string text = printable(geometry.relation);
  if (!geometry.event.empty()) text += fmt::format(", its {}", geometry.event);
  if (!geometry.time.empty()) text += fmt::format(", {}", printable(geometry.time));
  text += "\n";
  if (!geometry.note.empty()) text += fmt::format("note: {}\n", geometry.note);
  for (const std::string& sentence : geometry_sentences(geometry)) text += sentence + "\n";
  if (geometry.nearest.empty()) return text;
  TextTable table({"most like it", "likeness", "most like its reverse", "likeness"});
  for (std::size_t i = 0; i < geometry.nearest.size(); ++i)
    table.add({printable(geometry.nearest[i].name), likeness_text(geometry.nearest[i].likeness),
               printable(geometry.inverse[i].name), likeness_text(geometry.inverse[i].likeness)});
  table.add({"(median of all)", likeness_text(geometry.median_nearest), "(median of all)",
             likeness_text(geometry.median_inverse)});
  return text + "\n" + table.text();
}

}  // namespace orrery
