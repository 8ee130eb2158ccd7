#include "data/name_table.h"

#include <cstring>
#include <limits>

#include "base/error.h"
#include "base/random.h"

namespace orrery {
namespace {

// Eight bytes a step; the length goes in, so that padding with zeros cannot collide.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = text.size() * 0x9e3779b97f4a7c15ULL;
  const auto take = [&hash](std::uint64_t word) {
    hash = (hash ^ word) * 0xbf58476d1ce4e5b9ULL;
    hash ^= hash >> 32;
  };
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    take(word);
    at += sizeof(word);
  }
  std::uint64_t word = 0;
  if (left > 0) std::memcpy(&word, at, left);
  take(word);
  return mix(hash);
}

std::uint32_t short_hash(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

}  // namespace

NameTable::NameTable() : slots_(1024) {}

// The slot that holds the name, or the free one where it belongs.
std::size_t NameTable::slot_of(std::string_view text, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = hash & mask;
  while (slots_[at].id != absent &&
         (slots_[at].hash != short_hash(hash) || name(slots_[at].id) != text)) {
    at = (at + 1) & mask;
  }
  return at;
}

std::int32_t NameTable::find(std::string_view text) const {
  return slots_[slot_of(text, hash_of(text))].id;
}

std::int32_t NameTable::add(std::string_view text) {
  if (2 * ends_.size() >= slots_.size()) grow();
  if (ends_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 4)) {
    fail_request("more than {} distinct names; this engine numbers them in 32 bits", ends_.size());
  }
  const std::uint64_t hash = hash_of(text);
  Slot& slot = slots_[slot_of(text, hash)];
  slot = {short_hash(hash), size()};
  arena_.insert(arena_.end(), text.begin(), text.end());
  ends_.push_back(arena_.size());
  return slot.id;
}

void NameTable::grow() {
  slots_.assign(2 * slots_.size(), Slot());
  for (std::int32_t id = 0; id < size(); ++id) {
    const std::uint64_t hash = hash_of(name(id));
    slots_[slot_of(name(id), hash)] = {short_hash(hash), id};
  }
}

}  // namespace orrery
