#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "facts/formats.h"
#include "facts/json_objects.h"
#include "facts/wikidata_time.h"

namespace orrery {
namespace {

namespace dom = simdjson::dom;

constexpr std::string_view start_time = "P580", end_time = "P582", point_in_time = "P585";

std::string_view text_at(const dom::object& object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

// The member if it is an object: Wikidata writes empty ones as [].
bool object_at(const dom::object& object, std::string_view key, dom::object& member) {
  return object[key].get(member) == simdjson::SUCCESS;
}

// The item that a snak names, or nothing: other values are no entities.
std::string item_of(const dom::object& snak) {
  dom::object data, value;
  if (!object_at(snak, "datavalue", data) || !object_at(data, "value", value)) return {};
  if (text_at(data, "type") != "wikibase-entityid" || text_at(value, "entity-type") != "item") {
    return {};
  }
  const std::string_view id = text_at(value, "id");
  if (!id.empty()) return std::string(id);
  // Dumps of before 2016.
  std::uint64_t number = 0;
  return value["numeric-id"].get(number) == simdjson::SUCCESS ? fmt::format("Q{}", number) : "";
}

// The first time that a qualifier gives. "No value" is an open side, "unknown value" an unknown
// one.
std::string time_of(const dom::object& qualifiers, std::string_view property) {
  dom::array snaks;
  if (qualifiers[property].get(snaks) != simdjson::SUCCESS) return {};
  for (const dom::element each : snaks) {
    dom::object snak, data, value;
    if (each.get(snak) != simdjson::SUCCESS) continue;
    if (text_at(snak, "snaktype") == "somevalue") return "####";
    std::int64_t precision = 0;
    if (!object_at(snak, "datavalue", data) || !object_at(data, "value", value)) continue;
    if (value["precision"].get(precision) != simdjson::SUCCESS) continue;
    return wikidata_date(text_at(value, "time"), precision);
  }
  return {};
}

class WikidataReader final : public RecordReader {
 public:
  WikidataReader(std::unique_ptr<ByteSource> bytes, std::string name)
      : entities_(std::move(bytes), std::move(name), JsonObjects::Inside::leave) {
    selected_.resize(titles_.size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
  }

  std::span<const std::string> titles() const override { return titles_; }
  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
  }

  bool next(Record& record) override {
    record.problem = nullptr;
    record.count = selected_.size();
    record.fields.assign(selected_.size(), {});
    while (next_fact_ == facts_.size()) {
      facts_.clear();
      next_fact_ = 0;
      if (!entities_.next()) return false;
      record.line = entities_.line();
      if (!read_entity()) {
        record.problem = problem_.c_str();
        return true;
      }
    }
    record.line = entities_.line();
    const Fact& fact = facts_[next_fact_++];
    for (std::size_t i = 0; i < selected_.size(); ++i) record.fields[i] = fact[selected_[i]];
    return true;
  }

 private:
  using Fact = std::array<std::string, 6>;  // by title

  bool refuse(std::string_view why) {
    problem_ = fmt::format("this is no entity of Wikidata ({})", why);
    return false;
  }

  bool read_entity() {
    const std::string_view text = entities_.text();
    if (entities_.cut_off()) return refuse("the file ends inside it");
    if (!text.starts_with('{')) return refuse("it is not an object");
    dom::element root;
    const auto error = parser_.parse(text.data(), text.size(), false).get(root);
    if (error != simdjson::SUCCESS) return refuse(simdjson::error_message(error));
    dom::object object, members;
    if (root.get(object) != simdjson::SUCCESS) return refuse("it is not an object");
    // Wikidata's own pages hold entities by id.
    if (text_at(object, "id").empty() && object_at(object, "entities", members)) {
      for (const auto& member : members) {
        dom::object entity;
        if (member.value.get(entity) == simdjson::SUCCESS && !add_facts(entity)) return false;
      }
      return true;
    }
    return add_facts(object);
  }

  bool add_facts(const dom::object& entity) {
    const std::string_view id = text_at(entity, "id");
    if (id.empty()) return refuse("it has no id");
    dom::object labels, english, claims;
    std::string_view label;
    if (object_at(entity, "labels", labels) && object_at(labels, "en", english)) {
      label = text_at(english, "value");
    }
    if (!object_at(entity, "claims", claims)) return true;
    for (const auto& [property, statements] : claims) {
      dom::array list;
      if (statements.get(list) != simdjson::SUCCESS) continue;
      for (const dom::element each : list) {
        dom::object statement;
        if (each.get(statement) == simdjson::SUCCESS) add_fact(id, label, property, statement);
      }
    }
    return true;
  }

  void add_fact(std::string_view id, std::string_view label, std::string_view property,
                const dom::object& statement) {
    dom::object snak, qualifiers;
    if (text_at(statement, "rank") == "deprecated") return;
    if (!object_at(statement, "mainsnak", snak)) return;
    std::string object = item_of(snak);
    if (object.empty()) return;
    std::string start, end;
    if (object_at(statement, "qualifiers", qualifiers)) {
      start = time_of(qualifiers, start_time);
      end = time_of(qualifiers, end_time);
      if (start.empty() && end.empty()) start = end = time_of(qualifiers, point_in_time);
    }
    facts_.push_back({std::string(id), std::string(property), std::move(object), std::move(start),
                      std::move(end), std::string(label)});
  }

  const std::array<std::string, 6> titles_ = {"subject", "relation", "object",
                                              "start",   "end",      "subject_label"};
  JsonObjects entities_;
  dom::parser parser_;
  std::vector<Fact> facts_;  // of the current entity
  std::size_t next_fact_ = 0;
  std::vector<std::size_t> selected_;
  std::string problem_;
};

}  // namespace

std::unique_ptr<RecordReader> read_wikidata(std::unique_ptr<ByteSource> bytes, std::string name) {
  return std::make_unique<WikidataReader>(std::move(bytes), std::move(name));
}

}  // namespace orrery
