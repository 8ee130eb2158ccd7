#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>

#include "base/error.h"
#include "http/guard.h"
#include "http/listener.h"
#include "http/model_file.h"
#include "http/service.h"
#include "orrery/serve.h"

namespace orrery {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

std::vector<std::string> names_of(std::span<const std::filesystem::path> runs) {
  std::vector<std::string> names;
  for (const auto& run : runs) names.push_back(served_name(run));
  return names;
}

std::vector<std::string> names_of(std::span<const NamedModel> models) {
  std::vector<std::string> names;
  for (const NamedModel& model : models) names.push_back(model.name);
  return names;
}

void check_names(std::span<const std::string> names) {
  if (names.empty()) fail_request("there is no model to serve");
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second)
      fail_request(About{.advice = "rename one of the directories"}, "two models are named '{}'",
                   name);
}

}  // namespace

struct Server::State {
  // Where a model came from.
  struct Watched {
    std::filesystem::path run;
    FileIdentity seen;
  };

  State(const ServeOptions& given, std::span<const std::string> names, ServeObserver* watching)
      : options(given), observer(watching), metrics(names) {
    require_http();
    check_names(names);
    const Guard wrong_options_are_refused_before_models_are_read(options);
  }

  // `before`: the version whose facts may be the same.
  std::unique_ptr<ModelVersion> open(const std::filesystem::path& run, bool verify,
                                     const ModelVersion* before, std::string& no_facts) {
    const Model model = Model::open(run, options.machine, verify, true);
    return std::make_unique<ModelVersion>(model, facts_of(model, before, no_facts), options.limits,
                                          metrics);
  }

  std::optional<Dataset> facts_of(const Model& model, const ModelVersion* before,
                                  std::string& no_facts) const {
    if (!options.facts) return {};
    if (before && before->facts &&
        before->model.card().data_fingerprint == model.card().data_fingerprint)
      return before->facts;
    try {
      return model.training_data();
    } catch (const Error& error) {
      no_facts = error.what();
      return {};
    }
  }

  void begin(std::vector<std::unique_ptr<ServedModel>> models) {
    service = std::make_unique<Service>(options, metrics, std::move(models), observer);
    listener = std::make_unique<Listener>(options.host, options.port, options.limits, *service);
    if (!watched.empty()) watcher = std::thread([this] { watch(); });
  }

  void watch() {
    std::unique_lock lock(mutex);
    while (!wake.wait_for(lock, options.watching, [this] { return ended; })) {
      lock.unlock();
      look(false);
      lock.lock();
    }
  }

  // Takes up files that have changed, or all.
  void look(bool at_all) {
    const std::lock_guard one_at_a_time(looking);
    for (std::size_t i = 0; i < watched.size(); ++i) {
      const FileIdentity found = file_identity(model_file_of_or_none(watched[i].run));
      if (found == watched[i].seen && !at_all) continue;
      watched[i].seen = found;
      exchange(*service->models()[i], watched[i].run);
    }
  }

  static std::filesystem::path model_file_of_or_none(const std::filesystem::path& run) {
    try {
      return model_file_of(run);
    } catch (const Error&) {
      return {};
    }
  }

  void exchange(ServedModel& served, const std::filesystem::path& run) {
    const auto begin = std::chrono::steady_clock::now();
    ModelChange change{served.name(), 0, {}, {}};
    try {
      const auto before = served.lend();
      served.put(open(run, true, &*before, change.no_facts));
    } catch (const std::exception& error) {
      change.problem = error.what();
    }
    change.seconds = seconds_since(begin);
    tell(change);
  }

  void tell(const ModelChange& change) {
    metrics.count_load(change.model, change.problem.empty(), change.seconds);
    if (observer) observer->on_model(change);
  }

  bool stop() {
    {
      const std::lock_guard lock(mutex);
      ended = true;
    }
    wake.notify_all();
    if (watcher.joinable()) watcher.join();
    if (service) service->begin_stop();
    return !listener || listener->stop();
  }

  const ServeOptions options;
  ServeObserver* const observer;
  Metrics metrics;
  std::vector<Watched> watched;  // in the order of the models; empty: they are in memory
  std::unique_ptr<Service> service;
  std::unique_ptr<Listener> listener;

  std::thread watcher;
  std::mutex mutex, looking;
  std::condition_variable wake;
  bool ended = false;
};

Server::Server(std::span<const std::filesystem::path> runs, const ServeOptions& options,
               ServeObserver* observer)
    : state_(std::make_unique<State>(options, names_of(runs), observer)) {
  std::vector<std::unique_ptr<ServedModel>> models;
  for (const auto& run : runs) {
    const auto begin = std::chrono::steady_clock::now();
    // Looked at first: what comes while it is opened is a change.
    state_->watched.push_back({std::filesystem::absolute(run), file_identity(model_file_of(run))});
    ModelChange change{served_name(run), 0, {}, {}};
    models.push_back(std::make_unique<ServedModel>(
        change.model, state_->open(run, state_->options.verify, nullptr, change.no_facts)));
    change.seconds = seconds_since(begin);
    state_->tell(change);
  }
  state_->begin(std::move(models));
}

Server::Server(std::span<const NamedModel> given, const ServeOptions& options,
               ServeObserver* observer)
    : state_(std::make_unique<State>(options, names_of(given), observer)) {
  std::vector<std::unique_ptr<ServedModel>> models;
  for (const NamedModel& one : given)
    models.push_back(std::make_unique<ServedModel>(
        one.name,
        std::make_unique<ModelVersion>(one.model, one.facts, options.limits, state_->metrics)));
  state_->begin(std::move(models));
}

Server::~Server() {
  if (state_) state_->stop();
}

int Server::port() const { return state_->listener->port(); }

std::string Server::url() const {
  const std::string& host = state_->options.host;
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format("http://{}:{}", is_ipv6 ? "[" + host + "]" : host, port());
}

void Server::reload() { state_->look(true); }

bool Server::stop() { return state_->stop(); }

}  // namespace orrery
