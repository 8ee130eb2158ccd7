// The history of a pair: when train says that a candidate was an answer to the same question, at
// another time than the question's. Some relations happen once, some repeat, some come back.
// Where facts are read by their ends, another time may lie in the same time row: then dates tell
// them apart, and a question that does not name its fact's dates counts all of a row as its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/candidate_features.h"
#include "data/temporal_graph.h"

namespace orrery {

// A fact of train in ids and time rows: the rows in which it holds, or those of its start and end.
struct KnownFact {
  std::int32_t subject = 0, relation = 0, object = 0;
  std::int32_t first = 0, last = 0;  // Moment::unknown: an open side
  std::int32_t dates = 0;            // TemporalGraph::dates_key

  friend auto operator<=>(const KnownFact&, const KnownFact&) = default;
};
// Of the train split alone, sorted.
std::vector<KnownFact> known_facts(const TemporalGraph& data);

enum class HistoryKind {
  none,
  relation,  // known at another time, or not
  gap,       // how far away the nearest such time is
  near,      // that, and what else train says of the two of them around the time of the question
  lifetime,  // that, and how well a candidate's own facts lie around it, see data/lifetimes.h
};
HistoryKind history_kind_named(std::string_view name);
// Learned numbers of a relation row.
std::int32_t features_per_relation(HistoryKind kind);
// Which of them are alike, by their place: those of one group, −1 of none. Numbers of which
// validation says little are fitted near those of their group. `ends`: facts are read by their
// ends; of others no candidate is known by other dates at the time of a question.
std::vector<std::int32_t> feature_groups(HistoryKind kind, bool ends);
// In words, by their place among them.
std::vector<std::string> feature_names(HistoryKind kind);
// Which companion of its relation row (from 0) the number at a place is of; −1: of none.
std::int32_t companion_at(HistoryKind kind, std::int32_t place);
// Of a table of those numbers, by relation row: what a candidate's timeliness is worth, the last of
// each. Empty where the kind has none.
std::vector<float> lifetime_column(HistoryKind kind, std::span<const float> table);
void set_lifetime_column(HistoryKind kind, std::span<const float> column, std::span<float> table);
// Leaves out of such a table what has another meaning on other facts: companions are known by their
// places, and timeliness is only ever fitted.
void keep_what_carries_over(HistoryKind kind, std::span<float> table);

class PairHistory final : public CandidateFeatures {
 public:
  // `added`: facts that are known as well, but of which relations go together was not learned.
  PairHistory(HistoryKind kind, std::span<const KnownFact> facts, RelationIds relations,
              std::int32_t entities, std::span<const KnownFact> added = {});

  void append(const Query& query, std::vector<CandidateFeature>& features) const override;

  // Relation rows that have numbers of their own in a relation row, in the order of those.
  std::span<const std::int32_t> companions(std::int32_t relation) const;

  // Of memory, with both orders of its entries.
  static constexpr std::uint64_t bytes_per_example = 2 * 7 * sizeof(std::int32_t);

 private:
  // One answer to the questions of an entity, and the time rows of which it is one.
  struct Entry {
    std::int32_t relation = 0, answer = 0, first = 0, last = 0, dates = 0;
    std::int32_t holds_from = 0, holds_to = 0;  // of the fact, of which this may be one end

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  std::span<const Entry> entries_of(const std::vector<Entry>& entries, std::int32_t entity) const;
  void append_same_question(const Query& query, std::vector<CandidateFeature>& features) const;
  void append_near(const Query& query, std::vector<CandidateFeature>& features) const;
  void find_companions();
  // Which of a relation row's companions another one is; −1: none.
  std::int32_t companion(std::int32_t relation, std::int32_t other) const;
  std::int32_t weight(const Query& query, std::int32_t feature) const {
    return query.relation * features_per_relation(kind_) + feature;
  }

  HistoryKind kind_;
  RelationIds relations_;
  std::vector<std::uint64_t> entity_begin_;  // entity e's entries begin here
  std::vector<Entry> entries_;               // of an entity, sorted
  std::vector<Entry> by_time_;               // the same in the order of their first rows
  std::int32_t longest_ = 0;                 // rows from first to last of an entry
  // Relation rows that most often say the same pair at the same time, by relation row.
  std::vector<std::vector<std::int32_t>> companions_;
};

}  // namespace orrery
