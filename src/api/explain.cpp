#include "orrery/explain.h"

#include <algorithm>

#include "api/dataset_state.h"
#include "api/model_state.h"
#include "base/error.h"
#include "learn/align_data.h"
#include "serve/explaining.h"
#include "serve/neighbours.h"

namespace orrery {

namespace {

// Its scores are sums over several models, each with reasons of its own.
void refuse_mixture(const ModelState& state) {
  if (state.mixture)
    fail_request(
        About{.place = {state.path.string()}, .advice = "explain one of the models it was made of"},
        "is a mixture, which has no embeddings of its own");
}

struct PlacedFact {
  std::int32_t start = 0;
  Fact fact;
  Split split = Split::train;

  // The latest first; of one time in the order of ids.
  friend bool operator<(const PlacedFact& a, const PlacedFact& b) {
    return a.start != b.start ? a.start > b.start : a.fact < b.fact;
  }
};

std::vector<PlacedFact> placed_facts(const KnownFacts& known, std::int32_t entity) {
  std::vector<PlacedFact> found;
  const auto add = [&](const Fact& fact, Split split) {
    found.push_back({known.data.moment(fact).start, fact, split});
  };
  for (const auto& entry : known.index.facts_of(entity, Side::subject))
    add({entity, entry.relation, entry.other, entry.when}, entry.split);
  for (const auto& entry : known.index.facts_of(entity, Side::object))
    if (entry.other != entity) add({entry.other, entry.relation, entity, entry.when}, entry.split);
  return found;
}

DatedFact dated(const Dataset& data, const PlacedFact& one) {
  const auto name = [](std::span<const std::string> names, std::int32_t id) {
    return names[static_cast<std::size_t>(id)];
  };
  const std::string& date = data.date(one.fact);
  const auto tab = date.find('\t');
  return {.subject = name(data.entity_names(), one.fact.subject),
          .relation = name(data.relation_names(), one.fact.relation),
          .object = name(data.entity_names(), one.fact.object),
          .time = date.substr(0, tab),
          .end = tab == std::string::npos ? "" : date.substr(tab + 1),
          .split = one.split};
}

}  // namespace

std::string_view name_of(Link link) {
  switch (link) {
    case Link::fact:
      return "fact";
    case Link::pair:
      return "pair";
    case Link::inverse:
      return "inverse";
    case Link::subject_relation:
      return "subject and relation";
    case Link::object_relation:
      return "object and relation";
    case Link::subject:
      return "subject";
    default:
      return "object";
  }
}

Explanation explain(const Model& model, const Dataset& facts, const Question& fact,
                    const ExplainOptions& options) {
  const ModelState& state = model.state();
  refuse_mixture(state);
  const StoredModel& stored = *state.stored;
  const TemporalGraph& given = facts.state().graph;
  const auto asker = state.borrow_asker();
  const int threads = static_cast<int>(state.machine.threads);
  try {
    if (has_ids_of(stored.header(), given))
      return explain_fact(stored, *asker, given, fact, options, threads);
    const TemporalGraph aligned = align_data(stored.header(), given);
    return explain_fact(stored, *asker, aligned, fact, options, threads);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::model || state.verified()) throw;
    fail_model("{} (or the file, whose checksums were not compared, is damaged)", error.what());
  }
}

FactsOfEntity facts_of(const Model& model, std::string_view entity, std::size_t top) {
  const ModelState& state = model.state();
  if (!state.facts) fail_request("this model was given no facts (Model::with_facts)");
  const std::int32_t id = state.stored->header().entities.require(entity, "entity");
  std::vector<PlacedFact> found = placed_facts(*state.facts, id);
  const auto count = std::min(top, found.size());
  const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
  std::partial_sort(found.begin(), end, found.end());
  FactsOfEntity facts{.latest = {}, .total = found.size()};
  for (const PlacedFact& one : std::span(found).first(count))
    facts.latest.push_back(dated(state.facts->data, one));
  return facts;
}

std::vector<Neighbour> nearest(const Model& model, std::string_view entity, std::size_t top) {
  refuse_mixture(model.state());
  const StoredModel& stored = *model.state().stored;
  return nearest_entities(stored, stored.header().entities.require(entity, "entity"), top);
}

}  // namespace orrery
