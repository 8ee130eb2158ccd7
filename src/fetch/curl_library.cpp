#include "fetch/curl_library.h"

#include <dlfcn.h>

#include "base/error.h"
#include "base/loaded_library.h"

namespace orrery {
namespace {

About without_curl() {
  return {.option = "from",
          .advice = "install libcurl, or download the files and name their directory"};
}

void* open_curl() {
  constexpr int flags = RTLD_NOW | RTLD_LOCAL;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"})
    if (void* library = dlopen(name, flags)) return library;
  fail_request(without_curl(), "nothing can be downloaded: libcurl is not installed ({})",
               dlerror());
}

template <class Function>
void find_in(void* library, const char* name, Function& function) {
  if (!find_function(library, name, function))
    fail_request(without_curl(), "libcurl has no function {}", name);
}

CurlLibrary load_curl() {
  void* library = open_curl();
  CurlLibrary curl{};
  find_in(library, "curl_global_init", curl.global_init);
  find_in(library, "curl_easy_init", curl.easy_init);
  find_in(library, "curl_easy_cleanup", curl.cleanup);
  find_in(library, "curl_easy_perform", curl.perform);
  find_in(library, "curl_easy_strerror", curl.strerror);
  find_in(library, "curl_easy_setopt", curl.setopt);
  find_in(library, "curl_easy_getinfo", curl.getinfo);
  return curl;
}

}  // namespace

const CurlLibrary& curl_library() {
  static const CurlLibrary loaded = load_curl();
  return loaded;
}

}  // namespace orrery
