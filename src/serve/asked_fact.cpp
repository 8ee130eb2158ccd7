#include "serve/asked_fact.h"

#include "base/error.h"
#include "serve/answering.h"

namespace orrery {
namespace {

void require_given(const std::string& part, const char* name) {
  if (!part.empty()) return;
  fail_request(About{.option = name, .advice = worded("give it, with ${}", name)},
               "a fact is explained as a whole, and its {} is missing", name);
}

}  // namespace

AskedFact asked_fact(const StoredModel& model, const Question& question) {
  require_given(question.subject, "subject");
  require_given(question.relation, "relation");
  require_given(question.object, "object");
  AskedFact fact;
  fact.timed = knows_time(model);
  if (fact.timed) require_given(question.time, "time");
  const ModelHeader& header = model.header();
  fact.subject = header.entities.require(question.subject, "entity");
  fact.relation = header.relations.require(question.relation, "relation");
  fact.object = header.entities.require(question.object, "entity");
  if (!fact.timed) return fact;
  const TimePlace place = header.times.place_of(question.time);
  fact.time = place.row;
  fact.note = header.times.note_on(question.time, place);
  return fact;
}

QueryPair queries_at(const ModelHeader& header, const AskedFact& fact, Direction direction,
                     std::int32_t time) {
  const RelationIds ids = header.relation_ids();
  const bool reciprocal = direction == Direction::subject;
  const Query start{fact.given(direction), ids.id(fact.relation, reciprocal), time};
  if (!header.times.has_ends()) return {start, start, false};
  return {start, {start.subject, ids.id(fact.relation, reciprocal, true), time}, true};
}

}  // namespace orrery
