// What stands at the other end of stdout.
#pragma once

#include <cstddef>

namespace orrery {

struct TerminalForm {
  std::size_t columns = 80;
  bool is_terminal = false;
  bool draws_blocks = false;  // a terminal, not a dumb one, in a UTF-8 locale
};
TerminalForm stdout_form();

// The width of the terminal behind `descriptor`, else $COLUMNS, else 80.
int terminal_columns(int descriptor);

}  // namespace orrery
