#include "base/agreement.h"

#include <exception>

#include "base/error.h"

namespace orrery {
namespace {

bool is_shared(const Communicator* processes) {
  return processes != nullptr && processes->size() > 1;
}

// How an action ended, as all processes are told: a mark, and where it failed its kind and its
// text.
constexpr std::string_view mark_of_ending = "ending ";

std::string told(Error::Kind kind, std::string_view text) {
  return fmt::format("{}{}{}", mark_of_ending, static_cast<int>(kind), text);
}
bool is_well(std::string_view told) { return told == mark_of_ending; }
Error::Kind kind_in(std::string_view told) {
  return static_cast<Error::Kind>(told[mark_of_ending.size()] - '0');
}
std::string_view text_in(std::string_view told) { return told.substr(mark_of_ending.size() + 1); }

// Where one failed before an exchange that the others are still at, what they say is another thing.
std::vector<std::string> endings_of_all(Communicator& processes, const std::string& own,
                                        const std::exception_ptr& failure) {
  std::vector<std::string> endings;
  try {
    endings = processes.texts(own);
  } catch (...) {
    if (failure) std::rethrow_exception(failure);
    throw;
  }
  for (const std::string& ending : endings)
    if (!ending.starts_with(mark_of_ending)) {
      if (failure) std::rethrow_exception(failure);
      fail_broken("the processes are at different places of their work");
    }
  return endings;
}

}  // namespace

std::string name_of_rank(int rank, int size) { return fmt::format("rank {} of {}", rank, size); }

void together(Communicator* processes, const std::function<void()>& action) {
  if (!is_shared(processes)) {
    action();
    return;
  }
  std::string ending(mark_of_ending);
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
  const std::vector<std::string> endings = endings_of_all(*processes, ending, failure);
  if (processes->leads() && failure) std::rethrow_exception(failure);
  for (std::size_t rank = 0; rank < endings.size(); ++rank) {
    if (is_well(endings[rank])) continue;
    const std::string text(text_in(endings[rank]));
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
