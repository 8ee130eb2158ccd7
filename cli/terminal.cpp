#include "terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace orrery {
namespace {

constexpr int usual_columns = 80;

std::string_view environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The first of these that is set decides, as in every program.
bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string_view value = environment(name);
    if (value.empty()) continue;
    for (const std::string_view form : {"UTF-8", "utf-8", "UTF8", "utf8"})
      if (value.find(form) != std::string_view::npos) return true;
    return false;
  }
  return false;
}

}  // namespace

int terminal_columns(int descriptor) {
  winsize size{};
  if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const std::string_view text = environment("COLUMNS");
  int columns = 0;
  std::from_chars(text.data(), text.data() + text.size(), columns);
  return columns > 0 ? columns : usual_columns;
}

TerminalForm stdout_form() {
  const bool terminal = isatty(STDOUT_FILENO) == 1;
  const std::string_view kind = environment("TERM");
  return {.columns = static_cast<std::size_t>(terminal_columns(STDOUT_FILENO)),
          .is_terminal = terminal,
          .draws_blocks = terminal && !kind.empty() && kind != "dumb" && locale_is_utf8()};
}

}  // namespace orrery
