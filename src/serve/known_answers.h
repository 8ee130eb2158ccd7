// What facts say of an answer: that it is one already, at the time asked for or at another.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/fact_index.h"
#include "orrery/predict.h"
#include "serve/question_ids.h"

namespace orrery {

// In the model's ids; both must outlive it.
struct FactsAtHand {
  const TemporalGraph& data;
  const FactIndex& index;
};

// The fact nearest to a time row, of any split; empty: there is none. `timed`: false where the
// model knows no time, so that every time is the one asked for.
std::optional<KnownFactOf> known_fact(const FactsAtHand& facts, std::int32_t subject,
                                      std::int32_t relation, std::int32_t object,
                                      const AskedTime& time, bool timed);
// Entities that are answers at this very time, ascending: on the side of a question that is
// missing.
std::vector<std::int32_t> known_now(const FactsAtHand& facts, const QuestionIds& question,
                                    bool timed);
// The time of a fact as people read it: "2014-04-25", "2009 to 2014", "since 2009".
std::string time_in_words(const Timeline& times, std::int32_t when);

}  // namespace orrery
