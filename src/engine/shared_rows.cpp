#include "engine/shared_rows.h"

#include <exception>
#include <sstream>

#include "base/agreement.h"
#include "base/error.h"

namespace orrery {

// The leader may have exchanged values and averages; the others have not.
State SharedRows::told(State state) const {
  if (!is_swapped_ || is_of_optimizer(state)) return state;
  return state == State::value ? State::average : State::value;
}

void SharedRows::read(std::size_t table, State state, std::span<float> rows) const {
  if (!is_shared(table)) {
    here_.read_here(table, state, rows);
    return;
  }
  if (leads_alone_)
    blocks_.processes()->told_by_leader(
        fmt::format("read {} {}", table, static_cast<int>(told(state))));
  gather(table, state, rows);
}

// In logical order, from those who have them. Where one cannot read its own nobody gets any: what
// is read is saved.
void SharedRows::gather(std::size_t table, State state, std::span<float> rows) const {
  const auto width = static_cast<std::size_t>(tables_[table].width);
  std::vector<std::size_t> counts = blocks_.rows_by_process();
  for (std::size_t& count : counts) count *= width;
  std::vector<float> own(static_cast<std::size_t>(blocks_.own().count) * width);
  together(blocks_.processes(), [&] { here_.read_here(table, state, own); });
  blocks_.processes()->gather(std::span<const float>(own), counts, rows);
}

void SharedRows::write(std::size_t table, State state, std::span<const float> rows) {
  if (leads_alone_) {
    blocks_.processes()->told_by_leader(
        fmt::format("write {} {}", table, static_cast<int>(told(state))));
    std::vector<float> told(rows.size());
    blocks_.processes()->share(rows, std::span<float>(told));
  }
  here_.write_here(table, state, rows);
}

void SharedRows::lead(const std::function<void()>& action) {
  Communicator* processes = blocks_.processes();
  if (!blocks_.are_shared()) {
    action();
    return;
  }
  together(processes, [&] {
    if (!processes->leads()) {
      serve_leader();
      return;
    }
    leads_alone_ = true;
    const auto release = [&] {
      leads_alone_ = false;
      processes->told_by_leader("");
    };
    try {
      action();
    } catch (...) {
      release();
      throw;
    }
    release();
  });
}

// Until the leader has read and written enough. A failure waits until then.
void SharedRows::serve_leader() {
  std::exception_ptr failure;
  Communicator* processes = blocks_.processes();
  for (std::string asked; !(asked = processes->told_by_leader("")).empty();) {
    std::istringstream words(asked);
    std::string verb;
    std::size_t table = 0;
    int state = 0;
    words >> verb >> table >> state;
    const TableSpec& spec = tables_.at(table);
    std::vector<float> rows(static_cast<std::size_t>(spec.count) *
                            static_cast<std::size_t>(spec.width));
    const bool reads = verb == "read";
    if (!reads) processes->share(std::span<float>(rows));
    try {
      if (reads)
        gather(table, static_cast<State>(state), rows);
      else
        here_.write_here(table, static_cast<State>(state), rows);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace orrery
