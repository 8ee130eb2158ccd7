#include "sweep/log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "orrery/run.h"
#include "page/json_fields.h"
#include "page/scores_json.h"
#include "page/text_table.h"
#include "sweep/searched_value.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json values_json(const TrialValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) {
    json[name] = is_quoted(option_named(name)) ? Json(value) : Json::parse(value);
  }
  return json;
}

// Options by the names that they have now: earlier versions wrote former ones.
Json renamed(const Json& options) {
  Json json = Json::object();
  for (const auto& [name, value] : options.items()) json[option_named(name).name] = value;
  return json;
}

Json run_json(const TrialRun& run) {
  Json json = {{"seed", run.seed}};
  json.update(scores_to_json(run.valid));
  json["best_epoch"] = run.best_epoch;
  json["epochs_done"] = run.epochs_done;
  json["seconds"] = run.seconds;
  return json;
}
TrialRun run_in(const Json& json) {
  return {json_unsigned(json, "seed"), json_scores(json), json_whole(json, "best_epoch"),
          json_whole(json, "epochs_done"), json_number(json, "seconds")};
}

// All that a line says but for the trial's values.
Trial trial_in(const Json& json) {
  Trial trial;
  trial.number = json_whole(json, "trial", 1);
  trial.parameters = json_whole(json, "parameters");
  trial.rung = json_whole(json, "rung", 1);
  trial.epochs = json_whole(json, "epochs");
  trial.seconds = json_number(json, "seconds");
  trial.failed = json_text(json, "status") == "failed";
  if (trial.failed) {
    trial.reason = json_text(json, "reason");
    return trial;
  }
  for (const Json& run : json_field(json, "runs")) trial.runs.push_back(run_in(run));
  if (trial.runs.empty()) fail_request("'runs' is empty");
  trial.mean = json_scores(json_field(json, "mean"));
  trial.deviation = json_scores(json_field(json, "deviation"));
  return trial;
}

struct LoggedTrial {
  Trial trial;
  Json options;
  std::string data_fingerprint;
};

LoggedTrial logged_trial(const std::string& line) {
  try {
    const Json json = Json::parse(line, nullptr, false);
    return {trial_in(json), renamed(json_field(json, "options")),
            json_text(json, "data_fingerprint")};
  } catch (const Error& error) {
    fail_request(About{.advice = "remove the line to run its trial again"},
                 "not a valid trial record ({})", error.message());
  }
}

// The values are those of the plan, which the line must agree with.
Trial trial_of_plan(LoggedTrial logged, const SweepPlan& plan) {
  Trial trial = std::move(logged.trial);
  if (trial.number > std::ssize(plan.trials) || trial.rung > std::ssize(plan.rungs))
    fail_request("trial {}, rung {}, does not exist: this sweep has {} and {}", trial.number,
                 trial.rung, counted(plan.trials.size(), "trial"),
                 counted(plan.rungs.size(), "rung"));
  trial.values = plan.trials[static_cast<std::size_t>(trial.number - 1)];
  if (logged.options != values_json(trial.values))
    fail_request("trial {} has {}, and in this sweep it is to have {}", trial.number,
                 logged.options.dump(-1, ' ', false, Json::error_handler_t::replace),
                 values_json(trial.values).dump());
  if (!same_data(logged.data_fingerprint, plan.data_fingerprint))
    fail_request(About{.option = "data",
                       .advice = worded("bring the former facts back, or name another $out")},
                 "trial {} was trained on other facts than those of {} (fingerprint {}, now {})",
                 trial.number, plan.options.fixed.data, logged.data_fingerprint,
                 plan.data_fingerprint);
  return trial;
}

// On the disk before runs go on from it, or are removed.
void append_durably(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == std::ssize(text) &&
                       ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!written)
    fail_broken(About{.place = {path.string()}}, "cannot be written ({})", std::strerror(reason));
}

void rank(std::vector<const Trial*>& trials) {
  std::ranges::sort(trials, [](const Trial* a, const Trial* b) {
    if (a->failed != b->failed) return b->failed;
    if (!a->failed && a->mean.mrr != b->mean.mrr) return a->mean.mrr > b->mean.mrr;
    return a->number < b->number;
  });
}

}  // namespace

Json trial_json(const Trial& trial) {
  Json json = {{"trial", trial.number},          {"rung", trial.rung},
               {"epochs", trial.epochs},         {"options", values_json(trial.values)},
               {"parameters", trial.parameters}, {"status", trial.failed ? "failed" : "done"},
               {"seconds", trial.seconds}};
  if (trial.failed) {
    json["reason"] = trial.reason;
    return json;
  }
  json["mean"] = scores_to_json(trial.mean);
  json["deviation"] = scores_to_json(trial.deviation);
  json["runs"] = Json::array();
  for (const TrialRun& run : trial.runs) json["runs"].push_back(run_json(run));
  return json;
}

TrialLog::TrialLog(std::filesystem::path file, const SweepPlan& plan)
    : file_(std::move(file)), data_fingerprint_(plan.data_fingerprint) {
  if (path_exists(file_)) read(plan);
}

void TrialLog::read(const SweepPlan& plan) {
  const std::string text(MappedFile(file_).text());
  std::size_t at = 0;
  for (std::uint64_t number = 1; at < text.size(); ++number) {
    const auto end = text.find('\n', at);
    if (end == std::string::npos) break;
    try {
      add(trial_of_plan(logged_trial(text.substr(at, end - at)), plan));
    } catch (const Error& error) {
      throw error.at({file_.string(), number});
    }
    at = end + 1;
  }
  if (at < text.size()) write_file_atomically(file_, std::string_view(text).substr(0, at));
}

void TrialLog::add(Trial trial) {
  const auto first = done_.find({trial.number, 1});
  trial.first_mrr = first == done_.end() ? trial.mean.mrr : first->second.mean.mrr;
  done_.insert_or_assign({trial.number, trial.rung}, std::move(trial));
}

void TrialLog::append(Trial trial) {
  Json json = trial_json(trial);
  json["data_fingerprint"] = data_fingerprint_;
  // A reason may name a path in any encoding.
  append_durably(file_, json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
  add(std::move(trial));
}

std::int64_t TrialLog::size_at(std::int64_t rung) const {
  return std::ranges::count_if(done_,
                               [&](const auto& entry) { return entry.first.second == rung; });
}

std::vector<const Trial*> TrialLog::ranked_at(std::int64_t rung) const {
  std::vector<const Trial*> trials;
  for (const auto& [key, trial] : done_)
    if (key.second == rung && !trial.failed) trials.push_back(&trial);
  rank(trials);
  return trials;
}

std::vector<const Trial*> TrialLog::ranked() const {
  std::vector<const Trial*> trials;
  for (const auto& [key, trial] : done_) {  // the rungs of a trial follow one another
    if (!trials.empty() && trials.back()->number == trial.number) trials.pop_back();
    trials.push_back(&trial);
  }
  rank(trials);
  return trials;
}

}  // namespace orrery
