#include "base/carried_communicator.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "base/agreement.h"
#include "base/error.h"
#include "base/launcher.h"
#include "base/patience.h"

namespace orrery {
namespace {

// MPI counts bytes in an int; more than this is moved in pieces.
constexpr std::size_t most_at_once = std::size_t{1} << 30;

constexpr std::size_t longest_farewell = 4096;  // its last byte is zero
constexpr std::chrono::milliseconds longest_wait_of_a_failure = std::chrono::seconds(2);
constexpr std::chrono::milliseconds for_ever = std::chrono::hours(24 * 365 * 100);

}  // namespace

CarriedCommunicator::CarriedCommunicator(Carrier& carrier)
    : carrier_(carrier), place_(name_of_numbers()) {
  peers_ = texts(fmt::format("{} {}", getpid(), place_));
}

void CarriedCommunicator::carry_gather(std::span<const std::byte> own,
                                       std::span<const std::size_t> counts,
                                       std::span<std::byte> all) {
  require_not_lost();
  if (all.size() > most_at_once) {
    gather_in_pieces(own, counts, all);
    return;
  }
  carrier_.begin_gather(own, counts, all);
  wait();
}

// Each process in its turn, since places beyond two gigabytes are none for MPI.
void CarriedCommunicator::gather_in_pieces(std::span<const std::byte> own,
                                           std::span<const std::size_t> counts,
                                           std::span<std::byte> all) {
  for (std::size_t r = 0; r < counts.size(); ++r) {
    auto part = all.first(counts[r]);
    all = all.subspan(counts[r]);
    if (static_cast<int>(r) == rank()) std::ranges::copy(own, part.begin());
    while (!part.empty()) {
      const std::size_t count = std::min(part.size(), most_at_once);
      carrier_.begin_share(part.first(count), static_cast<int>(r));
      wait();
      part = part.subspan(count);
    }
  }
}

void CarriedCommunicator::carry_scatter(std::span<const std::byte> parts,
                                        std::span<const std::size_t> counts,
                                        std::span<std::byte> received) {
  require_not_lost();
  carrier_.begin_scatter(parts, counts, received);
  wait();
}

void CarriedCommunicator::wait() {
  try {
    until([&] { return carrier_.is_done(); }, for_ever);
  } catch (const std::exception& error) {
    must_end_others_ = true;
    lost_ = error.what();
    throw;
  }
}

// What was under way may still arrive, where its buffers were.
void CarriedCommunicator::require_not_lost() const {
  if (!lost_.empty()) fail_broken("{}", lost_);
}

void CarriedCommunicator::require_others() const {
  require_not_lost();
  require_peers();
}

// Whether it came to be within `limit`.
bool CarriedCommunicator::until(const std::function<bool()>& is_done,
                                std::chrono::milliseconds limit) const {
  Patience patience;
  while (!is_done()) {
    if (patience.is_over(limit)) return false;
    if (patience.wait()) require_peers();
  }
  return true;
}

// A launcher ends all when one has died, but needs a while for it and names no reason of ours.
void CarriedCommunicator::require_peers() const {
  for (std::size_t r = 0; r < peers_.size(); ++r) {
    if (!peers_[r].ends_with(place_)) continue;
    const int number = std::stoi(peers_[r]);
    if (!has_ended(number)) continue;
    fail_broken(About{.advice = worded("go on from what was saved last with $resume")},
                "{} (process {} on this machine) has ended unexpectedly",
                name_of_rank(static_cast<int>(r), size()), number);
  }
}

bool CarriedCommunicator::farewell(const std::string& failure) {
  if (must_end_others_) return false;
  own_words_.assign(longest_farewell, '\0');
  all_words_.assign(longest_farewell * static_cast<std::size_t>(size()), '\0');
  std::copy_n(failure.begin(), std::min(failure.size(), longest_farewell - 1), own_words_.begin());
  try {
    carrier_.begin_farewell(std::as_bytes(std::span(own_words_)),
                            std::as_writable_bytes(std::span(all_words_)));
    must_end_others_ = !until([&] { return carrier_.farewell_is_done(); },
                              failure.empty() ? for_ever : longest_wait_of_a_failure);
  } catch (const std::exception&) {
    must_end_others_ = true;
    if (failure.empty()) throw;
  }
  return !must_end_others_;
}

CarriedCommunicator::Failure CarriedCommunicator::first_failure() const {
  for (int r = 0; r < size(); ++r)
    if (const char* text = &all_words_[longest_farewell * static_cast<std::size_t>(r)];
        *text != '\0')
      return {r, text};
  return {};
}

}  // namespace orrery
