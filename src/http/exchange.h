// A request and its response, whatever library speaks HTTP.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace orrery {

using HttpPairs = std::vector<std::pair<std::string, std::string>>;

struct HttpRequest {
  std::string method;
  std::string path;                                  // decoded, without the query
  HttpPairs query;                                   // decoded
  HttpPairs headers;                                 // names in lower case
  std::string body;                                  // empty while only the head is there
  std::chrono::steady_clock::time_point begun = {};  // when its first byte was there

  // The first of a name, in lower case; null: there is none.
  const std::string* header(std::string_view name) const {
    const auto found = std::ranges::find(headers, name, &HttpPairs::value_type::first);
    return found == headers.end() ? nullptr : &found->second;
  }
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  HttpPairs headers = {};
};

// Asked from many threads at once. No function throws.
class HttpHandler {
 public:
  virtual ~HttpHandler() = default;
  // With the head alone: an answer that needs no body, or none, and then the body is read.
  virtual std::optional<HttpResponse> answer_head(const HttpRequest& head) = 0;
  virtual HttpResponse answer(const HttpRequest& request) = 0;
  // For a request that is broken or too large; of it only what was understood is there.
  virtual HttpResponse refuse(int status, const HttpRequest& request) = 0;
};

}  // namespace orrery
