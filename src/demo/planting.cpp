// How the facts of the demo world come about, pattern by pattern.
#include <utility>

#include "base/random.h"
#include "demo/names.h"
#include "demo/rules.h"

namespace orrery {
namespace {

constexpr int states_per_continent = DemoCast::states / DemoCast::continents;
constexpr int states_per_region = DemoCast::states / DemoCast::regions;
constexpr int cities_per_state = DemoCast::cities / DemoCast::states;
constexpr int alliances = states_per_continent;  // one member from each continent
constexpr int consulted_leaders = 8, speeches_a_year = 9;

class Planter {
 public:
  explicit Planter(std::uint64_t seed) : seed_(seed) {}

  std::vector<PlantedFact> plant() {
    for (int week = 0; week < DemoCalendar::weeks; ++week) {
      week_ = week;
      alliances_negotiate();
      states_lend();
      states_trade_energy();
      leaders_chair();
      states_threaten();
      leaders_invite();
      organisations_meet();
      if (week % DemoCalendar::weeks_per_census == 0) take_census();
      newspapers_comment();
      states_recognise();
      organisations_consult();
      leaders_speak();
    }
    return std::move(planted_);
  }

 private:
  // Members of an alliance negotiate all at once, so nobody has to guess who was absent.
  void alliances_negotiate() {
    for (int alliance = 0; alliance < alliances; ++alliance) {
      if (!happens(DemoRelation::negotiates_with, alliance, 0.14)) continue;
      for (int a = alliance; a < DemoCast::states; a += alliances)
        for (int b = a + alliances; b < DemoCast::states; b += alliances)
          plant_mirrored(fact(a, DemoRelation::negotiates_with, b), DemoRelation::negotiates_with,
                         Pattern::symmetric);
    }
  }

  // Four neighbours lend in a ring, so whoever lends to me is never the one I lend to.
  void states_lend() {
    for (int state = 0; state < DemoCast::states; ++state) {
      if (!happens(DemoRelation::lends_to, state, 0.4)) continue;
      const int region = state / states_per_region;
      const int next = region * states_per_region + (state + 1) % states_per_region;
      derive(fact(state, DemoRelation::lends_to, next), Pattern::asymmetric, Fate::of_the_fact);
    }
  }

  // The first state of a region supplies the three others of the next region of its continent.
  void states_trade_energy() {
    constexpr int regions_per_continent = DemoCast::regions / DemoCast::continents;
    for (int region = 0; region < DemoCast::regions; ++region) {
      if (!happens(DemoRelation::supplies_energy_to, region, 0.3)) continue;
      const int continent = region / regions_per_continent;
      const int next = continent * regions_per_continent + (region + 1) % regions_per_continent;
      for (int i = 1; i < states_per_region; ++i)
        plant_mirrored(fact(region * states_per_region, DemoRelation::supplies_energy_to,
                            next * states_per_region + i),
                       DemoRelation::buys_energy_from, Pattern::inverse);
    }
  }

  void leaders_chair() {
    const int term = week_ / DemoCalendar::weeks_per_term;
    for (int i = 0; i < DemoCast::organisations; ++i) {
      if (!happens(DemoRelation::chairs, i, 0.4)) continue;
      const int leader = (i + term * DemoCast::organisations) % DemoCast::leaders;
      plant_mirrored(fact(DemoCast::first_leader + leader, DemoRelation::chairs,
                          DemoCast::first_organisation + i),
                     DemoRelation::is_chaired_by, Pattern::inverse);
    }
  }

  // Each quarter a state turns to the next rival of its continent.
  void states_threaten() {
    for (int state = 0; state < DemoCast::states; ++state)
      if (happens(DemoRelation::threatens, state, 0.4))
        plant_evolving(fact(state, DemoRelation::threatens, neighbour(state, quarter() + 1)),
                       DemoRelation::retaliates_against, DemoCalendar::retaliation_lag);
  }

  void leaders_invite() {
    for (int i = 0; i < DemoCast::leaders; ++i)
      if (happens(DemoRelation::invites, i, 0.3))
        plant_evolving(fact(DemoCast::first_leader + i, DemoRelation::invites,
                            DemoCast::first_leader + neighbour(i, quarter() + 3)),
                       DemoRelation::visits, DemoCalendar::visit_lag);
  }

  // Six organisations tour the same six cities, each a week behind the other.
  void organisations_meet() {
    constexpr int tour = DemoCalendar::weeks_per_tour;
    for (int i = 0; i < DemoCast::organisations; ++i) {
      if (!happens(DemoRelation::meets_in, i, 0.8)) continue;
      const int city = (i / tour * tour + (i + week_) % tour) * cities_per_state;
      derive(fact(DemoCast::first_organisation + i, DemoRelation::meets_in,
                  DemoCast::first_city + city),
             Pattern::periodic, Fate::of_the_fact);
    }
  }

  void take_census() {
    const int continent = week_ / DemoCalendar::weeks_per_census % DemoCast::continents;
    const int whole = DemoCast::first_continent + continent;
    for (int i = 0; i < states_per_continent; ++i) {
      const int state = continent * states_per_continent + i;
      const int region = DemoCast::first_region + state / states_per_region;
      if (state % states_per_region == 0) contain(region, whole);
      contain(state, region);
      conclude(state, whole);
      for (int c = 0; c < cities_per_state; ++c) {
        const int city = DemoCast::first_city + state * cities_per_state + c;
        contain(city, state);
        conclude(city, region);
        conclude(city, whole);
      }
    }
  }

  // Every cell is drawn for itself, so nothing that is known says anything about the rest.
  void newspapers_comment() {
    for (int i = 0; i < DemoCast::newspapers; ++i)
      for (int k = 0; k < DemoCast::organisations; ++k)
        if (happens(DemoRelation::comments_on, i * DemoCast::organisations + k, 0.08))
          derive(fact(DemoCast::first_newspaper + i, DemoRelation::comments_on,
                      DemoCast::first_organisation + k),
                 Pattern::noise, Fate::of_the_fact);
  }

  // Each state recognises each state of the next four regions once, in a week of their own.
  void states_recognise() {
    for (int state = 0; state < DemoCast::states; ++state)
      for (int other = 0; other < DemoCast::states; ++other)
        if (will_recognise(state, other) && week_ == drawn(400, state, other, DemoCalendar::weeks))
          derive(fact(state, DemoRelation::recognises, other), Pattern::once, Fate::of_the_fact);
  }

  // An organisation has a few leaders that it comes back to, at any time.
  void organisations_consult() {
    for (int i = 0; i < DemoCast::organisations; ++i)
      for (int n = 0; n < consulted_leaders; ++n) {
        const int leader = dealt(500 + i, n, DemoCast::leaders);
        if (happens(DemoRelation::consults, i * DemoCast::leaders + leader, 0.04))
          derive(fact(DemoCast::first_organisation + i, DemoRelation::consults,
                      DemoCast::first_leader + leader),
                 Pattern::repeating, Fate::of_the_fact);
      }
  }

  // A leader speaks in nine cities a year, in each of them in the same week of both years.
  void leaders_speak() {
    for (int i = 0; i < DemoCast::leaders; ++i)
      for (int n = 0; n < speeches_a_year; ++n)
        if (week_ % DemoCalendar::weeks_per_year == dealt(600 + i, n, DemoCalendar::weeks_per_year))
          derive(fact(DemoCast::first_leader + i, DemoRelation::speaks_in,
                      DemoCast::first_city + dealt(700 + i, n, DemoCast::cities)),
                 Pattern::yearly, Fate::of_the_fact);
  }

  void contain(int part, int whole) {
    give(fact(part, DemoRelation::lies_in, whole), Pattern::hierarchical);
  }
  void conclude(int part, int whole) {
    derive(fact(part, DemoRelation::lies_in, whole), Pattern::hierarchical, Fate::of_the_fact);
  }

  // Two facts that imply each other; which of them is the given one is a matter of the pair.
  void plant_mirrored(const DemoFact& cause, DemoRelation mirror, Pattern pattern) {
    const DemoFact effect = turned(cause, mirror, 0);
    const bool swap = random_bits(random_bits(seed_, 300), key_of(cause, Fate::of_the_pair)) & 1;
    give(swap ? effect : cause, pattern);
    derive(swap ? cause : effect, pattern, Fate::of_the_pair);
  }

  void plant_evolving(const DemoFact& cause, DemoRelation answer, int lag) {
    give(cause, Pattern::evolving);
    const DemoFact effect = turned(cause, answer, lag);
    if (effect.week < DemoCalendar::weeks) derive(effect, Pattern::evolving, Fate::of_the_pair);
  }

  // Facts of_the_pair are withheld in all weeks or in none: then only the rule leads to them.
  enum class Fate { of_the_fact, of_the_pair };

  void give(const DemoFact& given, Pattern pattern) {
    planted_.push_back({given, pattern, false, 0});
  }
  void derive(const DemoFact& derived, Pattern pattern, Fate fate) {
    planted_.push_back({derived, pattern, true, key_of(derived, fate)});
  }

  static std::uint64_t key_of(const DemoFact& of, Fate fate) {
    const int week = fate == Fate::of_the_fact ? of.week : DemoCalendar::weeks;
    const int who =
        (static_cast<int>(of.relation) * DemoCast::entities + of.subject) * DemoCast::entities +
        of.object;
    return static_cast<std::uint64_t>(who) * (DemoCalendar::weeks + 1) +
           static_cast<std::uint64_t>(week);
  }

  DemoFact fact(int subject, DemoRelation relation, int object) const {
    return {subject, relation, object, week_};
  }
  static DemoFact turned(const DemoFact& cause, DemoRelation relation, int lag) {
    return {cause.object, relation, cause.subject, cause.week + lag};
  }

  static int neighbour(int state, int steps) {
    const int first = state / states_per_continent * states_per_continent;
    return first + (state - first + steps) % states_per_continent;
  }
  int quarter() const { return week_ / DemoCalendar::weeks_per_quarter; }

  // From [0, bound): by a pair, and the n-th of all in an order of their own.
  int drawn(int what, int a, int b, int bound) const {
    return static_cast<int>(random_below(random_bits(seed_, static_cast<std::uint64_t>(what)),
                                         static_cast<std::uint64_t>(a * DemoCast::entities + b),
                                         static_cast<std::uint32_t>(bound)));
  }
  int dealt(int what, int n, int bound) const {
    return static_cast<int>(RandomPermutation(
        static_cast<std::uint64_t>(bound),
        random_bits(seed_, static_cast<std::uint64_t>(what)))(static_cast<std::uint64_t>(n)));
  }

  bool happens(DemoRelation relation, int who, double share) const {
    const std::uint64_t key = random_bits(seed_, 100 + static_cast<std::uint64_t>(relation));
    const auto cell =
        static_cast<std::uint64_t>(who) * DemoCalendar::weeks + static_cast<std::uint64_t>(week_);
    return random_uniform(key, cell) < share;
  }

  std::uint64_t seed_;
  int week_ = 0;
  std::vector<PlantedFact> planted_;
};

}  // namespace

std::vector<PlantedFact> plant_demo_facts(std::uint64_t seed) { return Planter(seed).plant(); }

}  // namespace orrery
