#include "base/agreement.h"

#include <exception>

#include "base/error.h"

namespace orrery {
namespace {

bool is_shared(const Communicator* processes) {
  return processes != nullptr && processes->size() > 1;
}

// How an action ended, as all processes are told: its kind, then its text; empty: well.
std::string told(Error::Kind kind, std::string_view text) {
  return fmt::format("{}{}", static_cast<int>(kind), text);
}
Error::Kind kind_in(const std::string& told) { return static_cast<Error::Kind>(told[0] - '0'); }

}  // namespace

std::string name_of_rank(int rank, int size) { return fmt::format("rank {} of {}", rank, size); }

void together(Communicator* processes, const std::function<void()>& action) {
  if (!is_shared(processes)) {
    action();
    return;
  }
  std::string ending;
  std::exception_ptr failure;
  try {
    action();
  } catch (const Error& error) {
    failure = std::current_exception();
    ending = told(error.kind(), error.text(OptionStyle::flag));
  } catch (const std::bad_alloc&) {
    failure = std::current_exception();
    ending = told(Error::Kind::broken, "out of memory");
  } catch (const std::exception& error) {
    failure = std::current_exception();
    ending = told(Error::Kind::broken, error.what());
  }
  const std::vector<std::string> endings = processes->texts(ending);
  if (processes->leads() && failure) std::rethrow_exception(failure);
  for (std::size_t rank = 0; rank < endings.size(); ++rank) {
    if (endings[rank].empty()) continue;
    const std::string text = endings[rank].substr(1);
    const std::string name = name_of_rank(static_cast<int>(rank), processes->size());
    throw Error(kind_in(endings[rank]), rank == 0 ? text : fmt::format("{}: {}", name, text));
  }
}

void by_leader(Communicator* processes, const std::function<void()>& action) {
  together(processes, [&] {
    if (processes == nullptr || processes->leads()) action();
  });
}

void require_same(Communicator* processes, std::string_view what, std::string_view own,
                  const std::string& advice) {
  if (!is_shared(processes)) return;
  const std::vector<std::string> all = processes->texts(own);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      fail_request(About{.advice = advice}, "{} has another {} ({}; the leader {})",
                   name_of_rank(static_cast<int>(rank), processes->size()), what, all[rank],
                   all[0]);
}

}  // namespace orrery
