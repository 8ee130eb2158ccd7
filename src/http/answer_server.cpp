// The server itself: alive, ready, counted and described.
#include "http/answers.h"
#include "http/openapi.h"
#include "http/service.h"

namespace orrery {

HttpResponse answer_health(const Service&, Given, bool, RequestNotes&) {
  return json_response({{"status", "alive"}});
}

HttpResponse answer_ready(const Service& service, Given, bool, RequestNotes&) {
  if (service.stopping()) throw Problem{503, "the server is stopping"};
  return json_response({{"status", "ready"}});
}

HttpResponse answer_metrics(const Service& service, Given, bool, RequestNotes&) {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8",
          .body = service.metrics().text()};
}

HttpResponse answer_openapi(const Service& service, Given, bool, RequestNotes&) {
  return json_response(openapi(service.endpoints(), service.limits(), service.wants_token()));
}

}  // namespace orrery
