#include "base/communicator.h"

#include <algorithm>
#include <numeric>

namespace orrery {

void Communicator::gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                          std::span<std::byte> all) {
  bytes_sent_ += own.size() * static_cast<std::size_t>(size() - 1);
  carry_gather(own, counts, all);
}

// Each process sums a block of the elements, in the order of the processes, and tells the others.
template <class T>
void Communicator::sum_of(std::span<T> values) {
  const auto processes = static_cast<std::size_t>(size()), me = static_cast<std::size_t>(rank());
  if (processes == 1 || values.empty()) return;
  std::vector<std::size_t> counts(processes), bytes(processes);
  for (std::size_t r = 0; r < processes; ++r) {
    counts[r] = static_cast<std::size_t>(
        block_of(static_cast<std::int64_t>(values.size()), static_cast<int>(r), size()).count);
    bytes[r] = counts[r] * sizeof(T);
  }
  const std::size_t own = counts[me];
  std::vector<T> parts(own * processes);
  bytes_sent_ += values.size_bytes() - bytes[me];
  carry_scatter(std::as_bytes(values), bytes, std::as_writable_bytes(std::span(parts)));
  for (std::size_t r = 1; r < processes; ++r)
    for (std::size_t i = 0; i < own; ++i) parts[i] += parts[r * own + i];
  gather(std::span<const T>(parts.data(), own), counts, values);
}

void Communicator::sum(std::span<float> values) { sum_of(values); }
void Communicator::sum(std::span<double> values) { sum_of(values); }

bool Communicator::any(bool own) {
  const auto processes = static_cast<std::size_t>(size());
  const char word = own ? 1 : 0;
  std::vector<char> words(processes);
  gather(std::span<const char>(&word, 1), std::vector<std::size_t>(processes, 1),
         std::span<char>(words));
  return std::ranges::find(words, 1) != words.end();
}

std::string Communicator::told_by_leader(std::string_view text) {
  const auto processes = static_cast<std::size_t>(size());
  std::vector<std::size_t> counts(processes, 0);
  counts[0] = 1;
  const std::uint64_t own = leads() ? text.size() : 0;
  std::uint64_t length = 0;
  gather(std::span<const std::uint64_t>(&own, leads() ? 1 : 0), counts,
         std::span<std::uint64_t>(&length, 1));
  std::string told(length, ' ');
  counts[0] = length;
  gather(std::span<const char>(text.data(), own), counts, std::span<char>(told));
  return told;
}

bool Communicator::decided_by_leader(bool decision) {
  return told_by_leader(decision ? "y" : "n") == "y";
}

}  // namespace orrery
