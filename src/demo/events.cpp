#include "demo/events.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "data/new_files.h"
#include "demo/event_draw.h"
#include "demo/statements.h"
#include "fetch/catalogue.h"

namespace orrery {
namespace {

struct Calendar {
  std::string_view set;
  Date first_day;
  std::int32_t days;
};
constexpr Calendar calendars[] = {{"icews14", {2014, 1, 1}, 365},
                                  {"icews05-15", {2005, 1, 1}, 4'017},
                                  {"gdelt", {2015, 4, 1}, 366}};

const Calendar& calendar_of(std::string_view set) {
  std::string known;
  for (const Calendar& calendar : calendars) {
    if (calendar.set == set) return calendar;
    known += std::string(calendar.set) + ", ";
  }
  known += StatementShape::like;
  fail_request(About{.option = "like", .advice = worded("known are: {}", known)},
               "no world is made like \"{}\"", set);
}

// Facts seen so far, by one word each: open addressing, at most half full.
class SeenFacts {
 public:
  SeenFacts(const EventShape& shape, std::uint64_t most)
      : shape_(shape), slots_(std::bit_ceil(2 * most + 1), empty) {}

  // False where it was there before.
  bool insert(const Fact& fact) {
    const auto entities = static_cast<std::uint64_t>(shape_.entities);
    std::uint64_t word = static_cast<std::uint64_t>(fact.subject) * entities +
                         static_cast<std::uint64_t>(fact.object);
    word = word * static_cast<std::uint64_t>(shape_.relations) +
           static_cast<std::uint64_t>(fact.relation);
    word = word * static_cast<std::uint64_t>(shape_.days) + static_cast<std::uint64_t>(fact.when);
    const std::uint64_t mask = slots_.size() - 1;
    for (std::uint64_t slot = mix(word) & mask;; slot = (slot + 1) & mask) {
      if (slots_[slot] == word) return false;
      if (slots_[slot] != empty) continue;
      slots_[slot] = word;
      return true;
    }
  }

 private:
  static constexpr std::uint64_t empty = ~std::uint64_t{0};
  const EventShape& shape_;
  std::vector<std::uint64_t> slots_;
};

// The first facts name every entity, relation and day; the others are as chance has it.
std::vector<Fact> draw_facts(const EventShape& shape, std::uint64_t seed, std::uint64_t naming,
                             std::uint64_t count) {
  const EventDraw events(shape, seed);
  const std::uint64_t most_tries = 64 * count;
  SeenFacts seen(shape, count);
  std::vector<Fact> facts;
  facts.reserve(count);
  for (std::uint64_t number = 0; facts.size() < count; ++number) {
    if (number == most_tries)
      fail_request("{} different facts are too many for {} entities, {} relations and {} days",
                   count, shape.entities, shape.relations, shape.days);
    const auto at = static_cast<std::int32_t>(std::min(facts.size(), naming));
    const Fact fact = facts.size() < naming ? events.draw(number, at % shape.entities,
                                                          at % shape.relations, at % shape.days)
                                            : events.draw(number);
    if (fact.subject != fact.object && seen.insert(fact)) facts.push_back(fact);
  }
  return facts;
}

// By popularity would be told by the numbers, so they are dealt anew.
std::vector<std::string> names_of(std::string_view kind, std::int32_t count, std::uint64_t key) {
  const RandomPermutation deal(static_cast<std::uint64_t>(count), key);
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < count; ++i)
    names.push_back(fmt::format("{} {}", kind, deal(static_cast<std::uint64_t>(i)) + 1));
  return names;
}

std::vector<std::string> dates_of(const EventShape& shape) {
  const TimePoint first = time_point(shape.first_day, Granularity::day);
  std::vector<std::string> dates;
  for (std::int32_t day = 0; day < shape.days; ++day)
    dates.push_back(label(first + day, Granularity::day));
  return dates;
}

std::string readme_of(const EventWorld& world) {
  const EventShape& shape = world.shape;
  return fmt::format(
      R"(A synthetic world of the shape of {}, written by `orrery data demo --like` with seed {}.
It holds no fact of that set, and no score on it says anything about that set.

train.txt ({} facts), valid.txt ({}), test.txt ({}): subject TAB relation TAB object TAB day.
{} entities, {} relations, {} days; no fact occurs twice, and every name and day is in train.txt.

Few names are in many facts, and half of what is not noise comes back on other days. Entities live in
circles, and a relation leads from each circle to one other: always the same (steady), as the
relation before it turned round, another one each quarter of the time (evolving), or there and back
(mutual). One fact in five is noise.
)",
      shape.like, world.seed, shape.facts[0], shape.facts[1], shape.facts[2], shape.entities,
      shape.relations, shape.days);
}

}  // namespace

EventShape event_shape_like(std::string_view set, double scale) {
  const Calendar& calendar = calendar_of(set);
  if (!(scale > 0 && scale <= 1))
    fail_request(About{.option = "scale"}, "the scale is {}, but must be above 0 and at most 1",
                 scale);
  const Benchmark& known = catalogue_entry(set);
  const double side = std::sqrt(std::sqrt(scale));
  const auto scaled = [](auto count, double by) {
    return std::max(1.0, std::round(static_cast<double>(count) * by));
  };
  EventShape shape;
  shape.like = known.name;
  for (std::size_t i = 0; i < 3; ++i)
    shape.facts[i] = static_cast<std::uint64_t>(scaled(known.splits[i].facts, scale));
  shape.entities = static_cast<std::int32_t>(scaled(known.entities, side));
  shape.relations = static_cast<std::int32_t>(scaled(known.relations, side));
  shape.days = static_cast<std::int32_t>(scaled(calendar.days, side));
  shape.first_day = calendar.first_day;
  return shape;
}

EventWorld make_event_world(const EventShape& shape, std::uint64_t seed) {
  const auto naming =
      static_cast<std::uint64_t>(std::max({shape.entities, shape.relations, shape.days}));
  if (shape.facts[0] < naming)
    fail_request(About{.option = "scale", .advice = worded("take a larger $scale")},
                 "{} train facts cannot name {} entities, {} relations and {} days", shape.facts[0],
                 shape.entities, shape.relations, shape.days);
  const std::uint64_t count = shape.facts[0] + shape.facts[1] + shape.facts[2];
  const std::vector<Fact> facts = draw_facts(shape, seed, naming, count);

  EventWorld world{shape, seed, {}};
  for (std::size_t i = 0; i < 3; ++i) world.events[i].reserve(shape.facts[i]);
  constexpr std::uint64_t split_key = 100;
  const RandomPermutation deal(count - naming, random_bits(seed, split_key));
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t place = i < naming ? i : naming + deal(i - naming);
    const int split = place < shape.facts[0] ? 0 : place < shape.facts[0] + shape.facts[1] ? 1 : 2;
    world.events[split].push_back(facts[i]);
  }
  for (auto& events : world.events)
    std::ranges::sort(events, {}, [](const Fact& fact) {
      return std::tuple(fact.when, fact.subject, fact.relation, fact.object);
    });
  return world;
}

std::vector<std::filesystem::path> write_event_world(const EventWorld& world,
                                                     const std::filesystem::path& directory) {
  const EventShape& shape = world.shape;
  const auto entities = names_of("Actor", shape.entities, random_bits(world.seed, 101));
  const auto relations = names_of("Event", shape.relations, random_bits(world.seed, 102));
  const auto dates = dates_of(shape);
  const auto name = [](const std::vector<std::string>& names, std::int32_t id) {
    return std::string_view(names[static_cast<std::size_t>(id)]);
  };
  const auto text_of = [&](Split split) {
    std::string text;
    for (const Fact& fact : world.events[static_cast<int>(split)]) {
      text.append(name(entities, fact.subject)).append("\t");
      text.append(name(relations, fact.relation)).append("\t");
      text.append(name(entities, fact.object)).append("\t");
      text.append(name(dates, fact.when)).append("\n");
    }
    return text;
  };
  const NewFile files[] = {{"train.txt", text_of(Split::train)},
                           {"valid.txt", text_of(Split::valid)},
                           {"test.txt", text_of(Split::test)},
                           {"README.txt", readme_of(world)}};
  return write_new_files(files, directory);
}

}  // namespace orrery
