// The laws of the demo world: how its facts come about, and what follows from given facts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "data/examples.h"
#include "demo/world.h"

namespace orrery {

enum class DemoRelation {
  negotiates_with,
  lends_to,
  supplies_energy_to,
  buys_energy_from,
  chairs,
  is_chaired_by,
  threatens,
  retaliates_against,
  invites,
  visits,
  meets_in,
  lies_in,
  comments_on,
  recognises,
  consults,
  speaks_in,
};
std::string_view name_of(DemoRelation relation);

struct DemoCalendar {
  static constexpr int weeks = 104;
  static constexpr int weeks_per_quarter = 13;  // rivals and guests change with the quarter
  static constexpr int weeks_per_term = 52;     // organisations change their chair
  static constexpr int weeks_per_tour = 6;      // organisations return to the same city
  static constexpr int weeks_per_census = 4;    // each census lists one continent completely
  static constexpr int weeks_per_year = 52;     // leaders speak in the same city a year later
  static constexpr int retaliation_lag = 3;
  static constexpr int visit_lag = 2;
};

struct DemoFact {
  int subject = 0;
  DemoRelation relation = DemoRelation::comments_on;
  int object = 0;
  int week = 0;
};

struct PlantedFact {
  DemoFact fact;
  Pattern pattern = Pattern::noise;
  bool follows = false;    // from facts that are never held out, so this one may be
  std::uint64_t fate = 0;  // facts of one fate are held out together
};

// Every fact of the world, each exactly once.
std::vector<PlantedFact> plant_demo_facts(std::uint64_t seed);

class DemoFacts {
 public:
  void add(const DemoFact& fact);
  // Answers to the fact's question at its own week, all those on record.
  const std::vector<int>& answers(const DemoFact& fact, Direction asked) const;
  const std::vector<int>& objects(int subject, DemoRelation relation, int week) const;
  const std::vector<int>& subjects(DemoRelation relation, int object, int week) const;

 private:
  using Answers = std::map<std::array<int, 3>, std::vector<int>>;
  static const std::vector<int>& find(const Answers& in, int entity, DemoRelation relation,
                                      int week);

  Answers objects_, subjects_;
};

// Whether a state recognises another one some day: those of the next four regions, once each.
bool will_recognise(int state, int other);

// All answers that the rules allow, given these facts; sorted, distinct.
std::vector<int> demo_candidates(const DemoFacts& given, const DemoFact& fact, Pattern pattern,
                                 Direction asked);

}  // namespace orrery
