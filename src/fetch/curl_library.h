// libcurl, loaded when something is fetched: it brings thirty libraries that nothing else needs.
#pragma once

#include <curl/curl.h>

namespace orrery {

struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) cleanup;
  decltype(&::curl_easy_perform) perform;
  decltype(&::curl_easy_strerror) strerror;
  CURLcode (*setopt)(CURL*, CURLoption, ...);
  CURLcode (*getinfo)(CURL*, CURLINFO, ...);
};

// A request Error where it is not installed.
const CurlLibrary& curl_library();

}  // namespace orrery
