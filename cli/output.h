// All that the program prints: results on stdout, everything else on stderr. Printing never throws,
// so that a closed terminal or a full disk under a log cannot end a training.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace orrery {

// Before any file is opened: a closed stdin, stdout or stderr would hand its number to the next one
// opened, and messages would be written into a model. A broken pipe and a file-size limit become
// errors of the writes that meet them, where they killed the program.
void prepare_output();

// From now on nothing but errors goes to stderr.
void be_quiet();
bool is_quiet();
// The same, and no results either: another process speaks for this one.
void be_silent();

void write_to_stdout(std::string_view text);
void write_to_stderr(std::string_view text);

// Results. That some did not arrive is found out by finish_output().
template <class... Args>
void to_stdout(fmt::format_string<Args...> format, Args&&... args) {
  write_to_stdout(fmt::format(format, std::forward<Args>(args)...));
}

// Progress and messages, lost without a word where nobody takes them.
template <class... Args>
void to_stderr(fmt::format_string<Args...> format, Args&&... args) {
  if (is_quiet()) return;
  write_to_stderr(fmt::format(format, std::forward<Args>(args)...));
}

// What went wrong, on stderr; of nothing, nothing. Of an endless word, such as a path too long for
// the system, only the two ends are shown.
void complain(std::string_view message);

// `code`, or exit code 2 and a message when results could not be written. When their reader has
// gone away (`| head -1`), nobody wants the rest: a code of 0 becomes a quiet end by SIGPIPE.
int finish_output(int code);

}  // namespace orrery
