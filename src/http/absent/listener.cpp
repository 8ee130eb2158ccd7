// A build without cpp-httplib.
#include "http/listener.h"

#include "base/error.h"

namespace orrery {

void require_http() {
  fail_request(About{.advice = "install libcpp-httplib-dev and build again"},
               "this build cannot serve: it was built without cpp-httplib");
}

struct Listener::State {};

Listener::Listener(const std::string& /*host*/, int /*port*/, const ServeLimits& /*limits*/,
                   HttpHandler& /*handler*/) {
  require_http();
}
Listener::~Listener() = default;

int Listener::port() const { return 0; }
bool Listener::stop() { return true; }

}  // namespace orrery
