#include "study/sweep_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "api/scores.h"
#include "base/atomic_file.h"
#include "base/error.h"
#include "data/fingerprint.h"
#include "study/search_value.h"

namespace orrery {
namespace {

using Json = nlohmann::ordered_json;

Json values_json(const TrialValues& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) {
    const ValueKind kind = kind_of_option(name);
    const bool quoted = kind == ValueKind::text || kind == ValueKind::texts;
    json[name] = quoted ? Json(value) : Json::parse(value);
  }
  return json;
}

Json run_json(const TrialRun& run) {
  Json json = {{"seed", run.seed}};
  json.update(scores_json(run.valid));
  json["best_epoch"] = run.best_epoch;
  json["epochs_done"] = run.epochs_done;
  json["seconds"] = run.seconds;
  return json;
}
TrialRun run_in(const Json& json) {
  return {json.at("seed"), scores_from_json(json), json.at("best_epoch"), json.at("epochs_done"),
          json.at("seconds")};
}

// The values are those of the plan, which the line must agree with.
Trial trial_in(const Json& json, const SweepPlan& plan) {
  Trial trial;
  trial.number = json.at("trial");
  if (trial.number < 1 || trial.number > std::ssize(plan.trials))
    fail_request("trial {} is none of the {} of this sweep", trial.number, plan.trials.size());
  trial.values = plan.trials[static_cast<std::size_t>(trial.number - 1)];
  if (json.at("options") != values_json(trial.values))
    fail_request("trial {} has {}, and in this sweep it is to have {}", trial.number,
                 json.at("options").dump(), values_json(trial.values).dump());
  if (!same_data(json.at("data_fingerprint").get<std::string>(), plan.data_fingerprint))
    fail_request(
        "trial {} was trained on other facts than those of {} (fingerprint {}, now {}); bring the "
        "former facts back, or name another --out",
        trial.number, plan.options.fixed.data, json.at("data_fingerprint").get<std::string>(),
        plan.data_fingerprint);
  trial.parameters = json.at("parameters");
  trial.rung = json.at("rung");
  trial.epochs = json.at("epochs");
  trial.seconds = json.at("seconds");
  trial.failed = json.at("status") == "failed";
  if (trial.failed) {
    trial.reason = json.at("reason");
    return trial;
  }
  for (const Json& run : json.at("runs")) trial.runs.push_back(run_in(run));
  trial.mean = scores_from_json(json.at("mean"));
  trial.deviation = scores_from_json(json.at("deviation"));
  return trial;
}

// On the disk before runs go on from it, or are removed.
void append_durably(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  const bool written = file >= 0 && ::write(file, text.data(), text.size()) == std::ssize(text) &&
                       ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!written) fail_broken("{}: cannot be written ({})", path.string(), std::strerror(reason));
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
  json["mean"] = scores_json(trial.mean);
  json["deviation"] = scores_json(trial.deviation);
  json["runs"] = Json::array();
  for (const TrialRun& run : trial.runs) json["runs"].push_back(run_json(run));
  return json;
}

TrialLog::TrialLog(std::filesystem::path file, const SweepPlan& plan)
    : file_(std::move(file)), data_fingerprint_(plan.data_fingerprint) {
  if (std::filesystem::exists(file_)) read(plan);
}

void TrialLog::read(const SweepPlan& plan) {
  std::ifstream stream(file_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  std::size_t at = 0;
  for (int number = 1; at < text.size(); ++number) {
    const auto end = text.find('\n', at);
    if (end == std::string::npos) break;
    at_place(fmt::format("{}:{}", file_.string(), number), [&] {
      try {
        add(trial_in(Json::parse(text.substr(at, end - at)), plan));
      } catch (const Json::exception&) {
        fail_request("this is no line of a trial; remove it, and its trial is done again");
      }
    });
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
