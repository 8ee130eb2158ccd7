// The page at "/": files that are part of the program.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "http/exchange.h"

namespace orrery {

struct PageFile {
  std::string_view name;  // within src/http/page
  std::string_view text;
};

std::span<const PageFile> built_in_page_files();  // in a source that the build makes

// Of a path such as "/" (index.html) or "/style.css"; null: there is none.
const PageFile* page_file_at(std::string_view path);

// With its type, an ETag, and a policy that lets the page load nothing but its own files.
HttpResponse page_response(const PageFile& file, const HttpRequest& request);

}  // namespace orrery
