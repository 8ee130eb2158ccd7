#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "page/report.h"
#include "page/report_check.h"
#include "page/report_text.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* format_name = "orrery-report 1";
constexpr std::array<std::string_view, 3> kind_names = {"line", "bars", "scatter"};

// JSON has no word for these: NaN is null, and infinities are strings.
Json number_json(double number) {
  if (std::isnan(number)) return nullptr;
  if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
  return number;
}

Json numbers_json(const std::vector<double>& numbers) {
  Json list = Json::array();
  for (const double number : numbers) list.push_back(number_json(number));
  return list;
}

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(valid_utf8(text));
  return list;
}

Json block_json(const Heading& heading) {
  return {{"type", "heading"}, {"text", valid_utf8(heading.text)}};
}

Json block_json(const Paragraph& paragraph) {
  return {{"type", "paragraph"}, {"text", valid_utf8(paragraph.text)}};
}

Json block_json(const Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) rows.push_back(texts_json(row));
  return {{"type", "table"},
          {"caption", valid_utf8(table.caption)},
          {"columns", texts_json(table.columns)},
          {"rows", std::move(rows)},
          {"bold_rows", table.bold_rows}};
}

Json axis_json(const Axis& axis) {
  Json json = {{"label", valid_utf8(axis.label)}, {"logarithmic", axis.logarithmic}};
  for (const Mark& mark : axis.marks)
    json["marks"].push_back({{"at", mark.at}, {"text", valid_utf8(mark.text)}});
  return json;
}

Json block_json(const Plot& plot) {
  Json list = Json::array();
  for (const Series& series : plot.series)
    list.push_back({{"name", valid_utf8(series.name)},
                    {"x", numbers_json(series.x)},
                    {"y", numbers_json(series.y)},
                    {"deviation", numbers_json(series.deviation)}});
  return {{"type", "plot"},
          {"caption", valid_utf8(plot.caption)},
          {"kind", kind_names[static_cast<std::size_t>(plot.kind)]},
          {"x", axis_json(plot.x)},
          {"y", axis_json(plot.y)},
          {"series", std::move(list)}};
}

// A part of the document and the way to it, as people write it: "blocks[2].rows[0]".
class Part {
 public:
  Part(const Json& json, std::string where) : json_(json), where_(std::move(where)) {}

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    fail_request(About{.advice = "have the report written anew"},
                 "the report's JSON is broken: {} {}", where_,
                 fmt::format(what, std::forward<Args>(args)...));
  }

  Part at(const char* key) const {
    expect(json_.is_object(), "an object");
    const auto found = json_.find(key);
    if (found == json_.end()) fail("has no '{}'", key);
    return {*found, where_ + "." + key};
  }

  bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  std::string text() const {
    expect(json_.is_string(), "a string");
    return json_.get<std::string>();
  }

  bool flag() const {
    expect(json_.is_boolean(), "true or false");
    return json_.get<bool>();
  }

  std::size_t index() const {
    const bool whole = json_.is_number_integer() && (json_.is_number_unsigned() || json_ >= 0);
    expect(whole, "a whole number from 0 on");
    return json_.get<std::size_t>();
  }

  double number() const {
    if (json_.is_null()) return std::numeric_limits<double>::quiet_NaN();
    if (json_ == "inf") return std::numeric_limits<double>::infinity();
    if (json_ == "-inf") return -std::numeric_limits<double>::infinity();
    expect(json_.is_number(), "a number, null, \"inf\" or \"-inf\"");
    return json_.get<double>();
  }

  template <class Value>
  std::vector<Value> list(Value (*read)(const Part&)) const {
    expect(json_.is_array(), "a list");
    std::vector<Value> values;
    for (std::size_t i = 0; i < json_.size(); ++i)
      values.push_back(read({json_[i], fmt::format("{}[{}]", where_, i)}));
    return values;
  }

 private:
  void expect(bool right, const char* wanted) const {
    if (!right)
      fail("must be {}, but is {}", wanted, json_.is_number() ? json_.dump() : json_.type_name());
  }

  const Json& json_;
  std::string where_;
};

std::string text_of(const Part& part) { return part.text(); }
double number_of(const Part& part) { return part.number(); }
std::size_t index_of(const Part& part) { return part.index(); }
std::vector<std::string> texts_of(const Part& part) { return part.list(text_of); }

Mark mark_of(const Part& part) { return {part.at("at").number(), part.at("text").text()}; }

Axis axis_of(const Part& part) {
  Axis axis{part.at("label").text(), part.at("logarithmic").flag()};
  if (part.has("marks")) axis.marks = part.at("marks").list(mark_of);
  return axis;
}

Series series_of(const Part& part) {
  return {part.at("name").text(), part.at("x").list(number_of), part.at("y").list(number_of),
          part.at("deviation").list(number_of)};
}

Plot::Kind kind_of(const Part& part) {
  const std::string name = part.text();
  for (std::size_t i = 0; i < kind_names.size(); ++i)
    if (name == kind_names[i]) return static_cast<Plot::Kind>(i);
  part.fail("is '{}', but must be line, bars or scatter", name);
}

Block block_of(const Part& part) {
  const std::string type = part.at("type").text();
  if (type == "heading") return Heading{part.at("text").text()};
  if (type == "paragraph") return Paragraph{part.at("text").text()};
  if (type == "table")
    return Table{part.at("caption").text(), part.at("columns").list(text_of),
                 part.at("rows").list(texts_of), part.at("bold_rows").list(index_of)};
  if (type == "plot")
    return Plot{part.at("caption").text(), kind_of(part.at("kind")), axis_of(part.at("x")),
                axis_of(part.at("y")), part.at("series").list(series_of)};
  part.at("type").fail("is '{}', but must be heading, paragraph, table or plot", type);
}

}  // namespace

Json report_json(const Report& report) {
  check_report(report);
  Json blocks = Json::array();
  for (const Block& block : report.blocks)
    blocks.push_back(std::visit([](const auto& one) { return block_json(one); }, block));
  return {
      {"format", format_name}, {"title", valid_utf8(report.title)}, {"blocks", std::move(blocks)}};
}

Report report_from_json(const Json& json) {
  const Part whole(json, "report");
  if (const Part format = whole.at("format"); format.text() != format_name)
    format.fail("is '{}', but this program reads '{}'", format.text(), format_name);
  Report report{whole.at("title").text(), whole.at("blocks").list(block_of)};
  if (const std::string fault = fault_of(report); !fault.empty()) whole.fail("has {}", fault);
  return report;
}

}  // namespace orrery
