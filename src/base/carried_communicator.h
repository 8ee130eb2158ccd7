// A Communicator over whatever carries bytes between processes (orrery/carrier.h).
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "base/communicator.h"
#include "orrery/carrier.h"

namespace orrery {

// Waits by asking, so that cores are left to others and a process that has died is noticed.
class CarriedCommunicator final : public Communicator {
 public:
  explicit CarriedCommunicator(Carrier& carrier);

  int rank() const override { return carrier_.rank(); }
  int size() const override { return carrier_.size(); }
  void require_others() const override;

  // For a process that comes to its end, because of `failure` or, where that is empty, since it is
  // done. Whether all do: who has failed waits two seconds for the others, and who is done as long
  // as it takes. If not, others are at work and must be ended.
  bool farewell(const std::string& failure);
  bool has_said_farewell() const { return !own_words_.empty(); }
  // After that: what went wrong in the first of them that failed, and who it was.
  struct Failure {
    int rank = 0;
    std::string text = {};  // empty: in none
  };
  Failure first_failure() const;
  // Others are at work, and would wait for this process for ever.
  bool must_end_others() const { return must_end_others_; }

 private:
  void carry_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                    std::span<std::byte> all) override;
  void carry_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                     std::span<std::byte> received) override;
  void gather_in_pieces(std::span<const std::byte> own, std::span<const std::size_t> counts,
                        std::span<std::byte> all);
  void wait();
  bool until(const std::function<bool()>& is_done, std::chrono::milliseconds limit) const;
  void require_not_lost() const;
  void require_peers() const;

  Carrier& carrier_;
  std::string place_;                        // where numbers of processes mean the same
  std::vector<std::string> peers_;           // by rank: its number, and its place
  std::vector<char> own_words_, all_words_;  // others may answer a farewell late
  bool must_end_others_ = false;
  std::string lost_;  // why no exchange is begun any more
};

}  // namespace orrery
