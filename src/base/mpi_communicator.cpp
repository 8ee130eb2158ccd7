#include "base/mpi_communicator.h"

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/agreement.h"
#include "base/carried_communicator.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/mpi_module.h"

namespace orrery {
namespace {

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

// By way of the module that knows MPI.
class MpiCarrier final : public Carrier {
 public:
  MpiCarrier() : mpi_(mpi_module()) { require(mpi_.join(&rank_, &size_), "cannot start"); }
  ~MpiCarrier() override { mpi_.leave(); }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void end_all(int code) { mpi_.end_all(code); }
  void leave() { mpi_.leave(); }

  void begin_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                    std::span<std::byte> all) override {
    gathered_ = places_of(counts);
    require(mpi_.gather(own.data(), static_cast<int>(own.size()), all.data(),
                        gathered_.counts.data(), gathered_.firsts.data()),
            "cannot gather");
  }
  void begin_share(std::span<std::byte> bytes, int root) override {
    require(mpi_.share(bytes.data(), static_cast<int>(bytes.size()), root), "cannot send");
  }
  void begin_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override {
    sent_ = places_of(counts);
    const std::vector<std::size_t> own(counts.size(), counts[static_cast<std::size_t>(rank_)]);
    gathered_ = places_of(own);
    require(mpi_.scatter(parts.data(), sent_.counts.data(), sent_.firsts.data(), received.data(),
                         gathered_.counts.data(), gathered_.firsts.data()),
            "cannot scatter");
  }
  bool is_done() override {
    int done = 0;
    require(mpi_.is_done(&done), "lost the others");
    return done != 0;
  }
  void begin_farewell(std::span<const std::byte> own, std::span<std::byte> all) override {
    require(mpi_.farewell(own.data(), static_cast<int>(own.size()), all.data()), "cannot gather");
  }
  bool farewell_is_done() override {
    int done = 0;
    require(mpi_.farewell_is_done(&done), "lost the others");
    return done != 0;
  }

 private:
  void require(int error, const char* what) const {
    if (error == 0) return;
    std::array<char, 512> words{};
    mpi_.describe(error, words.data(), static_cast<int>(words.size()));
    fail_broken("MPI {}: {}", what, words.data());
  }

  const OrreryMpiCalls& mpi_;
  int rank_ = 0, size_ = 1;
  Places sent_, gathered_;  // of the exchange that is under way
};

struct Joined {
  MpiCarrier carrier;
  std::optional<CarriedCommunicator> processes;

  Joined() {
    if (const Launched started = launched_here(); carrier.size() != started.size)
      fail_request(About{.advice = "take the mpirun of the MPI that Orrery was built with, or srun "
                                   "--mpi=pmix; to work alone in such a job, unset the launcher's "
                                   "variables (SLURM_STEP_NUM_TASKS)"},
                   "{} processes were started together, but by MPI there {} {}", started.size,
                   carrier.size() == 1 ? "is" : "are", carrier.size());
    processes.emplace(carrier);
  }
  ~Joined() { end(EXIT_FAILURE); }
  void end(int code) {
    if (processes && processes->must_end_others()) carrier.end_all(code);
    carrier.leave();
  }
};

// Joined at most once. It lives as long as the program.
std::unique_ptr<Joined>& joined() {
  static std::unique_ptr<Joined> processes;
  return processes;
}

}  // namespace

Communicator* launched_processes() {
  if (launched_here().size <= 1) return nullptr;
  auto& all = joined();
  if (!all) all = std::make_unique<Joined>();
  return &*all->processes;
}

std::string last_words_of_launched(const std::string& failure) {
  const auto& all = joined();
  if (!all || !all->processes) return failure;
  CarriedCommunicator& processes = *all->processes;
  if (!processes.farewell(failure))
    return fmt::format("{}: {}", name_of_rank(processes.rank(), processes.size()), failure);
  if (!processes.leads()) return {};
  const auto [rank, text] = processes.first_failure();
  return rank == 0 ? text : fmt::format("{}: {}", name_of_rank(rank, processes.size()), text);
}

void end_launched(int code) {
  const auto& all = joined();
  if (!all) return;
  if (code != 0 && all->processes && !all->processes->has_said_farewell())
    all->processes->farewell(fmt::format("it ends with code {}", code));
  all->end(code);
}

}  // namespace orrery
