// A line of progress on stderr that rewrites itself, where there is a terminal that can do it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "output.h"

namespace orrery {

// A terminal that understands escapes: not `TERM=dumb`, not a file, not a pipe.
bool stderr_rewrites_lines();
inline constexpr std::string_view clear_line = "\r\033[K";

struct ProgressPart {
  std::string text;
  int rank = 0;  // where the line is too long, the parts of the highest rank are left out first
};

// What fits `columns` without touching the last one, where terminals would begin another line.
std::string fitted_line(std::span<const ProgressPart> parts, int columns);

class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  bool rewrites() const { return rewrites_; }
  void show(std::span<const ProgressPart> parts);  // nothing where lines cannot be rewritten
  void keep();                                     // as it is; what follows begins a new line
  void clear();

  // A message that stays, in the place of the progress.
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    clear();
    to_stderr(format, std::forward<Args>(args)...);
  }

 private:
  bool rewrites_ = stderr_rewrites_lines();
  bool shown_ = false;
};

}  // namespace orrery
