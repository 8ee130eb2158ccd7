// A judgement as a person or a program wants to read it.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "judge/breakdown.h"
#include "judge/judge.h"

namespace orrery {

// Percent with two decimals; the tie rules, the directions, and what training never saw.
std::string judgement_table(const Judgement& judgement);
// At most `most` rows, then a line that says how many were left out; 0 shows all.
std::string breakdown_table(std::span<const BreakdownRow> rows, BreakdownBy by,
                            std::size_t most = 0);

// {"queries": …, "mrr": …, "hits1": …, "hits3": …, "hits10": …}, in fractions.
nlohmann::ordered_json metrics_json(const Metrics& metrics);
// The headline's figures on top ("split", "queries", "mrr", …), then "realistic", "optimistic",
// "object", "subject" and "unseen".
nlohmann::ordered_json judgement_json(const Judgement& judgement);
// The list for the judgement's "by": {"relation": name, "queries": …, "mrr": …, …} a row.
nlohmann::ordered_json breakdown_json(std::span<const BreakdownRow> rows, BreakdownBy by);

}  // namespace orrery
