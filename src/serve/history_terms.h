// What the history of a pair added to a score, in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/query.h"
#include "learn/stored_model.h"
#include "orrery/explain.h"

namespace orrery {

// A relation row that goes with the one asked: "'hosts' the other way round, at that time".
std::string companion_in_words(const ModelHeader& header, std::int32_t relation,
                               std::int32_t companion);

// What is added to the scores of one answer; 0 where the model has no history.
double history_of_answer(const StoredModel& model, const Query& query, std::int32_t answer);

// The same, term by term; those that add nothing are left out.
std::vector<HistoryTerm> history_terms(const StoredModel& model, const QueryPair& queries,
                                       std::int32_t answer);

}  // namespace orrery
