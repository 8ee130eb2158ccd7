// The paper's tables and figures measured again, beside what it reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "orrery/compare.h"

namespace orrery {

struct StudyInfo {
  std::string name, sentence;
  std::vector<std::string> own_options;  // not taken by every study: {"relation", "time", "run"}
};
std::vector<StudyInfo> studies();  // results, ablation, …

struct ReproduceOptions {
  std::string study;
  std::string data;  // a folder with a folder a set (icews14, yago11k, …), or one set's own
  // Of the study's sets, those to train and report, {"icews14"}; empty: all that are in `data`.
  std::vector<std::string> sets;
  std::string configs;     // a copy of configs/paper to read instead of the built-in one
  std::int64_t seeds = 3;  // runs of each setting
  // Options of every run, in the words of a config file: {"epochs", "5"}. The report names them.
  std::map<std::string, std::string> changes;
  std::string run;             // geometry, patterns: a trained run; empty: one is trained
  std::string relation, time;  // geometry: which to look at; empty: the paper's
  std::string peer;            // efficiency: rows of gpu_step_bench --json and torch_step.py
  std::string command;         // as it was typed: kept in the JSON
};

struct Reproduction {
  bool complete = false;  // else it was interrupted, and the same call goes on
  std::int64_t runs_done = 0, runs_failed = 0, runs = 0;
  std::vector<std::filesystem::path> files;  // STUDY.json, STUDY.md, STUDY.html
  std::string text;                          // the report as plain text
};

// Runs are kept in out/runs, without their embeddings (out/models: with them), and shared by the
// studies. The three files are written whenever a set has one seed more, of all runs that are done
// by then. A run whose model fails is named in the report and passed over; see FailedRun.
Reproduction reproduce(const ReproduceOptions& options, const std::filesystem::path& out,
                       CompareObserver* observer = nullptr);

// The same request for one study: options that it does not take are left out.
ReproduceOptions asked_of(const StudyInfo& study, ReproduceOptions options);

enum class PageFormat { markdown, html, text };
// A saved STUDY.json as a page; a damaged one is an Error.
std::string show_report(const std::filesystem::path& file, PageFormat format);

// Writes the tables between `<!-- results/NAME.json -->` (or `… table 2 -->`) and `<!-- end -->`
// anew; files are looked for in `root`. True: the text changed. A file without any such mark, a
// mark without its end, a file or table that is not there are Errors.
bool rewrite_tables(const std::filesystem::path& markdown, const std::filesystem::path& root);

}  // namespace orrery
