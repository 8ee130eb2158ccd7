#include "base/mpi_communicator.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <thread>

#include "base/agreement.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/mpi_module.h"

namespace orrery {
namespace {

using std::chrono::steady_clock;

// MPI counts bytes in an int; more than this is moved in pieces.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

struct Places {
  std::vector<int> counts, firsts;
};

Places places_of(std::span<const std::size_t> counts) {
  Places places;
  int first = 0;
  for (const std::size_t count : counts) {
    places.counts.push_back(static_cast<int>(count));
    places.firsts.push_back(first);
    first += static_cast<int>(count);
  }
  return places;
}

// Awake for a while, since most waits are short; then it leaves the core to others.
class Patience {
 public:
  void wait() {
    const auto waited = steady_clock::now() - began_;
    if (waited < std::chrono::microseconds(100)) return;
    if (waited < std::chrono::milliseconds(2))
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  bool is_over(std::chrono::milliseconds limit) const {
    return steady_clock::now() - began_ > limit;
  }

 private:
  steady_clock::time_point began_ = steady_clock::now();
};

class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator() : mpi_(mpi_module()) {
    require(mpi_.join(&rank_, &size_), "cannot start");
    if (const Launched started = launched_here(); size_ != started.size)
      fail_request(About{.advice = "take the mpirun of the MPI that Orrery was built with, or srun "
                                   "--mpi=pmix; to work alone in such a job, unset the launcher's "
                                   "variables (SLURM_STEP_NUM_TASKS)"},
                   "{} processes were started together, but by MPI there {} {}", started.size,
                   size_ == 1 ? "is" : "are", size_);
    peers_ = texts(fmt::format("{} {}", getpid(), name_of_machine()));
  }

  ~MpiCommunicator() override { end(EXIT_FAILURE); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  std::string last_words(const std::string& failure);
  void end(int code) {
    if (must_end_others_) mpi_.end_all(code);
    mpi_.leave();
  }

 private:
  void carry_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                    std::span<std::byte> all) override {
    if (all.size() > most_at_once) {
      gather_in_pieces(own, counts, all);
      return;
    }
    const Places places = places_of(counts);
    require(mpi_.gather(own.data(), static_cast<int>(own.size()), all.data(), places.counts.data(),
                        places.firsts.data()),
            "cannot gather");
    wait();
  }

  // Each process in its turn, since places beyond two gigabytes are none for MPI.
  void gather_in_pieces(std::span<const std::byte> own, std::span<const std::size_t> counts,
                        std::span<std::byte> all) {
    for (std::size_t r = 0; r < counts.size(); ++r) {
      auto part = all.first(counts[r]);
      all = all.subspan(counts[r]);
      if (static_cast<int>(r) == rank_) std::ranges::copy(own, part.begin());
      while (!part.empty()) {
        const std::size_t count = std::min(part.size(), most_at_once);
        require(mpi_.share(part.data(), static_cast<int>(count), static_cast<int>(r)),
                "cannot send");
        wait();
        part = part.subspan(count);
      }
    }
  }

  void carry_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override {
    const Places sent = places_of(counts);
    const std::vector<std::size_t> own(counts.size(), counts[static_cast<std::size_t>(rank_)]);
    const Places got = places_of(own);
    require(mpi_.scatter(parts.data(), sent.counts.data(), sent.firsts.data(), received.data(),
                         got.counts.data(), got.firsts.data()),
            "cannot scatter");
    wait();
  }

  void wait() {
    Patience patience;
    auto looked = steady_clock::now();
    for (int done = 0;;) {
      require(mpi_.is_done(&done), "lost the others");
      if (done != 0) return;
      patience.wait();
      if (steady_clock::now() - looked < std::chrono::milliseconds(100)) continue;
      looked = steady_clock::now();
      require_peers();
    }
  }

  // A launcher ends all when one has died, but needs a while for it and names no reason of ours.
  void require_peers() {
    const std::string machine = fmt::format(" {}", name_of_machine());
    for (std::size_t r = 0; r < peers_.size(); ++r) {
      if (!peers_[r].ends_with(machine)) continue;
      const int number = std::stoi(peers_[r]);
      if (kill(number, 0) == 0 || errno != ESRCH) continue;
      must_end_others_ = true;
      fail_broken(About{.advice = worded("go on from what was saved last with $resume")},
                  "{} (process {} on this machine) has ended unexpectedly",
                  name_of_rank(static_cast<int>(r), size_), number);
    }
  }

  void require(int error, const char* what) {
    if (error == 0) return;
    std::array<char, 512> words{};
    mpi_.describe(error, words.data(), static_cast<int>(words.size()));
    must_end_others_ = true;
    fail_broken("MPI {}: {}", what, words.data());
  }

  const OrreryMpiCalls& mpi_;
  int rank_ = 0, size_ = 1;
  std::vector<std::string> peers_;  // by rank: its number, and its machine
  bool must_end_others_ = false;
};

std::string MpiCommunicator::last_words(const std::string& failure) {
  const std::string own_name = name_of_rank(rank_, size_);
  const std::string by_name = fmt::format("{}: {}", own_name, failure);
  if (must_end_others_) return by_name;
  constexpr std::size_t room = 4096;
  constexpr auto long_enough = std::chrono::seconds(2);
  std::vector<char> own(room), all(room * static_cast<std::size_t>(size_));
  std::copy_n(failure.begin(), std::min(failure.size(), room - 1), own.begin());
  if (mpi_.farewell(own.data(), room, all.data()) == 0) {
    Patience patience;
    for (int done = 0; mpi_.farewell_is_done(&done) == 0 && !patience.is_over(long_enough);) {
      if (done != 0) {
        if (rank_ != 0) return {};
        if (!failure.empty()) return failure;
        for (int r = 1; r < size_; ++r)
          if (const char* text = all.data() + room * static_cast<std::size_t>(r); *text != '\0')
            return fmt::format("{}: {}", name_of_rank(r, size_), text);
        return {};
      }
      patience.wait();
    }
  }
  must_end_others_ = true;
  return by_name;
}

// Joined at most once. It lives as long as the program.
std::unique_ptr<MpiCommunicator>& joined() {
  static std::unique_ptr<MpiCommunicator> processes;
  return processes;
}

}  // namespace

Communicator* launched_processes() {
  if (launched_here().size <= 1) return nullptr;
  auto& processes = joined();
  if (!processes) processes = std::make_unique<MpiCommunicator>();
  return processes.get();
}

std::string last_words_of_launched(const std::string& failure) {
  const auto& processes = joined();
  return processes ? processes->last_words(failure) : failure;
}

void end_launched(int code) {
  if (auto& processes = joined()) processes->end(code);
}

}  // namespace orrery
