// RDF statements to facts with times. RDF has no column for time: it stands in the graph's name, or
// in other statements, about the graph or about a node that stands for the statement.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace orrery {

class RdfFacts {
 public:
  using Term = std::uint32_t;
  static constexpr Term none = static_cast<Term>(-1);

  struct Statement {
    Term subject = none, predicate = none, object = none;
    Term graph = none;  // none: the default graph
    bool literal = false;
    std::uint64_t line = 0;
  };
  // Times are none where they are not known.
  struct Fact {
    Term subject = none, relation = none, object = none;
    Term start = none, end = none, point = none;
    std::uint64_t line = 0;
  };

  Term term(std::string_view text);
  std::string_view text(Term term) const {
    return term == none ? std::string_view() : std::string_view(terms_[term]);
  }

  void add(const Statement& statement) { statements_.push_back(statement); }
  std::size_t count() const { return statements_.size(); }
  void keep_first(std::size_t count) { statements_.resize(count); }

  // When all statements are there: the facts, in the order of the statements that make them.
  std::vector<Fact> facts();

 private:
  enum class Role : std::uint8_t;
  // What statements say about a node that may stand for a statement, a graph or a time.
  struct Node {
    Term subject = none, predicate = none, object = none;  // rdf:subject, …
    Term relation = none, value = none;                    // Wikibase: p:P39 …, ps:P39 …
    Term start = none, end = none, point = none;
    Term start_node = none, end_node = none, point_node = none;
    Term precision = none;
    bool referenced = false;

    bool reified() const { return subject != none && predicate != none && object != none; }
    bool stands_for_statement() const { return reified() || (referenced && relation != none); }
  };

  Role role_of(Term predicate);
  Role find_role(std::string_view predicate) const;
  void gather();
  void note(const Statement& statement, Role role);
  bool is_metadata(const Statement& statement, Role role) const;
  const Node* node(Term term) const;
  std::optional<Fact> fact_of(const Statement& statement);
  void set_times(Fact& fact, const Node& node);
  Term cut_to_precision(Term time, Term time_node);
  void set_graph_time(Fact& fact, Term graph);
  void drop_repeated(std::vector<Fact>& facts) const;

  std::deque<std::string> terms_;  // they stay where they are
  std::unordered_map<std::string_view, Term> ids_;
  std::vector<Statement> statements_;
  std::unordered_map<Term, Role> roles_;
  std::unordered_map<Term, Node> nodes_;
  std::unordered_map<Term, Term> graph_times_;  // every graph, and the date in its name
};

// The date that ends an IRI: of "http://…/graph/2014-04-25" and "urn:date:2014"; empty if none.
std::string_view date_in_name(std::string_view iri);

}  // namespace orrery
