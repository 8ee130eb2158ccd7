#include "demo/rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "demo/names.h"

namespace orrery {
namespace {

// `effect`(o, s, t + lag) holds whenever `cause`(s, o, t) does.
struct Mirror {
  DemoRelation effect, cause;
  int lag;
};
constexpr Mirror mirrors[] = {
    {DemoRelation::negotiates_with, DemoRelation::negotiates_with, 0},
    {DemoRelation::supplies_energy_to, DemoRelation::buys_energy_from, 0},
    {DemoRelation::buys_energy_from, DemoRelation::supplies_energy_to, 0},
    {DemoRelation::chairs, DemoRelation::is_chaired_by, 0},
    {DemoRelation::is_chaired_by, DemoRelation::chairs, 0},
    {DemoRelation::retaliates_against, DemoRelation::threatens, DemoCalendar::retaliation_lag},
    {DemoRelation::visits, DemoRelation::invites, DemoCalendar::visit_lag},
};

void append(std::vector<int>& to, const std::vector<int>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The question turned round: who stands on the other side of the cause?
std::vector<int> mirrored(const DemoFacts& given, const DemoFact& fact, Direction asked) {
  std::vector<int> found;
  for (const Mirror& mirror : mirrors) {
    if (mirror.effect != fact.relation) continue;
    const int week = fact.week - mirror.lag;
    append(found, asked == Direction::object ? given.subjects(mirror.cause, fact.subject, week)
                                             : given.objects(fact.object, mirror.cause, week));
  }
  return found;
}

// What was true `step` weeks, or a multiple of that, before or after.
std::vector<int> repeated(const DemoFacts& given, DemoFact fact, Direction asked, int step) {
  std::vector<int> found;
  for (fact.week %= step; fact.week < DemoCalendar::weeks; fact.week += step)
    append(found, given.answers(fact, asked));
  return found;
}

std::vector<int> transitive(const DemoFacts& given, const DemoFact& fact, Direction asked) {
  std::vector<int> found;
  DemoFact step = fact;
  for (const int middle : given.answers(fact, asked)) {
    (asked == Direction::object ? step.subject : step.object) = middle;
    append(found, given.answers(step, asked));
  }
  return found;
}

std::vector<int> anyone(Direction asked) {
  const auto [first, size] = asked == Direction::object
                                 ? std::pair(DemoCast::first_organisation, DemoCast::organisations)
                                 : std::pair(DemoCast::first_newspaper, DemoCast::newspapers);
  std::vector<int> found(static_cast<std::size_t>(size));
  std::iota(found.begin(), found.end(), first);
  return found;
}

// Who was not met yet, of those that are met once.
std::vector<int> remaining(const DemoFacts& given, DemoFact fact, Direction asked) {
  std::vector<int> met;
  const DemoFact asked_fact = fact;
  for (fact.week = 0; fact.week < DemoCalendar::weeks; ++fact.week)
    append(met, given.answers(fact, asked));
  std::vector<int> found;
  for (int state = 0; state < DemoCast::states; ++state) {
    const bool meets = asked == Direction::object ? will_recognise(asked_fact.subject, state)
                                                  : will_recognise(state, asked_fact.object);
    if (meets && std::ranges::find(met, state) == met.end()) found.push_back(state);
  }
  return found;
}

std::vector<int> by_rule(const DemoFacts& given, const DemoFact& fact, Pattern pattern,
                         Direction asked) {
  switch (pattern) {
    case Pattern::symmetric:
    case Pattern::inverse:
    case Pattern::evolving:
      return mirrored(given, fact, asked);
    case Pattern::asymmetric:  // a lender stays with its debtor
    case Pattern::repeating:
      return repeated(given, fact, asked, 1);
    case Pattern::periodic:
      return repeated(given, fact, asked, DemoCalendar::weeks_per_tour);
    case Pattern::hierarchical:
      return transitive(given, fact, asked);
    case Pattern::once:
      return remaining(given, fact, asked);
    case Pattern::yearly:
      return repeated(given, fact, asked, DemoCalendar::weeks_per_year);
    case Pattern::noise:
      return anyone(asked);
  }
  fail_broken("no rule for pattern {}", static_cast<int>(pattern));
}

}  // namespace

std::string_view name_of(DemoRelation relation) {
  switch (relation) {
    case DemoRelation::negotiates_with:
      return "negotiates with";
    case DemoRelation::lends_to:
      return "lends to";
    case DemoRelation::supplies_energy_to:
      return "supplies energy to";
    case DemoRelation::buys_energy_from:
      return "buys energy from";
    case DemoRelation::chairs:
      return "chairs";
    case DemoRelation::is_chaired_by:
      return "is chaired by";
    case DemoRelation::threatens:
      return "threatens";
    case DemoRelation::retaliates_against:
      return "retaliates against";
    case DemoRelation::invites:
      return "invites";
    case DemoRelation::visits:
      return "visits";
    case DemoRelation::meets_in:
      return "meets in";
    case DemoRelation::lies_in:
      return "lies in";
    case DemoRelation::comments_on:
      return "comments on";
    case DemoRelation::recognises:
      return "recognises";
    case DemoRelation::consults:
      return "consults";
    case DemoRelation::speaks_in:
      return "speaks in";
  }
  fail_broken("no name for relation {}", static_cast<int>(relation));
}

bool will_recognise(int state, int other) {
  constexpr int size = DemoCast::states / DemoCast::regions;
  const int ahead = (other / size - state / size + DemoCast::regions) % DemoCast::regions;
  return ahead >= 1 && ahead <= 4;
}

void DemoFacts::add(const DemoFact& fact) {
  const int relation = static_cast<int>(fact.relation);
  objects_[{relation, fact.subject, fact.week}].push_back(fact.object);
  subjects_[{relation, fact.object, fact.week}].push_back(fact.subject);
}

const std::vector<int>& DemoFacts::find(const Answers& in, int entity, DemoRelation relation,
                                        int week) {
  static const std::vector<int> none;
  const auto found = in.find({static_cast<int>(relation), entity, week});
  return found == in.end() ? none : found->second;
}

const std::vector<int>& DemoFacts::objects(int subject, DemoRelation relation, int week) const {
  return find(objects_, subject, relation, week);
}

const std::vector<int>& DemoFacts::subjects(DemoRelation relation, int object, int week) const {
  return find(subjects_, object, relation, week);
}

const std::vector<int>& DemoFacts::answers(const DemoFact& fact, Direction asked) const {
  return asked == Direction::object ? objects(fact.subject, fact.relation, fact.week)
                                    : subjects(fact.relation, fact.object, fact.week);
}

std::vector<int> demo_candidates(const DemoFacts& given, const DemoFact& fact, Pattern pattern,
                                 Direction asked) {
  std::vector<int> found = by_rule(given, fact, pattern, asked);
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

}  // namespace orrery
