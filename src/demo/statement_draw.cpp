#include "demo/statement_draw.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace orrery {
namespace {

constexpr double noise = 1.0 / 7, relation_skew = 1.4, member_skew = 0.8;
// Of all years: 20, 60 and 40 of 2,000.
constexpr double recent_share = 0.01, life = 0.03, most_lasting = 0.02;
constexpr int tries_for_a_new_triple = 8;

// In turn, the most used first.
struct Ends {
  Kind subject, object;
};
constexpr Ends relation_ends[] = {
    {Kind::person, Kind::country},       {Kind::person, Kind::topic},
    {Kind::work, Kind::person},          {Kind::place, Kind::country},
    {Kind::person, Kind::place},         {Kind::person, Kind::organisation},
    {Kind::organisation, Kind::country}, {Kind::work, Kind::topic},
    {Kind::person, Kind::work},          {Kind::person, Kind::person},
    {Kind::topic, Kind::topic},          {Kind::country, Kind::country},
    {Kind::place, Kind::place},          {Kind::work, Kind::country},
    {Kind::organisation, Kind::place},   {Kind::person, Kind::topic},
    {Kind::work, Kind::organisation},    {Kind::organisation, Kind::person},
    {Kind::country, Kind::person},       {Kind::place, Kind::person}};
static_assert(std::size(relation_ends) == StatementShape::fewest_relations);

enum Drawn : std::uint64_t { of_subject = 200, of_relation };

}  // namespace

// Numbers for one entity or relation, one after the other.
class StatementDraw::Dice {
 public:
  Dice(std::uint64_t seed, Drawn what, std::int32_t number)
      : key_(random_bits(random_bits(seed, what), static_cast<std::uint64_t>(number))) {}

  double roll() { return random_uniform(key_, rolled_++); }
  std::int32_t below(std::int32_t bound) { return static_cast<std::int32_t>(roll() * bound); }

 private:
  std::uint64_t key_, rolled_ = 0;
};

StatementDraw::StatementDraw(const StatementShape& shape, std::uint64_t seed)
    : seed_(seed), years_(shape.years), things_(shape.entities, seed) {
  for (std::int32_t number = 0; number < shape.relations; ++number) {
    relations_.push_back(relation(number));
    relations_of_[static_cast<std::size_t>(relations_.back().subject)].push_back(number);
  }
  for (const auto& relations : relations_of_)
    relation_lots_.emplace_back(relations.size(), relation_skew);
}

// By its number, so that worlds of all seeds have the same manners.
StatementDraw::Relation StatementDraw::relation(std::int32_t number) const {
  constexpr auto turns = static_cast<std::int32_t>(std::size(relation_ends));
  const Ends& ends = relation_ends[number % turns];
  const std::int32_t deal = number + number / turns;
  Dice dice(seed_, of_relation, number);
  Relation relation{ends.subject, ends.object, deal / 4 % 2 == 0, drawn_year(dice.roll()), {}};
  const std::int32_t step = 1 + dice.below(things_.circles() - 1);
  if (deal % 4 == 2) relation.steps = {step, step};
  if (deal % 4 == 3) relation.steps = {0, step};
  return relation;
}

// Most of what is on record is recent: half of it in the last eleventh of the years.
std::int32_t StatementDraw::drawn_year(double uniform) const {
  const double recent = recent_share * years_;
  const double age = recent * (std::pow(1 + 1 / recent_share, uniform) - 1);
  return std::max(years_ - 1 - static_cast<std::int32_t>(age), 0);
}

// The first entities begin in one year each, so that none is missing.
std::int32_t StatementDraw::first_year_of(std::int32_t subject, Dice& dice) const {
  const std::int32_t drawn = drawn_year(dice.roll());
  return subject < years_ ? subject : drawn;
}

// Up to so many years later, and rather soon.
std::int32_t StatementDraw::year_after(std::int32_t year, double most, Dice& dice) const {
  const double uniform = dice.roll();
  const double room = std::min(most, static_cast<double>(years_ - 1 - year));
  return year + static_cast<std::int32_t>(uniform * uniform * (room + 1));
}

// What lasts does so into the next year at least.
std::int32_t StatementDraw::draw_last_year(const Statement& statement, Dice& dice) const {
  if (!relations_[static_cast<std::size_t>(statement.relation)].lasts) return statement.first_year;
  return year_after(std::min(statement.first_year + 1, years_ - 1), most_lasting * years_, dice);
}

std::int32_t StatementDraw::draw_object(const Statement& statement, std::int32_t circle,
                                        Dice& dice) const {
  const Relation& relation = relations_[static_cast<std::size_t>(statement.relation)];
  const std::int32_t step = relation.steps[statement.first_year < relation.turn ? 0 : 1];
  const double any = dice.roll();
  const std::int32_t to =
      any < noise ? things_.draw_circle(any / noise) : (circle + step) % things_.circles();
  const Things::Circle members = things_.members(relation.object, to);
  return static_cast<std::int32_t>(members.first +
                                   Zipf(members.size, member_skew).draw(dice.roll()));
}

Statement StatementDraw::draw_first(const Subject& subject, Dice& dice) const {
  const auto& relations = relations_of_[subject.kind];
  const std::size_t rank = subject.number < relations.size()
                               ? subject.number
                               : relation_lots_[subject.kind].draw(dice.roll());
  Statement drawn{subject.entity, relations[rank], 0, subject.first_year, 0};
  drawn.last_year = draw_last_year(drawn, dice);
  drawn.object = draw_object(drawn, subject.circle, dice);
  return drawn;
}

Statement StatementDraw::draw_further(const Subject& subject, bool at_any_time, Dice& dice) const {
  const std::size_t rank = relation_lots_[subject.kind].draw(dice.roll());
  Statement drawn{subject.entity, relations_of_[subject.kind][rank], 0, 0, 0};
  if (at_any_time) {
    drawn.first_year = dice.below(years_);
    drawn.last_year = year_after(drawn.first_year, years_, dice);
  } else {
    drawn.first_year = year_after(subject.first_year, life * years_, dice);
    drawn.last_year = draw_last_year(drawn, dice);
  }
  drawn.object = draw_object(drawn, subject.circle, dice);
  return drawn;
}

void StatementDraw::draw(std::int32_t entity, std::uint64_t count,
                         std::vector<Statement>& statements) const {
  Dice dice(seed_, of_subject, entity);
  const Subject subject{entity, static_cast<std::size_t>(things_.kind_of(entity)),
                        static_cast<std::size_t>(things_.number_in_kind(entity)),
                        things_.circle_of(entity), first_year_of(entity, dice)};
  statements.clear();
  int tries = 0;
  while (statements.size() < count) {
    const bool has_run_out = tries >= tries_for_a_new_triple;
    const Statement drawn =
        statements.empty() ? draw_first(subject, dice) : draw_further(subject, has_run_out, dice);
    const auto is_same = [&](const Statement& other) {
      return has_run_out ? other == drawn
                         : other.relation == drawn.relation && other.object == drawn.object;
    };
    ++tries;
    if (drawn.object == entity || std::ranges::any_of(statements, is_same)) continue;
    statements.push_back(drawn);
    tries = 0;
  }
}

}  // namespace orrery
