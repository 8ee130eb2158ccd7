// Evaluating a trained model by filtered ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/model.h"
#include "orrery/scores.h"

namespace orrery {

// Each fact gives two queries: predict its object, and predict its subject.
inline constexpr std::size_t queries_per_fact = 2;

struct EvaluateOptions {
  Split split = Split::test;
  bool history = true;  // false: without what history adds to scores
  // Called during the evaluation with the number of queries done. It may throw to stop.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
};

// Queries that involve an untrained embedding: its entity, relation or time is not in train.
struct UnseenCounts {
  std::uint64_t entity = 0;  // the given entity, or the answer
  std::uint64_t relation = 0;
  std::uint64_t time = 0;
  std::uint64_t any = 0;  // at least one of the three

  friend bool operator==(const UnseenCounts&, const UnseenCounts&) = default;
};

// What a question about a fact is, and which other answers do not compete (docs/evaluation.md).
// Scores of different protocols cannot be compared.
enum class Protocol {
  points,  // at the fact's time; what is true at that time
  ends,    // intervals: at the start and the end, scores added; what has the same start and end
  within,  // intervals: at a drawn time between them; what holds at that time
};
std::string_view name_of(Protocol protocol);

enum class By {
  relation,  // both directions together
  entity,    // by the given entity, not the answer
  time,      // by the time that is asked for; with both ends by the start, else the end
  history,   // by what train knows of the answer and its rivals at other times
};
inline constexpr By all_breakdowns[] = {By::relation, By::entity, By::time, By::history};
std::string_view name_of(By by);
// An unknown name is a request Error.
By by_named(std::string_view name);

struct BreakdownRow {
  std::string name;
  Scores scores;  // pessimistic, both directions
};

struct EvaluationScores {
  Split split = Split::test;
  Protocol protocol = Protocol::points;
  Scores pessimistic, realistic, optimistic;  // both directions; the first is the headline
  Scores object, subject;                     // pessimistic; predicting the object, the subject
  UnseenCounts unseen;
  // In the order of the split's facts: the object of fact 0, its subject, the object of fact 1, …
  std::vector<RankCounts> ranks;

  // Pessimistic, both directions: of the facts that `belongs` says, by their places in the split.
  Scores of_facts(const std::function<bool(std::size_t fact)>& belongs) const;
};

struct Evaluation : EvaluationScores {
  Dataset data;  // the facts, in the model's ids
  // What a reader of the scores must know: dates that the model's times do not fit.
  std::vector<std::string> warnings = {};

  // Every query is in exactly one row; rows with most queries first, then by name.
  std::vector<BreakdownRow> by(By part) const;
};

// Filtered ranks of each fact's object and subject among all entities: other answers that are true
// at the same time, in any split of `data`, are left out. Names that the model does not know are a
// request Error; a date without an embedding uses the nearest time.
Evaluation evaluate(const Model& model, const Dataset& data, const EvaluateOptions& options = {});

}  // namespace orrery
