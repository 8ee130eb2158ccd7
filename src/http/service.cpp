#include "http/service.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>

#include "base/spelling.h"
#include "http/page_files.h"

namespace orrery {
namespace {

HttpResponse response_of(const Problem& problem) {
  HttpResponse response = json_response(json_of(problem), problem.status);
  if (problem.status == 401) response.headers.emplace_back("WWW-Authenticate", "Bearer");
  if (problem.status == 429 || problem.status == 503)
    response.headers.emplace_back("Retry-After", "1");
  return response;
}

bool is_get(const HttpRequest& request) {
  return request.method == "GET" || request.method == "HEAD";
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() < 19 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::size_t count_of(const HttpRequest& request, std::string_view name) {
  return static_cast<std::size_t>(
      std::ranges::count(request.headers, name, &HttpPairs::value_type::first));
}

// Two servers that read one request differently can be played against each other, so whatever
// could be read in two ways is refused.
void check_framing(const HttpRequest& head) {
  const std::size_t lengths = count_of(head, "content-length");
  const std::string* length = head.header("content-length");
  const std::string* encoding = head.header("transfer-encoding");
  if (lengths > 1 || (length && encoding) || count_of(head, "transfer-encoding") > 1 ||
      count_of(head, "host") > 1)
    throw Problem{400, "the request says twice how long it is, or whom it is for"};
  if (length && !is_number(*length)) throw Problem{400, "Content-Length is no number"};
  if (encoding && *encoding != "chunked")
    throw Problem{400, "Transfer-Encoding can only be 'chunked'"};
}

void check_body(const HttpRequest& head, std::size_t most) {
  const std::string* type = head.header("content-type");
  const std::string kind = type ? type->substr(0, type->find(';')) : "";
  // Anything else could be sent by any page of the web without asking first.
  if (kind != "application/json" && kind != "application/json ")
    throw Problem{415, "the body must be JSON", "",
                  "send the header \"Content-Type: application/json\""};
  if (const std::string* coding = head.header("content-encoding"); coding && *coding != "identity")
    throw Problem{415, "the body must not be compressed"};
  const std::string* length = head.header("content-length");
  if (!length && !head.header("transfer-encoding"))
    throw Problem{411, "the request has no Content-Length"};
  if (length && std::stoull(*length) > most)
    throw Problem{413, fmt::format("the body is larger than {} bytes", most)};
}

std::vector<std::string> names_of(std::span<const std::unique_ptr<ServedModel>> models) {
  std::vector<std::string> names;
  for (const auto& model : models) names.push_back(model->name());
  return names;
}

Problem problem_of_status(int status, const ServeLimits& limits) {
  switch (status) {
    case 408:
      return {408, "the request took too long to arrive"};
    case 413:
      return {413, fmt::format("the body is larger than {} bytes", limits.body_bytes)};
    case 414:
      return {414, "the address is too long"};
    case 416:
      return {416, "parts of an answer cannot be asked for"};
    case 431:
      return {431, fmt::format("the headers are larger than {} bytes", limits.header_bytes)};
    case 500:
      return {500, "the server could not answer this; its log says why"};
    case 503:
      return {503, "there are too many connections", "", "try again later"};
    default:
      return {400, "this is not a request in HTTP"};
  }
}

}  // namespace

Service::Service(const ServeOptions& options, Metrics& metrics,
                 std::vector<std::unique_ptr<ServedModel>> models, ServeObserver* observer)
    : options_(options),
      metrics_(metrics),
      models_(std::move(models)),
      names_(names_of(models_)),
      endpoints_(all_endpoints(options_.limits, names_)),
      observer_(observer),
      guard_(options_) {}

// Whatever goes wrong becomes a response, and nothing of the machine is told.
HttpResponse Service::guarded(const HttpRequest& request, auto&& work) {
  const Metrics::InFlight counted(metrics_);
  RequestNotes notes;
  HttpResponse response;
  try {
    response = work(notes);
  } catch (const Problem& problem) {
    response = response_of(problem);
  } catch (const Error& error) {
    const Problem problem = problem_of(error);
    if (problem.status >= 500) tell_fault(error.what());
    response = response_of(problem);
  } catch (const std::exception& error) {
    tell_fault(error.what());
    response = response_of(problem_of_status(500, limits()));
  }
  return finished(std::move(response), request, notes);
}

std::optional<HttpResponse> Service::answer_head(const HttpRequest& head) {
  const Endpoint* const endpoint = find(head);
  bool wants_body = false;
  HttpResponse response;
  try {
    check_framing(head);
    guard_.check_host(head);
    const bool open = endpoint ? endpoint->open : page_file_at(head.path) != nullptr;
    if (!open) guard_.check_token(head);
    wants_body = endpoint && endpoint->method == "POST";
    if (wants_body) check_body(head, limits().body_bytes);
  } catch (const Problem& problem) {
    return finished(response_of(problem), head, {});
  }
  if (wants_body) return {};
  return answer_get(head);
}

HttpResponse Service::answer_get(const HttpRequest& head) {
  return guarded(head, [&](RequestNotes& notes) -> HttpResponse {
    if (const Endpoint* endpoint = find(head)) {
      const FieldValues given = read_fields(endpoint->fields, head.query);
      return call(*endpoint, std::span(&given, 1), false, notes);
    }
    const PageFile* file = page_file_at(head.path);
    if (file && is_get(head)) return page_response(*file, head);
    std::vector<std::string> allowed;
    for (const Endpoint& endpoint : endpoints_)
      if (endpoint.path == head.path) allowed.emplace_back(endpoint.method);
    if (file) allowed.emplace_back("GET");
    if (allowed.empty())
      throw Problem{404, "there is nothing at this path", "", "see /openapi.json"};
    if (std::ranges::find(allowed, "GET") != allowed.end()) allowed.emplace_back("HEAD");
    HttpResponse response = response_of({405, "this path takes other methods", "",
                                         fmt::format("use {}", fmt::join(allowed, " or "))});
    response.headers.emplace_back("Allow", fmt::format("{}", fmt::join(allowed, ", ")));
    return response;
  });
}

HttpResponse Service::answer(const HttpRequest& request) {
  return guarded(request, [&](RequestNotes& notes) -> HttpResponse {
    const Endpoint& endpoint = *find(request);
    if (!request.query.empty())
      throw Problem{422, "this path takes its fields in the body, not in the address"};
    const nlohmann::json body = read_json_body(request.body);
    std::vector<FieldValues> given;
    if (!body.is_array() || !endpoint.takes_list) {
      given.push_back(read_fields(endpoint.fields, body));
      return call(endpoint, given, false, notes);
    }
    if (body.size() > limits().questions)
      throw Problem{
          413, fmt::format("there are more than {} questions in this request", limits().questions)};
    for (const auto& one : body) try {
        given.push_back(read_fields(endpoint.fields, one));
      } catch (Problem& problem) {
        problem.message = fmt::format("question {}: {}", given.size() + 1, problem.message);
        throw;
      }
    return call(endpoint, given, true, notes);
  });
}

HttpResponse Service::refuse(int status, const HttpRequest& request) {
  return finished(response_of(problem_of_status(status, limits())), request, {});
}

HttpResponse Service::call(const Endpoint& endpoint, std::span<const FieldValues> given,
                           bool is_list, RequestNotes& notes) const {
  return endpoint.answer(*this, given, is_list, notes);
}

const Endpoint* Service::find(const HttpRequest& request) const {
  const std::string method = request.method == "HEAD" ? "GET" : request.method;
  const auto found = std::ranges::find_if(endpoints_, [&](const Endpoint& one) {
    return one.path == request.path && one.method == method;
  });
  return found == endpoints_.end() ? nullptr : &*found;
}

ServedModel& Service::model_named(const std::string& name) const {
  return *models_[static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin())];
}

void Service::tell_fault(const std::string& fault) const {
  if (observer_) observer_->on_fault(fault);
}

HttpResponse Service::finished(HttpResponse response, const HttpRequest& request,
                               const RequestNotes& notes) {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (response.content_type == "application/json")
    response.headers.emplace_back("Cache-Control", "no-store");
  const auto now = std::chrono::steady_clock::now();
  const bool timed = request.begun != std::chrono::steady_clock::time_point();
  const double seconds = timed ? std::chrono::duration<double>(now - request.begun).count() : 0;
  const bool known = page_file_at(request.path) ||
                     std::ranges::any_of(
                         endpoints_, [&](const Endpoint& one) { return one.path == request.path; });
  const std::string path = known ? request.path : "unknown";
  metrics_.count_request(path, response.status, seconds);
  if (observer_)
    observer_->on_request({.when = std::chrono::system_clock::now(),
                           .method = request.method.substr(0, 16),
                           .path = path,
                           .status = response.status,
                           .seconds = seconds,
                           .questions = notes.questions,
                           .model = notes.model});
  return response;
}

}  // namespace orrery
