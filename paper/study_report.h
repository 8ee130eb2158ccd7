// What the reports of all studies share: the paper's figures, cells, the words on top, provenance.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "page/report.h"
#include "paper/paper_files.h"
#include "paper/reproduce.h"
#include "paper/study_runs.h"

namespace orrery {

// The paper's own figures by method and set; texts, as it prints them.
class ReportedScores {
 public:
  ReportedScores(const PaperFiles& files, const std::string& name);  // "reported/results.tsv"

  const std::vector<std::string>& methods() const { return methods_; }
  // `score` is the name of a ScorePart. Empty: the paper has none.
  std::string text(const std::string& method, const std::string& set, std::string_view score) const;
  std::optional<double> percent(const std::string& method, const std::string& set,
                                std::string_view score) const;

 private:
  std::vector<std::string> methods_;  // in its order
  std::map<std::string, std::string> texts_;
};

// The validation MRR of its runs' best epochs.
std::vector<double> valid_mrrs(const CompareRow& row);

// Percent, as scores_cell() has it; `asked` are the seeds of the study.
std::string score_cell(std::span<const double> fractions, std::int64_t asked);
std::string score_cell(const CompareRow& row, double Scores::*part, std::int64_t asked);
// The same of a row of the study: no figure where it is not measured, or "failed".
std::string score_cell(const StudyRuns& runs, std::size_t set, const StudyRow& row,
                       double Scores::*part);
// Without what history adds to scores; the same as score_cell where the models have none.
std::string plain_score_cell(const StudyRuns& runs, std::size_t set, const StudyRow& row,
                             double Scores::*part);
std::string signed_cell(double percent);  // "+0.31"
std::string or_none(const std::string& text);

// Title and the words on top: how it was measured, on what, and what is not as in the paper.
enum class Figures { scores, embeddings };  // what the report is about
Report opened_report(const std::string& title, const StudyRuns& runs,
                     Figures figures = Figures::scores);

// All but the report: versions, command, hardware, facts, options and scores of every run. Only the
// command, as it was typed, may hold a path.
nlohmann::ordered_json study_json(const StudyRuns& runs, const ReproduceOptions& options);

}  // namespace orrery
