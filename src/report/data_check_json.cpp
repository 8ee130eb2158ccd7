#include <nlohmann/json.hpp>

#include "orrery/data_check.h"
#include "orrery/report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json json_of_counts(const SplitCheck& s) {
  return {{"facts", s.facts},
          {"duplicates", s.duplicates},
          {"ends_before_start", s.ends_before_start},
          {"unseen_entity", s.unseen_entity},
          {"unseen_relation", s.unseen_relation},
          {"unseen_time", s.unseen_time},
          {"reversed_in_train", s.reversed_in_train},
          {"at_another_time", s.at_another_time},
          {"at_shared_time", s.at_shared_time},
          {"inverse_in_train", s.inverse_in_train}};
}

Json json_of_cardinality(const Cardinality& c) {
  return {{"name", c.name()}, {"objects", c.objects}, {"subjects", c.subjects}};
}

Json json_of_spread(const NameSpread& spread) {
  return {{"only_in_train", spread.only_in_train},
          {"never_in_train", spread.never_in_train},
          {"examples", spread.examples}};
}

template <class List, class ToJson>
Json json_list(const List& list, const ToJson& to_json) {
  Json json = Json::array();
  for (const auto& one : list) json.push_back(to_json(one));
  return json;
}

}  // namespace

std::string data_check_json(const Dataset& data, const DataCheck& check, const std::string& next) {
  const auto relation = [&](std::int32_t id) {
    return data.relation_names()[static_cast<std::size_t>(id)];
  };
  Json json = {{"entities", check.entities},       {"entities_in_train", check.entities_in_train},
               {"relations", check.relations},     {"time_rows", check.times},
               {"intervals", check.intervals},     {"granularity", check.granularity},
               {"first_time", check.first_time},   {"last_time", check.last_time},
               {"fingerprint", check.fingerprint}, {"bad_lines", data.bad_lines()}};
  for (const Split split : all_splits)
    json["splits"][std::string(name_of(split))] =
        json_of_counts(check.splits[static_cast<std::size_t>(split)]);
  json["overlaps"] = json_list(check.overlaps, [](const Overlap& o) -> Json {
    return {{"splits", {name_of(o.first), name_of(o.second)}}, {"facts", o.facts}};
  });
  json["inverse_relations"] = json_list(check.inverses, [&](const InverseRelation& i) -> Json {
    return {{"relation", relation(i.relation)},
            {"inverse", relation(i.inverse)},
            {"facts", i.facts},
            {"reversed", i.reversed}};
  });
  json["bad"] = json_list(data.first_bad_lines(), [](const BadLine& bad) -> Json {
    return {{"file", bad.file}, {"line", bad.line}, {"reason", bad.reason}};
  });
  json["warnings"] = check.warnings;
  json["understood"] = json_list(data.understood(), [](const Understood& one) -> Json {
    return {{"about", one.about}, {"sentence", one.sentence}};
  });
  json["one_list"] = check.one_list;
  json["examples"] = check.examples;
  json["facts_per_time"] = json_list(check.facts_per_time, [](const TimeCount& one) -> Json {
    return {{"first", one.first}, {"last", one.last}, {"facts", one.facts}};
  });
  json["relation_profiles"] = json_list(check.profiles, [&](const RelationProfile& p) -> Json {
    return {{"relation", relation(p.relation)},
            {"facts", p.facts},
            {"subjects", p.subjects},
            {"objects", p.objects},
            {"at_one_time", json_of_cardinality(p.at_one_time)},
            {"over_all_time", json_of_cardinality(p.over_all_time)}};
  });
  json["names"] = {{"entities", json_of_spread(check.entity_spread)},
                   {"relations", json_of_spread(check.relation_spread)},
                   {"times", json_of_spread(check.time_spread)}};
  json["suspicious"] = json_list(check.suspicions, [](const Suspicion& one) -> Json {
    return {{"what", one.what},
            {"sentence", one.sentence},
            {"count", one.count},
            {"examples", one.examples},
            {"places", one.places}};
  });
  if (!next.empty()) json["next"] = next;
  // A path may be in any encoding.
  return json.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace orrery
