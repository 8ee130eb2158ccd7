#include "data/fact_collector.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::string problem_of_name(std::string_view name, const char* what) {
  if (name.empty()) return fmt::format("the {} is empty", what);
  if (name.find('\0') != std::string_view::npos) {
    return fmt::format("the {} {} holds a NUL byte", what, shown(name));
  }
  if (!is_utf8(name)) return fmt::format("the {} {} is not valid UTF-8", what, shown(name));
  return {};
}

struct Renumbered {
  Vocabulary names;
  std::vector<std::int32_t> id_of;  // by number of first sight
};

// Names met only on bad lines are not used and get no id.
Renumbered sorted_names(const NameTable& table, const std::vector<char>& used) {
  std::vector<std::int32_t> order;
  for (std::int32_t i = 0; i < table.size(); ++i) {
    if (used[static_cast<std::size_t>(i)] != 0) order.push_back(i);
  }
  std::sort(order.begin(), order.end(),
            [&table](std::int32_t a, std::int32_t b) { return table.name(a) < table.name(b); });
  Renumbered result;
  result.id_of.resize(static_cast<std::size_t>(table.size()));
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const std::int32_t i : order) {
    result.id_of[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(names.size());
    names.emplace_back(table.name(i));
  }
  result.names = Vocabulary(std::move(names));
  return result;
}

std::size_t index(std::int32_t id) { return static_cast<std::size_t>(id); }

}  // namespace

bool FactCollector::number(const FactText& text, bool intervals, std::uint64_t line, Fact& fact,
                           std::string& problem) {
  if (!number_name(text.subject, "subject", entities_, fact.subject, problem) ||
      !number_name(text.relation, "relation", relations_, fact.relation, problem) ||
      !number_name(text.object, "object", entities_, fact.object, problem)) {
    return false;
  }
  fact.when = dates_.number(text, intervals, line);
  return true;
}

bool FactCollector::number_name(std::string_view name, const char* what, NameTable& table,
                                std::int32_t& id, std::string& problem) {
  id = table.find(name);
  if (id != NameTable::absent) return true;
  problem = problem_of_name(name, what);
  if (!problem.empty()) return false;
  id = table.add(name);
  return true;
}

TemporalGraph FactCollector::finish(Splits facts) const {
  std::vector<char> entity_used(index(entities_.size())), relation_used(index(relations_.size()));
  for (const auto& split : facts) {
    for (const Fact& fact : split) {
      entity_used[index(fact.subject)] = entity_used[index(fact.object)] = 1;
      relation_used[index(fact.relation)] = 1;
    }
  }
  TimeAxis axis = dates_.axis(facts);
  Renumbered entities = sorted_names(entities_, entity_used);
  Renumbered relations = sorted_names(relations_, relation_used);

  TemporalGraph data;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    for (Fact& fact : facts[i]) {
      fact = {entities.id_of[index(fact.subject)], relations.id_of[index(fact.relation)],
              entities.id_of[index(fact.object)], axis.moment_of[index(fact.when)]};
    }
    data.facts[i] = std::move(facts[i]);
  }
  data.entities = std::move(entities.names);
  data.relations = std::move(relations.names);
  data.times = std::move(axis.timeline);
  return data;
}

}  // namespace orrery
