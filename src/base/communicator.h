// How the processes of one training talk. Every call is made by all of them, in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

// A carrier moves bytes; sums are taken here, in the order of the processes, so that all of them
// get the same bits and the same number of processes always gives the same ones.
class Communicator {
 public:
  virtual ~Communicator() = default;
  Communicator() = default;
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  bool leads() const { return rank() == 0; }
  // Each process's bytes, in the order of the processes, to all; `counts` says how many each has.
  void gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
              std::span<std::byte> all);
  template <class T>
  void gather(std::span<const T> own, std::span<const std::size_t> counts, std::span<T> all) {
    std::vector<std::size_t> bytes(counts.begin(), counts.end());
    for (std::size_t& count : bytes) count *= sizeof(T);
    gather(std::as_bytes(own), bytes, std::as_writable_bytes(all));
  }
  // Elementwise over the processes; the result is everybody's.
  void sum(std::span<float> values);
  void sum(std::span<double> values);
  // Bits that any process has set.
  unsigned any_of(unsigned bits);
  bool any(bool own) { return any_of(own ? 1U : 0U) != 0; }
  // The leader's values, to all. `own` need not be there elsewhere, and lies apart from `values`.
  template <class T>
  void share(std::span<const T> own, std::span<T> values) {
    std::vector<std::size_t> counts(static_cast<std::size_t>(size()), 0);
    counts[0] = values.size();
    gather(leads() ? own : std::span<const T>(), counts, values);
  }
  template <class T>
  void share(std::span<T> values) {
    const std::vector<T> own(leads() ? std::vector<T>(values.begin(), values.end())
                                     : std::vector<T>());
    share(std::span<const T>(own), values);
  }
  // The leader's text, and its decision.
  std::string told_by_leader(std::string_view text);
  bool decided_by_leader(bool decision);
  // Everybody's text, in the order of the processes.
  std::vector<std::string> texts(std::string_view own);

  // An Error where another process has ended: for those who wait for what others send by other
  // ways.
  virtual void require_others() const = 0;

  std::uint64_t bytes_sent() const { return bytes_sent_; }       // by this process
  void note_sent(std::uint64_t bytes) { bytes_sent_ += bytes; }  // by other ways

 protected:
  virtual void carry_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                            std::span<std::byte> all) = 0;
  // Part r of `parts`, cut by `counts`, goes to process r. What comes from each process has the
  // length of this process's own part, and is put one after the other into `received`.
  virtual void carry_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                             std::span<std::byte> received) = 0;

 private:
  template <class T>
  void sum_of(std::span<T> values);
  template <class T>
  void sum_piece(std::span<T> values);

  std::uint64_t bytes_sent_ = 0;
};

// A share of `count` rows: process r of `size` has a block of them, and no two differ by more than
// one row.
struct RowBlock {
  std::int64_t first = 0, count = 0;

  bool holds(std::int64_t row) const { return row >= first && row < first + count; }
};
inline RowBlock block_of(std::int64_t rows, int rank, int size) {
  const std::int64_t first = rows * rank / size;
  return {first, rows * (rank + 1) / size - first};
}

}  // namespace orrery
