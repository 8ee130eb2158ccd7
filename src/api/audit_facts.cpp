// Facts from elsewhere, judged by the model at hand.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "api/audit_parts.h"
#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "learn/align_data.h"
#include "orrery/audit.h"

namespace orrery {
namespace {

// Ids of names that the model knows, and those names; −1: it does not know this one.
struct KnownNames {
  std::vector<std::int32_t> ids;
  std::vector<std::string> names;
  std::vector<std::string> unknown;

  KnownNames(const Vocabulary& model, const Vocabulary& data) {
    for (const std::string& name : data.names()) {
      const bool known = model.find(name).has_value();
      ids.push_back(known ? static_cast<std::int32_t>(names.size()) : -1);
      (known ? names : unknown).push_back(name);
    }
  }
  std::int32_t of(std::int32_t id) const { return ids[static_cast<std::size_t>(id)]; }
};

std::string note_of(std::size_t facts, const std::vector<std::string>& unknown, const char* what) {
  return fmt::format(
      "{} of the facts have {} that the model does not know, such as '{}': they are "
      "left out",
      facts, what, unknown.front());
}

// The facts, all of them as test, of names that the model knows.
TemporalGraph known_facts_of(const ModelHeader& header, const TemporalGraph& data,
                             std::vector<std::string>& notes) {
  const KnownNames entities(header.entities, data.entities),
      relations(header.relations, data.relations);
  TemporalGraph graph = data;
  for (auto& split : graph.facts) split.clear();
  auto& kept = graph.facts[static_cast<std::size_t>(Split::test)];
  std::size_t of_entities = 0, of_relations = 0;
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split)) {
      const Fact renamed{entities.of(fact.subject), relations.of(fact.relation),
                         entities.of(fact.object), fact.when};
      of_entities += renamed.subject < 0 || renamed.object < 0;
      of_relations += renamed.relation < 0;
      if (renamed.subject >= 0 && renamed.object >= 0 && renamed.relation >= 0)
        kept.push_back(renamed);
    }
  graph.entities = Vocabulary(entities.names);
  graph.relations = Vocabulary(relations.names);
  if (of_entities > 0) notes.push_back(note_of(of_entities, entities.unknown, "entities"));
  if (of_relations > 0) notes.push_back(note_of(of_relations, relations.unknown, "relations"));
  return graph;
}

// Two graphs in the model's ids as one: the facts of the first are test, all of the second train.
// Equal times have one moment, by which known answers are found.
class Joined {
 public:
  explicit Joined(const TemporalGraph& facts) : graph(facts) {
    for (auto& split : graph.facts) split.clear();
    graph.times.moments.clear();
    graph.times.moment_names.clear();
    graph.times.spans.clear();
    add(facts, Split::test);
  }

  void add(const TemporalGraph& data, Split as) {
    for (const Split split : all_splits)
      for (Fact fact : data.split(split)) {
        fact.when = moment_of(data.times, static_cast<std::size_t>(fact.when));
        graph.facts[static_cast<std::size_t>(as)].push_back(fact);
      }
  }

  TemporalGraph graph;

 private:
  std::int32_t moment_of(const Timeline& times, std::size_t when) {
    const Moment moment = times.moments[when];
    const TimeSpan span = times.within ? times.spans[when] : TimeSpan();
    const auto [found, added] = ids_.try_emplace({moment.start, moment.end, span.first, span.last},
                                                 static_cast<std::int32_t>(ids_.size()));
    if (added) {
      graph.times.moments.push_back(moment);
      graph.times.moment_names.push_back(times.moment_names[when]);
      if (times.within) graph.times.spans.push_back(span);
    }
    return found->second;
  }

  std::map<std::tuple<std::int32_t, std::int32_t, TimePoint, TimePoint>, std::int32_t> ids_;
};

}  // namespace

Audit audit_facts(const Model& model, const Dataset& facts, const std::optional<Dataset>& trained,
                  const AuditOptions& options) {
  const ModelHeader& header = model.state().stored->header();
  Audit result;
  Joined joined(align_data(header, known_facts_of(header, facts.state().graph, result.notes)));
  if (joined.graph.split(Split::test).empty())
    fail_request(About{.option = "facts", .place = {facts.source()}}, "{}",
                 result.notes.empty() ? "it holds no facts"
                                      : "none of its facts can be judged: " + result.notes.front());
  std::set<Fact> learned;
  if (trained) {
    joined.add(align_data(header, trained->state().graph), Split::train);
    const auto& all = joined.graph.split(Split::train);
    const auto count = static_cast<std::ptrdiff_t>(trained->facts(Split::train).size());
    learned.insert(all.begin(), all.begin() + count);
  } else {
    result.notes.emplace_back(
        "the facts that the model was trained on are not at hand: which of these it has learned, "
        "and how often it has seen a name, is not known");
  }
  const FilterIndex known(joined.graph);
  const std::vector<Fact> unique(learned.begin(), learned.end());
  const auto asker = model.state().borrow_asker();
  result.facts = audited(*asker,
                         {.data = joined.graph,
                          .known = known,
                          .facts = joined.graph.split(Split::test),
                          .learned = unique,
                          .calibration = model.card().calibration},
                         options);
  for (std::size_t i = 0; i < result.facts.size(); ++i) {
    AuditedFact& fact = result.facts[i];
    fact.trained_on = learned.contains(joined.graph.split(Split::test)[i]);
    if (!trained) fact.subject_facts = fact.object_facts = AuditedFact::unknown_count;
  }
  result.calibrated = model.card().calibration.has_value();
  sort_by_doubt(result.facts);
  return result;
}

}  // namespace orrery
