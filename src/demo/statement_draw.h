// What is said of one entity in a world of statements.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "demo/statements.h"
#include "demo/things.h"

namespace orrery {

// A relation leads from one kind to one kind, and from a circle to a circle: to the subject's own,
// always to the same other one, or since some year to another one. One statement in seven leads to
// any circle instead, the large ones most often. An entity has a year in which it begins, and
// statements about it start in the years after that.
class StatementDraw {
 public:
  StatementDraw(const StatementShape& shape, std::uint64_t seed);

  // The first starts in the entity's first year; the first entities of a kind take a relation each.
  // No triple comes twice, unless the entity has run out of others; it then has another time.
  void draw(std::int32_t entity, std::uint64_t count, std::vector<Statement>& statements) const;

 private:
  struct Relation {
    Kind subject = Kind::person, object = Kind::person;
    bool lasts = false;  // for years; else each of its statements is of one year
    std::int32_t turn = 0;
    std::array<std::int32_t, 2> steps = {};  // from circle to circle, before the turn and after
  };
  struct Subject {
    std::int32_t entity = 0;
    std::size_t kind = 0, number = 0;  // within its kind
    std::int32_t circle = 0, first_year = 0;
  };
  class Dice;

  Relation relation(std::int32_t number) const;
  std::int32_t drawn_year(double uniform) const;
  std::int32_t first_year_of(std::int32_t entity, Dice& dice) const;
  std::int32_t year_after(std::int32_t year, double most, Dice& dice) const;
  std::int32_t draw_last_year(const Statement& statement, Dice& dice) const;
  Statement draw_first(const Subject& subject, Dice& dice) const;
  Statement draw_further(const Subject& subject, bool at_any_time, Dice& dice) const;
  std::int32_t draw_object(const Statement& statement, std::int32_t circle, Dice& dice) const;

  std::uint64_t seed_;
  std::int32_t years_;
  Things things_;
  std::vector<Relation> relations_;
  std::array<std::vector<std::int32_t>, kind_names.size()> relations_of_;  // by kind of subject
  std::vector<Zipf> relation_lots_;                                        // the same
};

}  // namespace orrery
