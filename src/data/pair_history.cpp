#include "data/pair_history.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <unordered_map>
#include <utility>

namespace orrery {
namespace {

// Where buckets of gaps begin, in time rows.
constexpr std::array<std::int32_t, 6> gap_begins = {1, 2, 4, 8, 32, 128};

// After those, a fact of other dates in the time row of the question.
constexpr auto same_row = static_cast<std::int32_t>(gap_begins.size());
constexpr std::int32_t gap_features = same_row + 1;

std::int32_t gap_bucket(std::int32_t gap) {
  if (gap == 0) return same_row;
  return static_cast<std::int32_t>(std::ranges::upper_bound(gap_begins, gap) - gap_begins.begin()) -
         1;
}

// Around the time of a question, in time rows: where buckets of what comes after it begin, and with
// a minus what came before it.
constexpr std::array<std::int32_t, 3> near_begins = {1, 2, 4};
constexpr std::int32_t near_times = 7;
constexpr std::array<std::int32_t, 4> near_ends = {1, 2, 4, near_times + 1};
constexpr auto near_sides = static_cast<std::int32_t>(near_begins.size());
constexpr std::int32_t near_buckets = 2 * near_sides + 1;

// What relates the two: the same relation the other way round, or another one, either way.
enum class NearBy { reversed, other, other_reversed };
constexpr std::int32_t near_kinds = 3;
constexpr std::int32_t near_features = near_kinds * near_buckets;

// Relations that go with the one that is asked have numbers of their own.
constexpr std::size_t most_companions = 16;
constexpr std::int32_t fewest_meetings = 5;

std::int32_t near_bucket(std::int32_t distance) {
  const auto far = static_cast<std::int32_t>(
      std::ranges::upper_bound(near_begins, std::abs(distance)) - near_begins.begin());
  return near_sides + (distance < 0 ? -far : far);
}

bool looks_near(HistoryKind kind) {
  return kind == HistoryKind::near || kind == HistoryKind::lifetime;
}

// Of an entry that has no end, as far away as can be.
constexpr std::int32_t for_ever = std::numeric_limits<std::int32_t>::max() / 4;

// How many rows an entry lies after a time; negative: before it; 0: it holds then.
template <class Entry>
std::int32_t distance_to(const Entry& entry, std::int32_t time) {
  if (entry.first > time) return entry.first - time;
  return entry.last < time ? entry.last - time : 0;
}

// Both are known: that of a question which names no fact is not.
template <class Entry>
bool have_other_dates(const Entry& entry, const Query& query) {
  return entry.dates != 0 && query.dates != 0 && entry.dates != query.dates;
}

// What train says of the very time of a question is what is asked: by its dates where they are
// known, else whatever holds then, whichever of its ends an entry is.
template <class Entry>
bool is_asked(const Entry& entry, const Query& query) {
  const bool then = distance_to(entry, query.time) == 0;
  if (query.dates != 0) return then && !have_other_dates(entry, query);
  return then || (entry.holds_from <= query.time && query.time <= entry.holds_to);
}

// "2 to 3 times away", of the bucket that begins at begins[i] and ends before the next one.
std::string distance_in_words(std::span<const std::int32_t> begins, std::size_t i,
                              const char* where) {
  const std::string from = std::to_string(begins[i]);
  if (i + 1 == begins.size()) return from + " or more times " + where;
  const std::int32_t last = begins[i + 1] - 1;
  if (last == begins[i]) return from + (last == 1 ? " time " : " times ") + where;
  return from + " to " + std::to_string(last) + " times " + where;
}

}  // namespace

std::vector<KnownFact> known_facts(const TemporalGraph& data) {
  std::vector<KnownFact> facts;
  facts.reserve(data.split(Split::train).size());
  for (const Fact& fact : data.split(Split::train)) {
    const Moment rows = data.times.moments.at(static_cast<std::size_t>(fact.when));
    facts.push_back(
        {fact.subject, fact.relation, fact.object, rows.start, rows.end, data.dates_key(fact)});
  }
  std::ranges::sort(facts);
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  return facts;
}

HistoryKind history_kind_named(std::string_view name) {
  if (name == "relation") return HistoryKind::relation;
  if (name == "near") return HistoryKind::near;
  if (name == "lifetime") return HistoryKind::lifetime;
  return name == "gap" ? HistoryKind::gap : HistoryKind::none;
}

std::int32_t features_per_relation(HistoryKind kind) {
  switch (kind) {
    case HistoryKind::relation:
      return 1;
    case HistoryKind::gap:
      return gap_features;
    case HistoryKind::near:
      return gap_features + near_features + static_cast<std::int32_t>(most_companions);
    case HistoryKind::lifetime:
      return features_per_relation(HistoryKind::near) + 1;
    default:
      return 0;
  }
}

// Whether a fact is known one time away or a hundred says nearly the same of a relation; so does
// whether another one is known a time before or after.
std::vector<std::int32_t> feature_groups(HistoryKind kind, bool ends) {
  std::vector<std::int32_t> groups(static_cast<std::size_t>(features_per_relation(kind)), -1);
  const auto alike =
      std::min(groups.size(), static_cast<std::size_t>(ends ? gap_features : same_row));
  std::fill_n(groups.begin(), alike, 0);
  if (!looks_near(kind)) return groups;
  for (std::int32_t kind_of = 0; kind_of < near_kinds; ++kind_of)
    std::fill_n(groups.begin() + gap_features + kind_of * near_buckets, near_buckets, kind_of + 1);
  return groups;
}

std::vector<std::string> feature_names(HistoryKind kind) {
  if (kind == HistoryKind::none) return {};
  if (kind == HistoryKind::relation) return {"known at another time"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < gap_begins.size(); ++i)
    names.push_back("known " + distance_in_words(gap_begins, i, "away"));
  names.emplace_back("known at that time, by other dates");
  if (kind == HistoryKind::gap) return names;
  for (const char* const by :
       {"the same relation reversed", "another relation", "another relation, reversed"})
    for (std::int32_t bucket = -near_sides; bucket <= near_sides; ++bucket) {
      const auto place = static_cast<std::size_t>(std::abs(bucket) - 1);
      names.push_back(std::string(by) + ", " +
                      (bucket == 0  ? std::string("at that time")
                       : bucket < 0 ? distance_in_words(near_ends, place, "before")
                                    : distance_in_words(near_ends, place, "after")));
    }
  for (std::size_t i = 1; i <= most_companions; ++i)
    names.push_back("companion relation " + std::to_string(i) + ", at that time");
  if (kind == HistoryKind::lifetime) names.emplace_back("its own facts lie around that time");
  return names;
}

std::int32_t companion_at(HistoryKind kind, std::int32_t place) {
  const std::int32_t nth = place - gap_features - near_features;
  return looks_near(kind) && nth >= 0 && nth < static_cast<std::int32_t>(most_companions) ? nth
                                                                                          : -1;
}

std::vector<float> lifetime_column(HistoryKind kind, std::span<const float> table) {
  std::vector<float> column;
  if (kind != HistoryKind::lifetime) return column;
  const auto width = static_cast<std::size_t>(features_per_relation(kind));
  for (std::size_t last = width - 1; last < table.size(); last += width)
    column.push_back(table[last]);
  return column;
}

void set_lifetime_column(HistoryKind kind, std::span<const float> column, std::span<float> table) {
  const auto width = static_cast<std::size_t>(features_per_relation(kind));
  for (std::size_t row = 0; row < column.size(); ++row) table[(row + 1) * width - 1] = column[row];
}

void keep_what_carries_over(HistoryKind kind, std::span<float> table) {
  if (!looks_near(kind)) return;
  const auto width = static_cast<std::size_t>(features_per_relation(kind));
  constexpr std::size_t kept = gap_features + near_features;
  for (std::size_t row = 0; row < table.size(); row += width)
    std::fill_n(table.begin() + static_cast<std::ptrdiff_t>(row + kept), width - kept, 0.0F);
}

PairHistory::PairHistory(HistoryKind kind, std::span<const KnownFact> facts, RelationIds relations,
                         std::int32_t entities, std::span<const KnownFact> added)
    : kind_(kind), relations_(relations), entity_begin_(static_cast<std::size_t>(entities) + 1) {
  const auto for_each_entry = [&](const auto& visit) {
    for (const auto& list : {facts, added})
      for (const KnownFact& fact : list)
        for (const bool reciprocal : {false, true}) {
          const std::int32_t asked = reciprocal ? fact.object : fact.subject;
          const std::int32_t answer = reciprocal ? fact.subject : fact.object;
          const std::int32_t from = fact.first == Moment::unknown ? 0 : fact.first;
          const std::int32_t to = fact.last == Moment::unknown ? for_ever : fact.last;
          if (!relations.ends) {
            visit(asked, Entry{relations.id(fact.relation, reciprocal), answer, from, to,
                               fact.dates, from, to});
            continue;
          }
          for (const bool end : {false, true}) {
            const std::int32_t row = end ? fact.last : fact.first;
            if (row != Moment::unknown)
              visit(asked, Entry{relations.id(fact.relation, reciprocal, end), answer, row, row,
                                 fact.dates, from, to});
          }
        }
  };
  for_each_entry([&](std::int32_t asked, const Entry&) {
    ++entity_begin_[static_cast<std::size_t>(asked) + 1];
  });
  for (std::size_t e = 1; e < entity_begin_.size(); ++e) entity_begin_[e] += entity_begin_[e - 1];
  entries_.resize(entity_begin_.back());
  std::vector<std::uint64_t> next(entity_begin_.begin(), entity_begin_.end() - 1);
  for_each_entry([&](std::int32_t asked, const Entry& entry) {
    entries_[next[static_cast<std::size_t>(asked)]++] = entry;
  });
  if (looks_near(kind)) by_time_ = entries_;
  for (std::size_t e = 0; e + 1 < entity_begin_.size(); ++e) {
    const auto begin = static_cast<std::ptrdiff_t>(entity_begin_[e]);
    const auto end = static_cast<std::ptrdiff_t>(entity_begin_[e + 1]);
    std::sort(entries_.begin() + begin, entries_.begin() + end);
    if (looks_near(kind))
      std::ranges::sort(by_time_.begin() + begin, by_time_.begin() + end, {}, &Entry::first);
  }
  for (const Entry& entry : by_time_) longest_ = std::max(longest_, entry.last - entry.first);
  if (!looks_near(kind)) return;
  // Learned numbers belong to companions by their places, which new facts must not change.
  if (added.empty())
    find_companions();
  else
    companions_ = PairHistory(kind, facts, relations, entities).companions_;
}

// Counted from one side of each pair: the other side has the same with both reversed.
void PairHistory::find_companions() {
  std::unordered_map<std::uint64_t, std::int32_t> meetings;
  std::vector<Entry> together;  // of one entity at one time, by answer
  const auto count = [&] {
    std::ranges::sort(together, {}, [](const Entry& e) { return std::pair(e.answer, e.relation); });
    for (std::size_t i = 0; i < together.size(); ++i)
      for (std::size_t k = i + 1; k < together.size() && together[k].answer == together[i].answer;
           ++k) {
        const auto a = static_cast<std::uint32_t>(together[i].relation);
        const auto b = static_cast<std::uint32_t>(together[k].relation);
        ++meetings[std::uint64_t{a} << 32 | b];
        ++meetings[std::uint64_t{b} << 32 | a];
      }
    together.clear();
  };
  for (std::size_t e = 0; e + 1 < entity_begin_.size(); ++e) {
    for (const Entry& entry : entries_of(by_time_, static_cast<std::int32_t>(e))) {
      if (!together.empty() && together.front().first != entry.first) count();
      together.push_back(entry);
    }
    count();
  }
  struct Companion {
    std::int32_t meetings, relation;
  };
  std::vector<std::vector<Companion>> found(static_cast<std::size_t>(relations_.count()));
  for (const auto& [pair, times] : meetings) {
    const auto asked = static_cast<std::int32_t>(pair >> 32);
    const auto other = static_cast<std::int32_t>(pair & 0xffffffffU);
    const bool same_question = relations_.relation_of(asked) == relations_.relation_of(other) &&
                               relations_.is_reciprocal(asked) == relations_.is_reciprocal(other);
    if (times >= fewest_meetings && !same_question)
      found[static_cast<std::size_t>(asked)].push_back({times, other});
  }
  for (auto& list : found) {
    std::ranges::sort(list, {},
                      [](const Companion& c) { return std::pair(-c.meetings, c.relation); });
    if (list.size() > most_companions) list.resize(most_companions);
    auto& relations = companions_.emplace_back();
    for (const Companion& c : list) relations.push_back(c.relation);
  }
}

std::int32_t PairHistory::companion(std::int32_t relation, std::int32_t other) const {
  const auto& companions = companions_[static_cast<std::size_t>(relation)];
  const auto found = std::ranges::find(companions, other);
  return found == companions.end() ? -1 : static_cast<std::int32_t>(found - companions.begin());
}

std::span<const std::int32_t> PairHistory::companions(std::int32_t relation) const {
  if (companions_.empty()) return {};
  return companions_[static_cast<std::size_t>(relation)];
}

std::span<const PairHistory::Entry> PairHistory::entries_of(const std::vector<Entry>& entries,
                                                            std::int32_t entity) const {
  const auto e = static_cast<std::size_t>(entity);
  return std::span(entries).subspan(entity_begin_[e], entity_begin_[e + 1] - entity_begin_[e]);
}

void PairHistory::append(const Query& query, std::vector<CandidateFeature>& features) const {
  append_same_question(query, features);
  if (looks_near(kind_)) append_near(query, features);
}

void PairHistory::append_same_question(const Query& query,
                                       std::vector<CandidateFeature>& features) const {
  const auto found = std::ranges::equal_range(entries_of(entries_, query.subject), query.relation,
                                              {}, &Entry::relation);
  constexpr std::int32_t never = std::numeric_limits<std::int32_t>::max();
  for (auto entry = found.begin(); entry != found.end();) {
    const std::int32_t answer = entry->answer;
    std::int32_t gap = never;
    for (; entry != found.end() && entry->answer == answer; ++entry) {
      if (!is_asked(*entry, query)) gap = std::min(gap, std::abs(distance_to(*entry, query.time)));
    }
    if (gap == never) continue;
    features.push_back(
        {answer, weight(query, kind_ == HistoryKind::relation ? 0 : gap_bucket(gap))});
  }
}

// Each feature of a candidate once, however many facts say so.
void PairHistory::append_near(const Query& query, std::vector<CandidateFeature>& features) const {
  const std::size_t before = features.size();
  const std::int32_t asked = relations_.relation_of(query.relation);
  const bool reversed = relations_.is_reciprocal(query.relation);
  const auto own = entries_of(by_time_, query.subject);
  auto entry = std::ranges::lower_bound(own, query.time - near_times - longest_, {}, &Entry::first);
  for (; entry != own.end() && entry->first <= query.time + near_times; ++entry) {
    const std::int32_t distance = distance_to(*entry, query.time);
    if (distance < -near_times) continue;
    const bool same_way = relations_.is_reciprocal(entry->relation) == reversed;
    const bool same_relation = relations_.relation_of(entry->relation) == asked;
    // The question itself, at this or another time; of a loop its own fact has both directions, and
    // where facts are read by their ends both are at both times.
    const bool own_loop = entry->answer == query.subject && (distance == 0 || relations_.ends);
    if (same_relation && (same_way || own_loop)) continue;
    const NearBy by = same_relation ? NearBy::reversed
                      : same_way    ? NearBy::other
                                    : NearBy::other_reversed;
    const std::int32_t place =
        gap_features + static_cast<std::int32_t>(by) * near_buckets + near_bucket(distance);
    features.push_back({entry->answer, weight(query, place)});
    if (distance != 0) continue;
    if (const std::int32_t nth = companion(query.relation, entry->relation); nth >= 0)
      features.push_back({entry->answer, weight(query, gap_features + near_features + nth)});
  }
  const auto begin = features.begin() + static_cast<std::ptrdiff_t>(before);
  std::sort(begin, features.end());
  features.erase(std::unique(begin, features.end()), features.end());
}

}  // namespace orrery
