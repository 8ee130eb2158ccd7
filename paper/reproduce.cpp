#include "paper/reproduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "orrery/run.h"
#include "paper/report_pages.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string_view> studies_that_take(const OwnOption& option) {
  std::vector<std::string_view> names;
  for (const Study& study : all_studies())
    if (study.takes(option)) names.push_back(study.name);
  return names;
}

void check_request(const Study& study, const ReproduceOptions& options,
                   const std::filesystem::path& out) {
  if (out.empty())
    fail_request(About{.option = "out", .advice = worded("name one with $out DIR")},
                 "the report needs a directory");
  for (const OwnOption& option : every_own_option)
    if (!(options.*option.value).empty() && !study.takes(option)) {
      const std::string name(option.name);
      fail_request(About{.option = name}, "{} is for {}, not for {}", option_mark(name),
                   fmt::join(studies_that_take(option), " and "), study.name);
    }
  const std::string advice = "leave one of them out";
  if (!options.run.empty() && !options.sets.empty())
    fail_request(About{.option = "sets", .advice = advice},
                 "$sets names what is trained, and with $run nothing is");
  for (const auto& [name, value] : options.changes) {
    const OptionInfo& changed = option_named(name);
    if (!options.run.empty() && changed.decides != Decides::place)
      fail_request(About{.option = changed.name, .advice = advice},
                   "{} is an option of training, and with $run nothing is trained",
                   option_mark(changed.name));
  }
  check_options(with_changes(comparison_defaults(), options.changes));
}

class Reproducing {
 public:
  Reproducing(const Study& study, const ReproduceOptions& options, const std::filesystem::path& out)
      : study_(study), options_(options), out_(out), files_(options.configs) {}

  Reproduction carry_out(CompareObserver* observer) {
    const StudyRuns runs =
        study_.of_one_model() && !options_.run.empty() ? none() : train(observer);
    const bool worth_writing =
        study_.of_one_model() ? runs.complete() : runs.runs_done + runs.runs_failed > 0;
    if (worth_writing) write(runs);
    result_.complete = runs.complete();
    result_.runs_done = runs.runs_done;
    result_.runs_failed = runs.runs_failed;
    result_.runs = runs.runs;
    return std::move(result_);
  }

 private:
  StudyRuns none() const {
    StudyRuns runs;
    runs.plan.study = study_.name;
    return runs;
  }

  StudyRuns train(CompareObserver* observer) {
    StudyPlan plan = plan_study(std::string(study_.name), files_, options_.data, options_.changes,
                                options_.sets);
    check_relation_and_time(plan, options_);
    if (study_.of_one_model())
      return run_study(std::move(plan), 1, true, out_ / "models", observer,
                       [](const StudyRuns&) {});
    // What the report will read should fail now, not when all is trained.
    StudyRuns before;
    before.plan = plan;
    before.comparisons.resize(plan.sets.size());
    study_.outcome(before, {files_, options_});
    return run_study(std::move(plan), options_.seeds, false, out_ / "runs", observer,
                     [this](const StudyRuns& runs) { write(runs); });
  }

  void write(const StudyRuns& runs) {
    const StudyOutcome outcome = study_.outcome(runs, {files_, options_});
    Json json = study_json(runs, options_);
    json["report"] = report_json(outcome.report);
    json["details"] = outcome.details;
    // Names are UTF-8; the paths of runs and data need not be.
    const std::string text = json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    result_.files.clear();
    const auto write_file = [&](const char* ending, const std::string& content) {
      result_.files.push_back(out_ / fmt::format("{}.{}", study_.name, ending));
      write_file_atomically(result_.files.back(), content);
    };
    write_file("json", text);
    write_file("md", report_markdown(outcome.report));
    write_file("html", report_html(outcome.report));
    result_.text = report_plain_text(outcome.report);
  }

  const Study& study_;
  const ReproduceOptions& options_;
  const std::filesystem::path& out_;
  PaperFiles files_;
  Reproduction result_;
};

}  // namespace

std::vector<StudyInfo> studies() {
  std::vector<StudyInfo> list;
  for (const Study& study : all_studies()) {
    StudyInfo& info = list.emplace_back();
    info.name = study.name;
    info.sentence = study.sentence;
    for (const OwnOption& option : study.own_options) info.own_options.emplace_back(option.name);
  }
  return list;
}

ReproduceOptions asked_of(const StudyInfo& study, ReproduceOptions options) {
  options.study = study.name;
  const Study& asked = study_named(study.name);
  for (const OwnOption& option : every_own_option)
    if (!asked.takes(option)) (options.*option.value).clear();
  return options;
}

Reproduction reproduce(const ReproduceOptions& options, const std::filesystem::path& out,
                       CompareObserver* observer) {
  const Study& study = study_named(options.study);
  check_request(study, options, out);
  const auto held = HeldDirectory::make(out);  // two reports in one folder would be mixed up
  require_free_directory(out);
  return Reproducing(study, options, out).carry_out(observer);
}

}  // namespace orrery
