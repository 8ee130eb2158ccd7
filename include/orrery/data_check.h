// A check of a data set before training: counts, duplicates, leaks and warnings.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orrery/facts.h"

namespace orrery {

struct SplitCheck {
  std::uint64_t facts = 0;
  std::uint64_t duplicates = 0;         // facts beyond the first of their kind
  std::uint64_t ends_before_start = 0;  // interval facts that end before they start
  // valid and test only: facts with a name or time that is not in train, …
  std::uint64_t unseen_entity = 0;
  std::uint64_t unseen_relation = 0;
  std::uint64_t unseen_time = 0;
  std::uint64_t reversed_in_train = 0;  // … and facts (s, r, o, t) where train has (o, r, s, t)
  // What makes them easy: the same subject, relation and object in train, at another time, or valid
  // at a time that both share; and the fact as a symmetric or inverse relation of train states it,
  // at the same time.
  std::uint64_t at_another_time = 0;
  std::uint64_t at_shared_time = 0;
  std::uint64_t inverse_in_train = 0;
};

// Distinct facts that are in both splits.
struct Overlap {
  Split first = Split::train, second = Split::train;
  std::uint64_t facts = 0;
};

// Of the `facts` distinct facts (s, relation, o, t), `reversed` also occur as (o, inverse, s, t),
// in any split; relation = inverse means symmetric.
struct InverseRelation {
  std::int32_t relation = 0;
  std::int32_t inverse = 0;
  std::uint64_t facts = 0;
  std::uint64_t reversed = 0;
};

// How many objects a subject has, and the other way round, on average; from 1.5 on it is "many".
struct Cardinality {
  double objects = 0, subjects = 0;
  std::string name() const;  // "many-to-one": many subjects, one object
};

struct RelationProfile {
  std::int32_t relation = 0;
  std::uint64_t facts = 0;
  std::int32_t subjects = 0, objects = 0;  // distinct
  Cardinality at_one_time;
  Cardinality over_all_time;
};

// Facts of a stretch of time; of interval facts those valid in it.
struct TimeCount {
  std::string first, last;  // the names of its ends, both within
  std::uint64_t facts = 0;
};

// Names of one kind (entities, relations or times) by where they occur.
struct NameSpread {
  std::uint64_t only_in_train = 0;         // never asked for in valid or test
  std::uint64_t never_in_train = 0;        // in valid or test only
  std::vector<std::string> examples = {};  // of those that train never shows, at most 5
};

// Something that is often a mistake, and seldom the data's own nature.
struct Suspicion {
  std::string what;      // a word for programs: "self_loop"
  std::string sentence;  // for people: "facts with one entity as subject and object"
  std::uint64_t count = 0;
  std::vector<std::string> examples = {};  // facts or names, at most 5
  // By example: where it stands, "facts.csv:12", of what repeats both places; empty: not known.
  std::vector<std::string> places = {};
};

struct DataCheck {
  SplitCheck splits[3];  // by Split
  std::int32_t entities = 0, entities_in_train = 0;
  std::int32_t relations = 0;
  std::int32_t times = 0;
  bool intervals = false;
  std::string granularity;
  std::string first_time, last_time;
  std::vector<Overlap> overlaps;          // train-valid, train-test, valid-test
  std::vector<InverseRelation> inverses;  // at least 80 % reversed, most facts first
  bool one_list = false;                  // all facts are in train: there is nothing to compare
  std::vector<std::string> examples;      // at most five facts as sentences
  std::vector<TimeCount> facts_per_time;  // at most 100 stretches of one length, from first to last
  std::vector<RelationProfile> profiles;  // of every relation, most facts first
  NameSpread entity_spread, relation_spread, time_spread;
  std::vector<Suspicion> suspicions;
  std::string fingerprint;
  std::vector<std::string> warnings;  // as sentences; empty: no problem found
};

}  // namespace orrery
