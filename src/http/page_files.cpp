#include "http/page_files.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/sha256.h"

namespace orrery {
namespace {

std::string_view content_type(std::string_view name) {
  if (name.ends_with(".html")) return "text/html; charset=utf-8";
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  if (name.ends_with(".svg")) return "image/svg+xml";
  return "application/octet-stream";
}

}  // namespace

const PageFile* page_file_at(std::string_view path) {
  if (!path.starts_with('/')) return nullptr;
  const std::string_view name = path == "/" ? std::string_view("index.html") : path.substr(1);
  const auto files = built_in_page_files();
  const auto found = std::ranges::find(files, name, &PageFile::name);
  return found == files.end() ? nullptr : &*found;
}

HttpResponse page_response(const PageFile& file, const HttpRequest& request) {
  Sha256 hash;
  hash.update(file.text);
  const std::string tag = fmt::format("\"{}\"", hash.hex_digest().substr(0, 32));
  HttpResponse response{
      .status = 200,
      .content_type = std::string(content_type(file.name)),
      .body = {},
      .headers = {{"ETag", tag},
                  {"Cache-Control", "no-cache"},  // asks each time, and is told that it has it
                  {"Content-Security-Policy",
                   "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                   "connect-src 'self'; base-uri 'none'; form-action 'self'; "
                   "frame-ancestors 'none'"},
                  {"Referrer-Policy", "no-referrer"}}};
  const std::string* known = request.header("if-none-match");
  if (known && known->find(tag) != std::string::npos)
    response.status = 304;
  else
    response.body = file.text;
  return response;
}

}  // namespace orrery
