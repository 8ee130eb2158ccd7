// What a study trains: the lines of its file in configs/paper, made models on the sets at hand.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "orrery/compare.h"
#include "paper/paper_files.h"

namespace orrery {

struct StudyRow {
  std::string name;   // in the report
  std::string model;  // whose runs it shows; several rows may show the same
  TrainOptions options;
  TrainOptions config;     // what it started from, before its own options
  TrainOptions published;  // the same without the user's changes
};

struct StudySet {
  std::string name, title;
  std::string published;       // fingerprint of the published facts; empty: not known
  std::filesystem::path data;  // empty: not at hand
  std::vector<StudyRow> rows;
  std::vector<ComparedModel> models;  // each once

  const StudyRow& row(const std::string& row_name) const;
};

struct StudyPlan {
  std::string study;
  std::vector<StudySet> sets;               // trained and reported
  std::vector<std::string> missing;         // wanted, but not in the data folder
  std::vector<std::string> not_asked;       // of the study, but not among the sets that were named
  std::vector<std::string> edited_configs;  // files of a user's copy that are not the built-in ones
  std::map<std::string, std::string>
      changed_settings;  // "dim": "16", where that is not the paper's

  std::uint64_t first_seed() const { return sets.front().models.front().options.seed; }
};

// `changes` are options of every run ("epochs": "5"). `data` holds a folder a set, or is one's own
// folder; without any of the study's sets, or without one that `asked` names, it is a request
// Error, and so is a change of the very option that a line of the study varies and is named after.
StudyPlan plan_study(const std::string& study, const PaperFiles& files,
                     const std::filesystem::path& data,
                     const std::map<std::string, std::string>& changes,
                     const std::vector<std::string>& asked = {});

// `options` with such changes; what is no option or no value is a request Error.
TrainOptions with_changes(TrainOptions options, const std::map<std::string, std::string>& changes);

// "dim = 8000, dropout = 0.2": what the second says otherwise; empty: nothing.
std::string differences_in_words(const TrainOptions& first, const TrainOptions& second);

// The value of an option of numbers; another option is a request Error.
double number_of_option(const TrainOptions& options, const std::string& name);

}  // namespace orrery
