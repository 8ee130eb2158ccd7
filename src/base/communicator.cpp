#include "base/communicator.h"

#include <numeric>

namespace orrery {

void Communicator::gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                          std::span<std::byte> all) {
  bytes_sent_ += own.size() * static_cast<std::size_t>(size() - 1);
  carry_gather(own, counts, all);
}

// Piece by piece: a carrier need not move more than a gigabyte at once, nor hold as much.
template <class T>
void Communicator::sum_of(std::span<T> values) {
  constexpr std::size_t most = std::size_t{1} << 26;
  for (; values.size() > most; values = values.subspan(most)) sum_piece(values.first(most));
  sum_piece(values);
}

// Each process sums a block of the elements, in the order of the processes, and tells the others.
template <class T>
void Communicator::sum_piece(std::span<T> values) {
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

unsigned Communicator::any_of(unsigned bits) {
  const auto processes = static_cast<std::size_t>(size());
  std::vector<unsigned> all(processes);
  gather(std::span<const unsigned>(&bits, 1), std::vector<std::size_t>(processes, 1),
         std::span<unsigned>(all));
  for (const unsigned others : all) bits |= others;
  return bits;
}

std::string Communicator::told_by_leader(std::string_view text) {
  std::uint64_t length = text.size();
  share(std::span<std::uint64_t>(&length, 1));
  std::string told(leads() ? text : std::string_view());
  told.resize(length);
  share(std::span<char>(told));
  return told;
}

bool Communicator::decided_by_leader(bool decision) {
  return told_by_leader(decision ? "y" : "n") == "y";
}

std::vector<std::string> Communicator::texts(std::string_view own) {
  const auto processes = static_cast<std::size_t>(size());
  const std::size_t length = own.size();
  std::vector<std::size_t> lengths(processes);
  gather(std::span<const std::size_t>(&length, 1), std::vector<std::size_t>(processes, 1),
         std::span<std::size_t>(lengths));
  std::string all(std::accumulate(lengths.begin(), lengths.end(), std::size_t{0}), ' ');
  gather(std::span<const char>(own), lengths, std::span<char>(all));
  std::vector<std::string> texts;
  std::size_t place = 0;
  for (const std::size_t count : lengths) {
    texts.push_back(all.substr(place, count));
    place += count;
  }
  return texts;
}

}  // namespace orrery
