#include "serve/asked_fact.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "facts/utf8.h"
#include "serve/asked_scores.h"
#include "serve/question_ids.h"

namespace orrery {
namespace {

void require_given(const std::string& part, const char* name) {
  if (!part.empty()) return;
  fail_request(About{.option = name, .advice = worded("give it, with ${}", name)},
               "a fact is explained as a whole, and its {} is missing", name);
}

}  // namespace

AskedFact asked_fact(const StoredModel& model, const Question& question, bool untrained) {
  require_given(question.subject, "subject");
  require_given(question.relation, "relation");
  require_given(question.object, "object");
  const bool timed = knows_time(model);
  if (timed) require_given(question.time, "time");
  QuestionIds ids = ids_of(model, question, untrained);
  AskedFact fact{ids.subject, ids.relation, ids.object, ids.time.row, timed, std::move(ids.note)};
  // One row is looked into, where predict takes both neighbours.
  if (ids.time.share_of_other > 0)
    fact.note = fmt::format("no training fact is of {}; the nearest time, {}, is explained",
                            shown(question.time), ids.time_name);
  return fact;
}

QueryPair queries_at(const ModelHeader& header, const AskedFact& fact, Direction direction,
                     std::int32_t time) {
  const SideQuestion side{fact.given(direction), fact.relation, direction == Direction::subject};
  return queries_at(header, side, time);
}

}  // namespace orrery
