// Questions to a trained model, and its answers.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/error.h"
#include "orrery/facts.h"

namespace orrery {

// One of the four is left empty: that one is predicted. Where none is, the fact itself is scored.
// (A model whose answers do not depend on time needs none.) Names match exactly, else by case and
// accents.
struct Question {
  std::string subject = {};
  std::string relation = {};
  std::string object = {};
  std::string time = {};  // a date; see Answers::note for one that training never saw
  Place place = {};       // where it was read from, for Errors
};

// Questions of a file, or of standard input where it is "-": a table (TSV, CSV, …) or JSON, plain
// or compressed. Columns by their titles as in files of facts, else in the order of subject,
// relation, object and time. What is empty or "?" is asked for.
std::vector<Question> read_questions(const std::string& source);

// What is done about answers that are facts already. For mark and hide the model must have its
// facts (Model::with_facts); without them answers are shown as they are.
enum class KnownAnswers { mark, hide, show };
std::string_view name_of(KnownAnswers known);
// An unknown name is a request Error.
KnownAnswers known_answers_named(std::string_view name);

struct PredictOptions {
  std::size_t top = 10;  // answers per question
  KnownAnswers known = KnownAnswers::mark;
  // Only entities that train has on that side of the relation; for a missing relation, relations
  // that train has of both entities.
  bool seen_only = false;
  std::vector<std::string> only = {};     // answers are among these; empty: anything
  std::vector<std::string> without = {};  // answers are none of these
  // Names that no training fact has are refused, since their embeddings are noise, unless this is
  // set.
  bool untrained = false;
};

// Of an answer that is a fact already.
struct KnownFactOf {
  Split split = Split::train;
  bool now = false;  // at the time of the question, or at another one
  std::string time;  // the nearest, as in the data: "2014-04-25", "2009 to 2014"
};

struct Answer {
  std::string name;
  double score = 0;
  double probability = 0;  // softmax over all candidates
  // Fitted on validation: how often such an answer is true. NaN: the model has no such fit.
  double calibrated = std::numeric_limits<double>::quiet_NaN();
  std::optional<KnownFactOf> known = {};
  bool seen = false;  // train has it with this relation on that side
};

// One point of the curve over time.
struct TimeScore {
  std::string time;
  double score = 0;
  double probability = 0;
};

struct LikelyInterval {
  std::string start, end;
};

// Best score first; equal scores by name.
struct Answers {
  std::string asked;         // "subject", "relation", "object", "time", or "fact": none is missing
  std::string time;          // name of the time that was used; empty: none was given
  std::string note;          // set where the date is no time of training, or coarser than they are
  bool looked_up = false;    // answers were compared with facts: `known` and `seen` are set
  std::vector<Answer> best;  // to "fact" one answer, whose name is the object
  std::vector<TimeScore> curve = {};  // asked "time": all times in their order
  // Asked "time" of interval facts: when it most likely began and ended.
  std::optional<LikelyInterval> interval = {};

  std::size_t size() const { return best.size(); }
  const Answer& operator[](std::size_t i) const { return best[i]; }
  auto begin() const { return best.begin(); }
  auto end() const { return best.end(); }
};

}  // namespace orrery
