// Who may ask: tokens, and the name under which the server is asked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/exchange.h"
#include "orrery/serve.h"

namespace orrery {

// Of this machine alone: 127.0.0.0/8, ::1 and localhost.
bool is_loopback(std::string_view host);

// The time it takes says nothing about where two texts differ.
bool same_secret(std::string_view a, std::string_view b);

class Guard {
 public:
  // A token that is too weak, or none where the host is no loopback, is a request Error.
  explicit Guard(const ServeOptions& options);

  // A page of the web can make a browser ask a name of its own that leads to this machine; so a
  // server on loopback answers to names that it knows only. Else a Problem.
  void check_host(const HttpRequest& request) const;
  void check_token(const HttpRequest& request) const;

 private:
  std::string token_;
  std::vector<std::string> names_;
  bool on_loopback_;
};

}  // namespace orrery
