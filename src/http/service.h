// Requests in, responses out, without a socket: routing, checks, tokens, limits, counts and log.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "http/endpoints.h"
#include "http/exchange.h"
#include "http/guard.h"
#include "http/metrics.h"
#include "http/problem.h"
#include "http/served_model.h"
#include "orrery/serve.h"

namespace orrery {

class Service : public HttpHandler {
 public:
  // The models are in the order in which they are named; the first is the default.
  Service(const ServeOptions& options, Metrics& metrics,
          std::vector<std::unique_ptr<ServedModel>> models, ServeObserver* observer);

  std::optional<HttpResponse> answer_head(const HttpRequest& head) override;
  HttpResponse answer(const HttpRequest& request) override;
  HttpResponse refuse(int status, const HttpRequest& request) override;

  // For endpoints.
  ServedModel& model_named(const std::string& name) const;  // one of the table's choices
  std::span<const std::unique_ptr<ServedModel>> models() const { return models_; }
  std::span<const Endpoint> endpoints() const { return endpoints_; }
  const ServeLimits& limits() const { return options_.limits; }
  const Metrics& metrics() const { return metrics_; }
  bool wants_token() const { return !options_.token.empty(); }
  bool stopping() const { return stopping_; }
  void tell_fault(const std::string& fault) const;

  // From now on it is not ready.
  void begin_stop() { stopping_ = true; }

 private:
  const Endpoint* find(const HttpRequest& request) const;
  HttpResponse answer_get(const HttpRequest& head);
  HttpResponse call(const Endpoint& endpoint, std::span<const FieldValues> given, bool is_list,
                    RequestNotes& notes) const;
  HttpResponse guarded(const HttpRequest& request, auto&& work);
  HttpResponse finished(HttpResponse response, const HttpRequest& request,
                        const RequestNotes& notes);

  const ServeOptions options_;
  Metrics& metrics_;
  const std::vector<std::unique_ptr<ServedModel>> models_;
  const std::vector<std::string> names_;  // of the models
  const std::vector<Endpoint> endpoints_;
  ServeObserver* const observer_;
  const Guard guard_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace orrery
