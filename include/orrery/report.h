// Results as tables for people and as JSON for programs.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "orrery/audit.h"
#include "orrery/calibration.h"
#include "orrery/compare.h"
#include "orrery/dataset.h"
#include "orrery/demo.h"
#include "orrery/evaluate.h"
#include "orrery/explain.h"
#include "orrery/geometry.h"
#include "orrery/predict.h"
#include "orrery/sweep.h"
#include "orrery/when.h"

namespace orrery {

// Scores in percent by kind of ties and by direction, and the counts of untrained embeddings.
std::string evaluation_table(const EvaluationScores& evaluation);
// At most `most` rows, then a line that says how many were left out; 0 shows all.
std::string breakdown_table(std::span<const BreakdownRow> rows, By by, std::size_t most = 0);
std::string patterns_table(std::span<const PatternScores> patterns);

// The pessimistic scores on top ("split", "protocol", "queries", "mrr", …), then
// "realistic", "optimistic", "object", "subject" and "unseen". All scores are fractions.
std::string evaluation_json(const EvaluationScores& evaluation);
// A list: {"relation": name, "queries": …, "mrr": …, …} per row.
std::string breakdown_json(std::span<const BreakdownRow> rows, By by);
std::string patterns_json(std::span<const PatternScores> patterns);

// Calibration errors before and after, and how probabilities compare with what is true.
std::string calibration_text(const CalibrationReport& report);
std::string calibration_json(const CalibrationReport& report);

// Ranks of true times, by the model alone and with its fit.
std::string when_text(const WhenReport& report);
std::string when_json(const WhenReport& report);

// The first `most` facts of an audit; 0: all.
std::string audit_text(const Audit& audit, std::size_t most = 0);
std::string audit_json(const Audit& audit, std::size_t most = 0);
// All of them, with a header.
std::string audit_csv(const Audit& audit);

// Questions and their answers, one by one: for people, a question at a time; as a list of objects
// (one alone is no list); as rows under a header, one for each answer.
std::string answers_text(const Question& question, const Answers& answers);
std::string answers_json(std::span<const Question> questions, std::span<const Answers> answers);
std::string answers_csv(std::span<const Question> questions, std::span<const Answers> answers);

std::string comparison_table(const Comparison& comparison);
std::string comparison_markdown(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);

std::string sweep_table(const Sweep& sweep);  // the best trials
std::string sweep_json(const Sweep& sweep);

// A data set looked over, as a page: what was understood, counts, examples, facts per time,
// relations, what is suspicious, leaks, and `next`, a command to go on with, where there is one.
struct TextPage {
  std::size_t columns = 80;
  bool blocks = false;  // plots of block characters; else ASCII alone
  bool wraps = true;    // long lines and wide tables are fitted to the columns
  std::string next = {};
};
std::string data_check_text(const Dataset& data, const DataCheck& check, const TextPage& page = {});
// One self-contained page, with a plot.
std::string data_check_html(const Dataset& data, const DataCheck& check,
                            const std::string& next = {});
std::string data_check_json(const Dataset& data, const DataCheck& check,
                            const std::string& next = {});

// An explanation, part by part: ranks, attention, history, curve, facts, neighbours.
std::string explanation_text(const Explanation& explanation, const TextPage& page = {});
std::string explanation_json(const Explanation& explanation);

// What a relation does to entities: in sentences, with the relations that are like it.
std::string geometry_text(const RelationGeometry& geometry);
std::string geometry_json(const RelationGeometry& geometry);

// What history is worth in a model that has it: of each feature the lowest and the highest number,
// in JSON also all numbers of all relations. With `relation` the numbers of that one; `event`, in
// models of starts and ends: of which.
std::string history_text(const Model& model);
std::string history_json(const Model& model);
std::string history_text(const Model& model, const std::string& relation,
                         const std::string& event = "start");
std::string history_json(const Model& model, const std::string& relation);

}  // namespace orrery
