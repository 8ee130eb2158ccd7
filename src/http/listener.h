// Takes connections and speaks HTTP for a handler.
#pragma once

#include <memory>
#include <string>

#include "http/exchange.h"
#include "orrery/serve.h"

namespace orrery {

// A request Error where this build has no library for it.
void require_http();

class Listener {
 public:
  // Serves from now on. An address that is taken or is no address of this machine is a request
  // Error.
  Listener(const std::string& host, int port, const ServeLimits& limits, HttpHandler& handler);
  ~Listener();  // stops
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  int port() const;
  // No new connections; requests that have begun are answered, within the limit. True: all were.
  bool stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace orrery
