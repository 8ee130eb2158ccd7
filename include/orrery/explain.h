// Why a model gives a fact its score.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/predict.h"

namespace orrery {

struct ExplainOptions {
  std::size_t top = 10;        // facts that support it, facts that speak against it
  std::size_t neighbours = 5;  // of the subject, and of the object
  // Training facts whose influence is computed: those nearest to the fact by relation and time.
  std::size_t most_facts = 4000;
  bool any_link = false;   // facts as well that share one entity with it, and nothing else
  bool untrained = false;  // names that no training fact has are taken, too; see PredictOptions
};

// An entity, by how its embedding points the same way as another's.
struct Neighbour {
  std::string name;
  double similarity = 0;  // the cosine of their embeddings
};

// How much one view of the given entity weighs in a question.
struct AttentionWeight {
  std::string view;   // "time" or "relation", as the model names it
  std::string part;   // of complex numbers: "real" or "imaginary"; empty: of the whole
  std::string event;  // of a model of starts and ends: "start" or "end"; else empty
  double weight = 0;
};

// What the history of a pair added to the score.
struct HistoryTerm {
  std::string feature;  // as `orrery inspect` names it: "known 2 to 3 times away"
  double added = 0;
  std::string sentence;  // "train has it at 2012, and this relation does not repeat: −7.1"
};

// The fact as an answer to one of its two questions.
struct ExplainedSide {
  std::string asked;  // "object" or "subject"
  double score = 0;
  double probability = 0;  // softmax over all entities; not calibrated
  // 1 is the best; of equal scores the worst place.
  std::int64_t rank = 0;           // among all entities
  std::int64_t filtered_rank = 0;  // without other answers known at that time in any split
  std::int64_t known_others = 0;   // how many those are
  std::int64_t entities = 0;
  std::vector<AttentionWeight> attention;  // empty where the model has none
  std::vector<HistoryTerm> history;        // empty where nothing was added
};

// What a training fact has in common with the explained one. The first that holds is told.
enum class Link {
  fact,              // all of it: the fact itself
  pair,              // subject and object, whatever the relation and the time
  inverse,           // the same two the other way round
  subject_relation,  // and another object
  object_relation,   // and another subject
  subject,           // the subject alone, on either side
  object,            // the object alone, on either side
};
std::string_view name_of(Link link);  // "fact", "pair", …, "subject and relation"

struct InfluentialFact {
  std::string subject, relation, object;
  std::string time;  // as in the data; where facts have intervals, the start
  std::string end;   // of an interval; empty: open, or a point
  Link link = Link::fact;
  double influence = 0;  // positive: training on it raises this fact's score
};

struct Explanation {
  Question fact;     // as it was asked
  std::string time;  // name of the time that was used; empty: the model knows no time
  std::string note;  // set where the date is no time of training, or coarser than they are
  std::optional<KnownFactOf> known;  // empty: in no split
  ExplainedSide object, subject;
  // "Which object?" at every time of the model, in order; empty: it knows none. Probabilities are
  // over all entities at that time.
  std::vector<TimeScore> curve;
  // Training facts by their influence, the strongest first: −∇loss · ∇standing, where the standing
  // is the fact's log-odds, summed over its two questions. They compare facts of one explanation;
  // their size means nothing else.
  std::vector<InfluentialFact> supporting, opposing;
  std::size_t related_facts = 0;   // of train that have such a link with it
  std::size_t compared_facts = 0;  // of those, whose influence was computed
  std::string influence_note;      // why there are none, where there are none
  std::vector<Neighbour> near_subject, near_object;
};

// `facts`: those the model was trained on, and all that are known (Model::training_data). The
// question must name all parts of the fact; the time may be left out where the model knows none.
// What is missing or unknown is a request Error.
Explanation explain(const Model& model, const Dataset& facts, const Question& fact,
                    const ExplainOptions& options = {});

// The entities nearest to one by the cosine of their embeddings (the table "entity"), best first
// and itself left out. An unknown name is a request Error.
std::vector<Neighbour> nearest(const Model& model, std::string_view entity, std::size_t top);

// A fact of any split.
struct DatedFact {
  std::string subject, relation, object;
  std::string time, end;  // as in InfluentialFact
  Split split = Split::train;
};
struct FactsOfEntity {
  std::vector<DatedFact> latest;  // the latest first
  std::size_t total = 0;          // how many there are
};

// The facts of an entity, on either side, among those that the model knows (Model::with_facts); at
// most `top`. An unknown name, or a model without facts, is a request Error.
FactsOfEntity facts_of(const Model& model, std::string_view entity, std::size_t top);

}  // namespace orrery
