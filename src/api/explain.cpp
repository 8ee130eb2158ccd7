#include "orrery/explain.h"

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

std::vector<Neighbour> nearest(const Model& model, std::string_view entity, std::size_t top) {
  refuse_mixture(model.state());
  const StoredModel& stored = *model.state().stored;
  return nearest_entities(stored, stored.header().entities.require(entity, "entity"), top);
}

}  // namespace orrery
