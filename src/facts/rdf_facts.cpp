#include "facts/rdf_facts.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <tuple>

#include "facts/wikidata_time.h"

namespace orrery {

enum class RdfFacts::Role : std::uint8_t {
  none,
  start,
  end,
  point,
  start_node,
  end_node,
  point_node,
  precision,
  rdf_subject,
  rdf_predicate,
  rdf_object,
  value,  // of a Wikibase statement
};

namespace {

constexpr std::string_view rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#";

template <std::size_t N>
bool any_of(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::size_t last_segment(std::string_view iri) {
  const std::size_t at = iri.find_last_of("/#:");
  return at == std::string_view::npos ? 0 : at + 1;
}

bool is_start(std::string_view name) {
  return any_of(
      std::array<std::string_view, 13>{"P580", "startDate", "startTime", "start", "start_date",
                                       "start_time", "startedAtTime", "validFrom", "valid_from",
                                       "begin", "beginning", "hasBeginning", "since"},
      name);
}

bool is_end(std::string_view name) {
  return any_of(std::array<std::string_view, 13>{"P582", "endDate", "endTime", "end", "end_date",
                                                 "end_time", "endedAtTime", "validTo", "valid_to",
                                                 "validUntil", "valid_until", "hasEnd", "until"},
                name);
}

bool is_point(std::string_view name) {
  return any_of(
      std::array<std::string_view, 10>{"P585", "time", "date", "pointInTime", "point_in_time",
                                       "atTime", "timestamp", "inXSDDate", "inXSDDateTime",
                                       "inXSDDateTimeStamp"},
      name);
}

// "…/prop/statement/P39" is said of the node of a statement "…/prop/P39"; "…/prop/direct/P39" is
// the statement without its node. The property without that folder, or nothing.
std::string without_folder(std::string_view iri, std::string_view folder) {
  const std::size_t segment = last_segment(iri);
  std::string_view before = iri.substr(0, segment);
  if (!before.ends_with(folder)) return {};
  before.remove_suffix(folder.size() - 1);
  return std::string(before).append(iri.substr(segment));
}

bool is_date(std::string_view text) {
  const auto digits = [&](std::size_t count) {
    if (text.size() < count) return false;
    const bool all = std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(count),
                                 [](char c) { return c >= '0' && c <= '9'; });
    if (all) text.remove_prefix(count);
    return all;
  };
  const auto sign = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  sign('-');
  if (!digits(4)) return false;
  if (text.empty()) return true;
  if (!sign('-') || !digits(2)) return false;
  if (text.empty()) return true;
  if (!sign('-') || !digits(2)) return false;
  return text.empty() || (sign('T') && digits(2));
}

}  // namespace

std::string_view date_in_name(std::string_view iri) {
  for (std::size_t i = 0; i < iri.size(); ++i) {
    const bool separates = std::string_view("/#:=_").find(iri[i]) != std::string_view::npos;
    if (separates && is_date(iri.substr(i + 1))) return iri.substr(i + 1);
  }
  return {};
}

RdfFacts::Term RdfFacts::term(std::string_view text) {
  const auto known = ids_.find(text);
  if (known != ids_.end()) return known->second;
  const auto id = static_cast<Term>(terms_.size());
  terms_.emplace_back(text);
  ids_.emplace(terms_.back(), id);
  return id;
}

RdfFacts::Role RdfFacts::role_of(Term predicate) {
  const auto [at, is_new] = roles_.try_emplace(predicate, Role::none);
  if (is_new) at->second = find_role(text(predicate));
  return at->second;
}

RdfFacts::Role RdfFacts::find_role(std::string_view predicate) const {
  const std::size_t segment = last_segment(predicate);
  const std::string_view name = predicate.substr(segment);
  const std::string_view before = predicate.substr(0, segment);
  if (before == rdf) {
    if (name == "subject") return Role::rdf_subject;
    if (name == "predicate") return Role::rdf_predicate;
    if (name == "object") return Role::rdf_object;
  }
  if (name == "timePrecision") return Role::precision;
  if (before.ends_with("/prop/statement/")) return Role::value;
  // A Wikibase time in full is a node, which has the precision.
  const bool in_full = before.ends_with("/qualifier/value/");
  if (is_start(name)) return in_full ? Role::start_node : Role::start;
  if (is_end(name)) return in_full ? Role::end_node : Role::end;
  if (is_point(name)) return in_full ? Role::point_node : Role::point;
  return Role::none;
}

const RdfFacts::Node* RdfFacts::node(Term term) const {
  const auto at = nodes_.find(term);
  return at == nodes_.end() ? nullptr : &at->second;
}

// Notes what a statement says about its subject; the first word on a time holds.
void RdfFacts::note(const Statement& statement, Role role) {
  const bool time = role == Role::start || role == Role::end || role == Role::point;
  if (time && !statement.literal) return;
  const Term object = statement.object;
  Node& node = nodes_[statement.subject];
  const auto set = [object](Term& into) {
    if (into == none) into = object;
  };
  switch (role) {
    case Role::start:
      return set(node.start);
    case Role::end:
      return set(node.end);
    case Role::point:
      return set(node.point);
    case Role::start_node:
      return set(node.start_node);
    case Role::end_node:
      return set(node.end_node);
    case Role::point_node:
      return set(node.point_node);
    case Role::precision:
      return set(node.precision);
    case Role::rdf_subject:
      return set(node.subject);
    case Role::rdf_predicate:
      return set(node.predicate);
    case Role::rdf_object:
      return set(node.object);
    case Role::value:
      node.value = object;
      node.relation = term(without_folder(text(statement.predicate), "/statement/"));
      return;
    case Role::none:
      return;
  }
}

void RdfFacts::gather() {
  for (const Statement& statement : statements_) {
    if (statement.graph != none) graph_times_.try_emplace(statement.graph, none);
    const Role role = role_of(statement.predicate);
    if (role != Role::none) note(statement, role);
  }
  for (auto& [graph, time] : graph_times_) {
    const std::string_view date = date_in_name(text(graph));
    if (!date.empty()) time = term(std::string(date));
  }
  for (const Statement& statement : statements_) {
    const auto at = nodes_.find(statement.object);
    if (at != nodes_.end() && at->second.relation == statement.predicate) {
      at->second.referenced = true;
    }
  }
}

// Said about a statement, a graph or a time, and no fact itself.
bool RdfFacts::is_metadata(const Statement& statement, Role role) const {
  const Node* about = node(statement.subject);
  if (about == nullptr) return false;
  if (about->stands_for_statement()) return !about->reified() || role != Role::rdf_predicate;
  if (about->precision != none) return true;
  const bool time = role == Role::start || role == Role::end || role == Role::point;
  return time && statement.literal && statement.subject != statement.graph &&
         graph_times_.contains(statement.subject);
}

// A time stamp of Wikibase reads like a day, whatever is known of it.
RdfFacts::Term RdfFacts::cut_to_precision(Term time, Term time_node) {
  const Node* about = time_node == none ? nullptr : node(time_node);
  if (time == none || about == nullptr || about->precision == none) return time;
  const std::string_view digits = text(about->precision);
  int precision = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), precision);
  return term(wikidata_date(text(time), precision));
}

void RdfFacts::set_times(Fact& fact, const Node& node) {
  fact.start = cut_to_precision(node.start, node.start_node);
  fact.end = cut_to_precision(node.end, node.end_node);
  if (fact.start == none && fact.end == none) {
    fact.point = cut_to_precision(node.point, node.point_node);
  }
}

void RdfFacts::set_graph_time(Fact& fact, Term graph) {
  if (graph == none || fact.start != none || fact.end != none || fact.point != none) return;
  if (const Node* about = node(graph)) set_times(fact, *about);
  if (fact.start == none && fact.end == none && fact.point == none) {
    fact.point = graph_times_.at(graph);
  }
}

std::optional<RdfFacts::Fact> RdfFacts::fact_of(const Statement& statement) {
  const Role role = role_of(statement.predicate);
  if (is_metadata(statement, role)) return std::nullopt;
  Fact fact{.subject = statement.subject,
            .relation = statement.predicate,
            .object = statement.object,
            .line = statement.line};
  const Node* about = node(statement.subject);
  const Node* of_object = node(statement.object);
  if (about != nullptr && about->reified()) {
    fact.subject = about->subject;
    fact.relation = about->predicate;
    fact.object = about->object;
    set_times(fact, *about);
  } else if (of_object != nullptr && of_object->relation == statement.predicate) {
    fact.object = of_object->value;
    set_times(fact, *of_object);
  }
  set_graph_time(fact, statement.graph);
  return fact;
}

// What is said with a time through a node is often said without one as well.
void RdfFacts::drop_repeated(std::vector<Fact>& facts) const {
  const auto undated = [](const Fact& fact) {
    return fact.start == none && fact.end == none && fact.point == none;
  };
  if (std::none_of(facts.begin(), facts.end(), undated)) return;
  std::set<std::tuple<Term, Term, Term>> dated;
  for (const Fact& fact : facts) {
    if (!undated(fact)) dated.insert({fact.subject, fact.relation, fact.object});
  }
  if (dated.empty()) return;
  std::unordered_map<Term, Term> full_property;
  const auto repeats = [&](const Fact& fact) {
    if (!undated(fact)) return false;
    const auto [at, is_new] = full_property.try_emplace(fact.relation, fact.relation);
    if (is_new) {
      const auto known = ids_.find(without_folder(text(fact.relation), "/direct/"));
      if (known != ids_.end()) at->second = known->second;
    }
    return dated.contains({fact.subject, at->second, fact.object});
  };
  std::erase_if(facts, repeats);
}

std::vector<RdfFacts::Fact> RdfFacts::facts() {
  gather();
  std::vector<Fact> facts;
  for (const Statement& statement : statements_) {
    if (const auto fact = fact_of(statement)) facts.push_back(*fact);
  }
  drop_repeated(facts);
  return facts;
}

}  // namespace orrery
