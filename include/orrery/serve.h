// A server of trained models over HTTP: questions and answers as JSON, and a page to ask them on.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orrery/dataset.h"
#include "orrery/model.h"

namespace orrery {

// What one client, or many, may ask for. What is beyond is refused with a sentence.
struct ServeLimits {
  // At once; each has a thread of its own. One more takes the place of the one that has been silent
  // for longest, if it was so for a second.
  std::size_t connections = 256;
  std::size_t header_bytes = 16 * 1024;         // of a request: its first line and headers
  std::size_t body_bytes = 1024 * 1024;         // of a request
  std::size_t questions = 256;                  // in one request
  std::size_t waiting = 4096;                   // questions that wait for one model
  std::size_t top = 1000;                       // answers per question
  std::size_t names = 10000;                    // in one list of names
  std::chrono::milliseconds reading{10'000};    // for a request to arrive
  std::chrono::milliseconds answering{30'000};  // for its questions to have their turn
  std::chrono::milliseconds idle{60'000};       // of a connection without a request
  std::chrono::milliseconds draining{10'000};   // for what is in flight when the server stops
};

struct ServeOptions {
  std::string host = "127.0.0.1";  // elsewhere than on loopback a token is required
  int port = 8080;                 // 0: any free one
  // What clients must send ("Authorization: Bearer …"); empty: nothing. Of printable characters
  // without blanks, at least 16.
  std::string token = {};
  // Names beside localhost and `host` that a request may be addressed to, such as a proxy's.
  std::vector<std::string> host_names = {};
  // Models know the facts they were trained on, where these are still found: answers are marked.
  bool facts = true;
  bool verify = true;  // compare checksums when a model is opened; a changed file's always are
  MachineOptions machine = {};
  std::chrono::milliseconds watching{1'000};  // how often model files are looked at
  ServeLimits limits = {};
};

// A request that was answered. It says nothing of what was asked.
struct ServedRequest {
  std::chrono::system_clock::time_point when;
  std::string method, path;  // the path without its query; "unknown" where the server has no such
  int status = 0;
  double seconds = 0;
  std::size_t questions = 0;
  std::string model;  // empty: no model was asked
};

// A model file that was opened, at first or in place of another, or that could not be.
struct ModelChange {
  std::string model;
  double seconds = 0;
  std::string problem;   // empty: it is in use now; else the one before goes on
  std::string no_facts;  // why it has no facts; empty: it has, or none were wanted
};

// What happens, for logs. Called from several threads at once.
class ServeObserver {
 public:
  virtual ~ServeObserver() = default;
  virtual void on_request(const ServedRequest&) {}
  virtual void on_model(const ModelChange&) {}
  // Something that the server survived but nobody expected.
  virtual void on_fault(const std::string&) {}
};

struct NamedModel {
  std::string name;
  Model model;
  std::optional<Dataset> facts = {};  // that it was trained on, and all that are known
};

// Serves from its construction until stop() or its end. The first model is the default.
class Server {
 public:
  // Run directories or model files, called by their directory's name. Changed files are opened,
  // verified and taken up while requests go on.
  Server(std::span<const std::filesystem::path> runs, const ServeOptions& options = {},
         ServeObserver* observer = nullptr);
  // Models in memory.
  Server(std::span<const NamedModel> models, const ServeOptions& options = {},
         ServeObserver* observer = nullptr);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  std::string url() const;  // "http://127.0.0.1:8080"
  // Opens all model files again, changed or not, and returns when it is done.
  void reload();
  // Takes no more requests, answers those in flight, and ends; true: within the limit.
  bool stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
