// orrery serve
#include "orrery/serve.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "output.h"
#include "refuse.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* serve_device = "cpu";

struct ServeCall {
  OptionChanges typed;
  std::vector<std::string> runs;
  ServeOptions options;
  std::string token_file, log;
  bool json = false;
};

// A line of JSON for each thing that happens, on stderr or in a file.
class ServeLog : public ServeObserver {
 public:
  explicit ServeLog(std::string file) : file_(std::move(file)) { reopen(); }
  ~ServeLog() override {
    if (out_ >= 0) close(out_);
  }
  ServeLog(const ServeLog&) = delete;
  ServeLog& operator=(const ServeLog&) = delete;

  // After the file was moved away, as programs that rotate logs do.
  void reopen() {
    if (file_.empty()) return;
    const int next = open(file_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0640);
    const std::lock_guard lock(mutex_);
    if (next < 0 && out_ < 0) refuse("{}: cannot be written; check --log", file_);
    if (next < 0) return;
    if (out_ >= 0) close(out_);
    out_ = next;
  }

  void on_request(const ServedRequest& request) override {
    if (file_.empty() && is_quiet()) return;
    nlohmann::ordered_json line = {
        {"time", written(request.when)}, {"event", "request"},
        {"method", request.method},      {"path", request.path},
        {"status", request.status},      {"ms", std::round(request.seconds * 1e6) / 1e3}};
    if (request.questions > 0) line["questions"] = request.questions;
    if (!request.model.empty()) line["model"] = request.model;
    write_line(line);
  }

  void on_model(const ModelChange& change) override {
    nlohmann::ordered_json line = {{"time", written(std::chrono::system_clock::now())},
                                   {"event", change.problem.empty() ? "model" : "model refused"},
                                   {"model", change.model},
                                   {"ms", std::round(change.seconds * 1e6) / 1e3}};
    if (!change.problem.empty()) line["problem"] = change.problem;
    if (!change.no_facts.empty()) line["without_facts"] = change.no_facts;
    write_line(line);
  }

  void on_fault(const std::string& fault) override {
    write_line({{"time", written(std::chrono::system_clock::now())},
                {"event", "fault"},
                {"problem", fault}});
  }

 private:
  static std::string written(std::chrono::system_clock::time_point when) {
    const auto parts = when.time_since_epoch();
    const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(parts) % 1000;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(when)),
                       milliseconds.count());
  }

  void write_line(const nlohmann::ordered_json& json) {
    const std::string line =
        json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    const std::lock_guard lock(mutex_);
    if (file_.empty())
      to_stderr("{}", line);
    else
      append(torn_ ? "\n" + line : line);
  }

  // A full disk is told once, not with every request, and what it has cut off stays a line of its
  // own.
  void append(const std::string& line) {
    const ssize_t sent = write(out_, line.data(), line.size());
    const bool all = sent == static_cast<ssize_t>(line.size());
    if (!all && !failing_)
      to_stderr("the log {} cannot be written; requests are answered all the same\n", file_);
    failing_ = !all;
    torn_ = all ? false : torn_ || sent > 0;
  }

  std::string file_;
  std::mutex mutex_;
  int out_ = -1;
  bool failing_ = false, torn_ = false;
};

std::string token_of(const std::string& file) {
  if (file.empty()) {
    const char* const token = std::getenv("ORRERY_TOKEN");
    return token ? token : "";
  }
  std::ifstream in(file);
  std::string token;
  if (!std::getline(in, token)) refuse("{}: there is no token in its first line", file);
  while (!token.empty() && (token.back() == '\r' || token.back() == ' ')) token.pop_back();
  return token;
}

sigset_t serve_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&signals, signal);
  return signals;
}

// Until a signal says to end. A hang-up, as daemons have it, says to read everything again.
void serve_until_told(Server& server, ServeLog& log, const sigset_t& signals) {
  while (true) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (signal != SIGHUP) break;
    log.reopen();
    server.reload();
  }
  pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // a second Ctrl-C ends at once
  to_stderr("finishing what is in flight\n");
  if (!server.stop()) to_stderr("some requests took too long and were cut off\n");
}

// A thread a connection, each with a heap of its own, would take minutes to stop growing. Heaps as
// many as cores are as fast.
void share_heaps() {
#ifdef M_ARENA_MAX
  mallopt(M_ARENA_MAX, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
#endif
}

void run_serve(ServeCall& call) {
  share_heaps();
  const sigset_t signals = serve_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);  // in the threads to come as well
  call.options.machine = machine_options(call.typed, serve_device);
  call.options.token = token_of(call.token_file);
  ServeLog log(call.log);
  const std::vector<std::filesystem::path> runs(call.runs.begin(), call.runs.end());
  Server server(runs, call.options, &log);
  to_stderr("serving {} at {} (Ctrl-C ends)\n", fmt::join(call.runs, ", "), server.url());
  if (call.json) {
    print_json(nlohmann::ordered_json{{"url", server.url()}, {"port", server.port()}});
    std::fflush(stdout);
  }
  serve_until_told(server, log, signals);
}

}  // namespace

void add_serve(CLI::App& app) {
  auto* verb =
      app.add_subcommand("serve", "Answer questions over HTTP, with a page to ask them on");
  const auto call = std::make_shared<ServeCall>();
  ServeOptions& options = call->options;
  verb->add_option("runs", call->runs,
                   "run directories, or model files; the first is asked where none is named")
      ->type_name("PATH")
      ->required();
  verb->add_option("--host", options.host,
                   "address to listen at; another than this machine's own requires a token")
      ->type_name("ADDRESS")
      ->capture_default_str();
  verb->add_option("--port", options.port, "port to listen at; 0: any free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  verb->add_option(
          "--token-file", call->token_file,
          "file whose first line clients must send as a bearer token (or set ORRERY_TOKEN)")
      ->type_name("FILE");
  verb->add_option("--allow-host", options.host_names,
                   "a further name that clients may use for this server, such as a proxy's")
      ->type_name("NAME");
  verb->add_option("--log", call->log, "file for a line of JSON per request; without it, stderr")
      ->type_name("FILE");
  verb->add_option("--max-connections", options.limits.connections, "connections at once")
      ->check(CLI::Range(1, 900))
      ->capture_default_str();
  verb->add_option("--max-body", options.limits.body_bytes, "bytes of a request's body")
      ->check(CLI::Range(1024, 1 << 30))
      ->capture_default_str();
  verb->add_option("--max-questions", options.limits.questions, "questions in one request")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_option("--max-top", options.limits.top, "answers per question")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  verb->add_flag_callback(
      "--no-facts", [&options] { options.facts = false; },
      "do not read the facts that models were trained on; known answers are not marked");
  add_no_verify(*verb, options.verify);
  verb->add_flag("--json", call->json, "print where it listens as JSON, once it does");
  add_machine_options(*verb, call->typed, serve_device);
  end_help(
      *verb,
      "A model file that changes is opened, verified and taken up while requests go on; SIGHUP "
      "does it at\nonce. SIGTERM and Ctrl-C finish what is in flight.",
      {"orrery serve runs/a", "orrery serve runs/a runs/b --port 9000"});
  verb->callback([call] { run_serve(*call); });
}

}  // namespace orrery
