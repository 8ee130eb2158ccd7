#include "base/thread_group.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "base/agreement.h"
#include "base/error.h"
#include "base/processes.h"

namespace orrery {
namespace {

// Where the threads meet, and what each of them shows the others meanwhile.
class Meeting {
 public:
  explicit Meeting(int size) : shown_(static_cast<std::size_t>(size)) {}

  struct Shown {
    const std::byte* bytes = nullptr;
    std::span<const std::size_t> counts;
  };

  void show(int rank, Shown shown) { shown_[static_cast<std::size_t>(rank)] = shown; }
  const Shown& shown_by(std::size_t rank) const { return shown_[rank]; }

  // Until all have come.
  void wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t meeting = meetings_;
    if (++here_ == shown_.size()) {
      here_ = 0;
      ++meetings_;
      all_are_here_.notify_all();
    }
    all_are_here_.wait(lock, [&] { return meetings_ != meeting || !ended_.empty(); });
    if (meetings_ == meeting) fail_broken("{}", ended_);
  }
  void require_all() const {
    const std::lock_guard lock(mutex_);
    if (!ended_.empty()) fail_broken("{}", ended_);
  }
  void end(int rank, std::string_view reason) {
    const std::lock_guard lock(mutex_);
    if (ended_.empty())
      ended_ = fmt::format("{} has ended: {}", name_of_rank(rank, static_cast<int>(shown_.size())),
                           reason);
    all_are_here_.notify_all();
  }

 private:
  std::vector<Shown> shown_;
  mutable std::mutex mutex_;
  std::condition_variable all_are_here_;
  std::uint64_t meetings_ = 0;
  std::size_t here_ = 0;
  std::string ended_;
};

class ThreadCommunicator final : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, int rank, int size)
      : meeting_(meeting), rank_(rank), size_(size) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void require_others() const override { meeting_.require_all(); }
  // The others end with an Error that says so, in this call or in their next.
  void end_others(std::string_view reason) { meeting_.end(rank_, reason); }

 private:
  void carry_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                    std::span<std::byte> all) override {
    meeting_.show(rank_, {own.data(), counts});
    meeting_.wait();
    std::byte* to = all.data();
    for (std::size_t r = 0; r < counts.size(); ++r)
      to = std::copy_n(meeting_.shown_by(r).bytes, counts[r], to);
    meeting_.wait();
  }
  void carry_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override {
    meeting_.show(rank_, {parts.data(), counts});
    meeting_.wait();
    std::byte* to = received.data();
    const auto me = static_cast<std::size_t>(rank_);
    std::size_t before = 0;
    for (std::size_t r = 0; r < me; ++r) before += counts[r];
    for (std::size_t r = 0; r < counts.size(); ++r)
      to = std::copy_n(meeting_.shown_by(r).bytes + before, counts[me], to);
    meeting_.wait();
  }

  Meeting& meeting_;
  int rank_, size_;
};

}  // namespace

void run_as_threads(int size, const std::function<void(Communicator&)>& body) {
  Meeting meeting(size);
  std::mutex mutex;
  std::exception_ptr first;
  std::vector<std::thread> threads;
  for (int rank = 0; rank < size; ++rank)
    threads.emplace_back([&, rank] {
      ThreadCommunicator communicator(meeting, rank, size);
      set_current_processes(&communicator);
      const auto note = [&](const char* reason) {
        const std::lock_guard lock(mutex);
        if (!first) first = std::current_exception();
        communicator.end_others(reason);
      };
      try {
        body(communicator);
      } catch (const std::exception& error) {
        note(error.what());
      } catch (...) {
        note("it failed");
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (first) std::rethrow_exception(first);
}

}  // namespace orrery
