#include "demo/names.h"

#include <span>
#include <string_view>

#include "base/random.h"

namespace orrery {
namespace {

constexpr std::string_view state_stems[] = {"Vel",  "Tar", "Kes", "Bren", "Lun",  "Dor",
                                            "Silv", "Oth", "Ryn", "Zan",  "Pell", "Quor"};
constexpr std::string_view state_endings[] = {"avia", "oria", "umark", "esse"};

constexpr std::string_view given_names[] = {"Ada",  "Boris", "Clea",  "Dario",
                                            "Edda", "Felix", "Greta", "Hugo"};
constexpr std::string_view family_names[] = {"Amberly", "Castellan", "Drost",
                                             "Harkov",  "Ilmarin",   "Torvane"};

constexpr std::string_view city_stems[] = {"Alder", "Birch", "Copper", "Dawn", "Ember", "Frost",
                                           "Gull",  "Heron", "Iron",   "Lark", "Moss",  "Thorn"};
constexpr std::string_view city_endings[] = {"brook", "cliff", "fell",  "gate",
                                             "haven", "moor",  "reach", "wick"};

constexpr std::string_view region_sides[] = {"Northern", "Central", "Southern"};
constexpr std::string_view continents[] = {"Auster", "Borealia", "Meridia", "Occasia"};

constexpr std::string_view organisation_fields[] = {"Trade",   "Grain", "River",
                                                    "Railway", "Star",  "Forest"};
constexpr std::string_view organisation_forms[] = {"Council", "League", "Union", "Forum"};

constexpr std::string_view paper_kinds[] = {"Morning", "Evening", "Weekly"};
constexpr std::string_view paper_titles[] = {"Courier", "Herald", "Mirror", "Observer"};

// Every combination of a first and a second part, in an order dealt by the key.
void deal(std::vector<std::string>& names, std::span<const std::string_view> firsts,
          std::string_view between, std::span<const std::string_view> seconds, std::uint64_t key) {
  const std::size_t size = firsts.size() * seconds.size();
  const RandomPermutation order(size, key);
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t which = order(i);
    std::string name(firsts[which % firsts.size()]);
    name += between;
    name += seconds[which / firsts.size()];
    names.push_back(std::move(name));
  }
}

static_assert(std::size(state_stems) * std::size(state_endings) == DemoCast::states);
static_assert(std::size(given_names) * std::size(family_names) == DemoCast::leaders);
static_assert(std::size(city_stems) * std::size(city_endings) == DemoCast::cities);
static_assert(std::size(region_sides) * std::size(continents) == DemoCast::regions);
static_assert(std::size(continents) == DemoCast::continents);
static_assert(std::size(organisation_fields) * std::size(organisation_forms) ==
              DemoCast::organisations);
static_assert(std::size(paper_kinds) * std::size(paper_titles) == DemoCast::newspapers);

}  // namespace

std::vector<std::string> make_demo_names(std::uint64_t seed) {
  const auto key = [seed](std::uint64_t kind) { return random_bits(seed, kind); };
  std::vector<std::string> names;
  names.reserve(DemoCast::entities);
  deal(names, state_stems, "", state_endings, key(1));
  deal(names, given_names, " ", family_names, key(2));
  deal(names, city_stems, "", city_endings, key(3));
  // A region carries the name of its continent, so these keep their order.
  for (const std::string_view continent : continents)
    for (const std::string_view side : region_sides)
      names.push_back(std::string(side) + " " + std::string(continent));
  names.insert(names.end(), std::begin(continents), std::end(continents));
  deal(names, organisation_fields, " ", organisation_forms, key(4));
  deal(names, paper_kinds, " ", paper_titles, key(5));
  return names;
}

}  // namespace orrery
