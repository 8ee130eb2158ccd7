#include "http/guard.h"

#include <algorithm>
#include <cstddef>

#include "base/error.h"
#include "http/problem.h"

namespace orrery {
namespace {

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return small;
}

// "name:8080" and "[::1]:8080" without the port and the brackets.
std::string without_port(std::string_view host) {
  if (host.starts_with('[')) return in_small_letters(host.substr(1, host.find(']') - 1));
  return in_small_letters(host.substr(0, host.find(':')));
}

}  // namespace

bool is_loopback(std::string_view host) {
  if (host == "localhost" || host == "::1") return true;
  if (!host.starts_with("127.")) return false;
  return std::ranges::count(host, '.') == 3 &&
         host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^
                  static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

Guard::Guard(const ServeOptions& options)
    : token_(options.token), on_loopback_(is_loopback(options.host)) {
  constexpr std::size_t shortest = 16;
  if (token_.empty() && !on_loopback_)
    fail_request(About{.option = "token-file",
                       .advice = worded("give one by $token-file FILE or by ORRERY_TOKEN in the "
                                        "environment, or serve on 127.0.0.1")},
                 "{} can be reached from other machines, so a token is required", options.host);
  if (!token_.empty() && token_.size() < shortest)
    fail_request(About{.option = "token-file", .advice = "take 32 random characters"},
                 "the token has fewer than {} characters", shortest);
  if (std::ranges::any_of(token_, [](char c) { return c <= ' ' || c > '~'; }))
    fail_request(About{.option = "token-file", .advice = "take letters and digits"},
                 "the token holds blanks or characters beyond ASCII");
  names_.push_back(in_small_letters(options.host));
  for (const std::string& name : options.host_names) names_.push_back(in_small_letters(name));
}

void Guard::check_host(const HttpRequest& request) const {
  const std::string* host = request.header("host");
  if (!host) throw Problem{400, "the request has no Host header"};
  if (!on_loopback_) return;
  const std::string name = without_port(*host);
  if (!is_loopback(name) && std::ranges::find(names_, name) == names_.end())
    throw Problem{403, "this server does not answer to that host name", "",
                  "ask it as localhost, or start it with --allow-host NAME"};
}

void Guard::check_token(const HttpRequest& request) const {
  if (token_.empty()) return;
  constexpr std::string_view scheme = "bearer ";
  const std::string* given = request.header("authorization");
  if (given && in_small_letters(given->substr(0, scheme.size())) == scheme &&
      same_secret(token_, std::string_view(*given).substr(scheme.size())))
    return;
  throw Problem{401, given ? "the token is wrong" : "a token is required", "",
                "send the header \"Authorization: Bearer TOKEN\""};
}

}  // namespace orrery
