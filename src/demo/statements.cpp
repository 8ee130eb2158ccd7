#include "demo/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "data/new_files.h"
#include "demo/statement_draw.h"

namespace orrery {
namespace {

constexpr double smallest_scale = 1e-4;  // 120 entities: fewer would not fill the kinds
constexpr double subject_skew = 0.5;
constexpr std::int32_t last_calendar_year = 2024;

enum Dealt : std::uint64_t { subjects = 300, popularity, splits, relation_names };

// How many statements each entity has as a subject: one, and a share of the others by its rank.
class SubjectCounts {
 public:
  SubjectCounts(std::uint64_t entities, std::uint64_t facts)
      : others_(static_cast<double>(facts - entities)), shares_(entities, subject_skew) {}

  std::uint64_t of(std::uint64_t rank) const { return 1 + before(rank + 1) - before(rank); }

 private:
  std::uint64_t before(std::uint64_t rank) const {
    return static_cast<std::uint64_t>(others_ * shares_.share_of_first(rank));
  }

  double others_;
  Zipf shares_;
};

std::string readme_of(const StatementShape& shape, std::uint64_t seed) {
  return fmt::format(
      R"(A synthetic world of Wikidata's manners, written by `orrery data demo --like wikidata` with seed {}.
It holds no fact of Wikidata, and no score on it says anything about Wikidata.

train.txt ({} facts), valid.txt ({}), test.txt ({}):
    subject TAB relation TAB object TAB first year TAB last year
"present" is the last year of what has not ended by {}. {} entities, {} relations, {} years; no fact
occurs twice, and every entity, relation and year is in train.txt.

Entities are of six kinds, and a relation leads from one kind to one kind. Few relations, few
subjects and few objects (countries before all) are in many facts; most entities have a handful.
Entities live in circles, few of them large. A relation leads from an entity to its own circle (half
of the relations), always to the same other one, or since some year to another one; one fact in seven
leads to any circle. Within a circle few are named often. An entity begins in some year, rather a
late one, and its facts start soon after. Half of the relations last for years, the others are of one
year. An entity has the same relation to the same object more than once only where it has very many
facts.
)",
      seed, shape.facts[0], shape.facts[1], shape.facts[2], last_calendar_year, shape.entities,
      shape.relations, shape.years);
}

}  // namespace

StatementShape statement_shape(double scale) {
  if (!(scale >= smallest_scale && scale <= 1))
    fail_request(About{.option = "scale"},
                 "the scale is {}, but of a world like {} must be at least {} and at most 1", scale,
                 StatementShape::like, smallest_scale);
  const auto scaled = [](double count, double by) { return std::llround(count * by); };
  const double side = std::sqrt(scale);
  StatementShape shape;
  constexpr double facts[] = {8e6, 1e6, 1e6};
  for (std::size_t i = 0; i < 3; ++i)
    shape.facts[i] = static_cast<std::uint64_t>(scaled(facts[i], scale));
  shape.entities = static_cast<std::int32_t>(scaled(1.2e6, scale));
  shape.relations =
      std::max(StatementShape::fewest_relations, static_cast<std::int32_t>(scaled(600, side)));
  shape.years = static_cast<std::int32_t>(scaled(2000, side));
  return shape;
}

void make_statements(const StatementShape& shape, std::uint64_t seed,
                     const std::function<void(Split, const Statement&)>& take) {
  const auto entities = static_cast<std::uint64_t>(shape.entities);
  const std::uint64_t facts = shape.facts[0] + shape.facts[1] + shape.facts[2];
  const StatementDraw statements(shape, seed);
  const SubjectCounts counts(entities, facts);
  const RandomPermutation order(entities, random_bits(seed, subjects));
  const RandomPermutation rank(entities, random_bits(seed, popularity));
  // The first statement of each subject is in train; the others are dealt.
  const RandomPermutation deal(facts - entities, random_bits(seed, splits));
  const std::uint64_t train = shape.facts[0] - entities;
  std::uint64_t dealt = 0;
  std::vector<Statement> of_subject;
  for (std::uint64_t i = 0; i < entities; ++i) {
    const std::uint64_t subject = order(i);
    statements.draw(static_cast<std::int32_t>(subject), counts.of(rank(subject)), of_subject);
    take(Split::train, of_subject.front());
    for (std::size_t k = 1; k < of_subject.size(); ++k) {
      const std::uint64_t place = deal(dealt++);
      take(place < train                    ? Split::train
           : place < train + shape.facts[1] ? Split::valid
                                            : Split::test,
           of_subject[k]);
    }
  }
}

std::vector<std::filesystem::path> write_statement_world(const StatementShape& shape,
                                                         std::uint64_t seed,
                                                         const std::filesystem::path& directory) {
  constexpr std::string_view names[] = {"train.txt", "valid.txt", "test.txt", "README.txt"};
  NewFiles files(names, directory);
  const Things things(shape.entities, seed);
  const RandomPermutation deal(static_cast<std::uint64_t>(shape.relations),
                               random_bits(seed, relation_names));
  const std::int32_t year_zero = last_calendar_year + 1 - shape.years;
  std::string line;
  make_statements(shape, seed, [&](Split split, const Statement& statement) {
    line.clear();
    fmt::format_to(std::back_inserter(line), "{}\tProperty {}\t{}\t{:04}\t",
                   things.name(statement.subject),
                   deal(static_cast<std::uint64_t>(statement.relation)) + 1,
                   things.name(statement.object), year_zero + statement.first_year);
    if (statement.last_year == shape.years - 1)
      line += "present\n";
    else
      fmt::format_to(std::back_inserter(line), "{:04}\n", year_zero + statement.last_year);
    files.append(static_cast<std::size_t>(split), line);
  });
  files.append(3, readme_of(shape, seed));
  return files.commit();
}

}  // namespace orrery
