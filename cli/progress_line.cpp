#include "progress_line.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "characters.h"
#include "page/text_table.h"
#include "terminal.h"

namespace orrery {
namespace {

std::string joined(std::span<const ProgressPart> parts, int highest_rank) {
  std::string line;
  for (const ProgressPart& part : parts)
    if (part.rank <= highest_rank) line += part.text;
  return line;
}

}  // namespace

bool stderr_rewrites_lines() {
  if (isatty(STDERR_FILENO) != 1) return false;
  const char* term = std::getenv("TERM");
  const std::string_view kind = term == nullptr ? "" : term;
  return !kind.empty() && kind != "dumb";
}

std::string fitted_line(std::span<const ProgressPart> parts, int columns) {
  const auto room = static_cast<std::size_t>(std::max(0, columns - 1));
  int rank = 0;
  for (const ProgressPart& part : parts) rank = std::max(rank, part.rank);
  std::string line = joined(parts, rank);
  while (characters_of(line) > room && rank > 0) line = joined(parts, --rank);
  while (characters_of(line) > room) line.resize(character_begin(line, line.size() - 1));
  return line;
}

void ProgressLine::show(std::span<const ProgressPart> parts) {
  if (!rewrites_) return;
  to_stderr("{}{}", clear_line,
            fitted_line(parts, terminal_columns(STDERR_FILENO)));  // windows are resized
  shown_ = true;
}

void ProgressLine::keep() {
  if (shown_) to_stderr("\n");
  shown_ = false;
}

void ProgressLine::clear() {
  if (shown_) to_stderr("{}", clear_line);
  shown_ = false;
}

}  // namespace orrery
