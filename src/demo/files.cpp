// How the demo world comes to disk, and its labels back.
#include <charconv>
#include <iterator>

#include "base/error.h"
#include "base/mapped_file.h"
#include "data/new_files.h"
#include "demo/world.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view label_header =
    "pattern\treachable_object\treachable_subject\tsubject\trelation\tobject\tdate\n";
constexpr std::size_t label_columns = 7;

std::string facts_text(const std::vector<LabelledFact>& facts) {
  std::string text;
  for (const LabelledFact& fact : facts)
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\n", fact.subject, fact.relation,
                   fact.object, fact.date);
  return text;
}

std::string labels_text(const std::vector<LabelledFact>& facts) {
  std::string text(label_header);
  for (const LabelledFact& fact : facts)
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\t{}\t{}\t{}\t{}\n", name_of(fact.pattern),
                   fact.reachable_object, fact.reachable_subject, fact.subject, fact.relation,
                   fact.object, fact.date);
  return text;
}

std::string reachable_text(const std::vector<LabelledFact>& facts) {
  const auto entry = [](const Reachable& of) {
    return fmt::format("{{\"facts\": {}, \"mrr\": {}}}", of.facts, of.mrr);
  };
  std::string text = "{\n  \"split\": \"test\",\n  \"overall\": " + entry(reachable_mrr(facts));
  text += ",\n  \"patterns\": {";
  std::string_view between = "\n";
  for (const Pattern pattern : all_patterns) {
    text += fmt::format("{}    \"{}\": {}", between, name_of(pattern),
                        entry(reachable_mrr(facts, pattern)));
    between = ",\n";
  }
  return text + "\n  }\n}\n";
}

std::string readme_text(const DemoWorld& world) {
  std::string text = fmt::format(
      R"(A synthetic world, written by `orrery data demo` with seed {}. All names are invented.

48 states on 4 continents, their cities, 48 leaders, 24 organisations and 12 newspapers, watched for
104 weeks. A line of train.txt ({} facts), valid.txt ({}) and test.txt ({}) is
    subject TAB relation TAB object TAB Monday of the week
and every held-out fact follows from train.txt by one of these rules, noise excepted:

symmetric     a negotiates with b  <=>  b negotiates with a, in the same week.
asymmetric    a lends to b for the whole time, and b never to a: lenders form rings of four.
inverse       a supplies energy to b  <=>  b buys energy from a;
              l chairs o  <=>  o is chaired by l (chairs change after a year).
evolving      a threatens b  =>  three weeks later b retaliates against a;
              k invites l    =>  two weeks later l visits k. Rivals and guests change every quarter.
periodic      an organisation meets in the same city every six weeks.
hierarchical  what lies in a part lies in the whole: city, state, region, continent. A census every
              four weeks lists one continent completely.
once          a state recognises each state of the next four regions once, and none of them again.
repeating     an organisation has eight leaders that it consults time and again.
yearly        where a leader speaks in a week, it speaks in the same week of the other year.
noise         newspapers comment on organisations at random.

The symmetric, inverse and evolving facts of valid.txt and test.txt occur in train.txt in no week at
all: only the rule leads to them.

labels.tsv says for each line of test.txt which pattern it belongs to, and the reciprocal rank that
someone who knows these rules and train.txt can expect for "which object?" and "which subject?".
Where the rules leave k answers that is (1 + 1/2 + ... + 1/k) / k. Answers to the same question at
the same time that are on record in any of the three files do not compete (the filtered protocol).
reachable.json holds the means: the best MRR that anybody can expect.

)",
      world.seed, world.train.size(), world.valid.size(), world.test.size());
  for (const Pattern pattern : all_patterns) {
    const Reachable of = reachable_mrr(world.test, pattern);
    text += fmt::format("{:<13} {:>5} test facts, reachable MRR {:.4f}\n", name_of(pattern),
                        of.facts, of.mrr);
  }
  const Reachable all = reachable_mrr(world.test);
  return text +
         fmt::format("{:<13} {:>5} test facts, reachable MRR {:.4f}\n", "all", all.facts, all.mrr);
}

About bad_label(const fs::path& path, std::size_t line) {
  return {.place = {path.string(), line}, .advice = "write the demo world again"};
}

double parse_rank(std::string_view text, const fs::path& path, std::size_t line) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value > 0 && value <= 1))
    fail_request(bad_label(path, line), "'{}' is not a reciprocal rank in (0, 1]", text);
  return value;
}

Pattern parse_pattern(std::string_view text, const fs::path& path, std::size_t line) {
  for (const Pattern pattern : all_patterns)
    if (name_of(pattern) == text) return pattern;
  fail_request(bad_label(path, line), "'{}' is not a pattern", text);
}

}  // namespace

std::vector<fs::path> write_demo_world(const DemoWorld& world, const fs::path& directory) {
  const NewFile files[] = {
      {"train.txt", facts_text(world.train)},         {"valid.txt", facts_text(world.valid)},
      {"test.txt", facts_text(world.test)},           {"labels.tsv", labels_text(world.test)},
      {"reachable.json", reachable_text(world.test)}, {"README.txt", readme_text(world)},
  };
  return write_new_files(files, directory);
}

std::vector<TestLabel> read_demo_labels(const fs::path& given_path) {
  std::error_code error;
  const fs::path path =
      fs::is_directory(given_path, error) ? given_path / "labels.tsv" : given_path;
  const MappedFile file(path);
  std::string_view rest = file.text();
  if (!rest.starts_with(label_header))
    fail_request(bad_label(path, 1), "not the header of demo labels");
  rest.remove_prefix(label_header.size());
  std::vector<TestLabel> labels;
  for (std::size_t line = 2; !rest.empty(); ++line) {
    std::string_view fields[label_columns];
    for (std::string_view& field : fields) {
      const std::size_t end = rest.find_first_of("\t\n");
      const bool last = &field == std::end(fields) - 1;
      if (end == std::string_view::npos || rest[end] != (last ? '\n' : '\t'))
        fail_request(bad_label(path, line), "not {} columns", label_columns);
      field = rest.substr(0, end);
      rest.remove_prefix(end + 1);
    }
    labels.push_back({parse_pattern(fields[0], path, line), parse_rank(fields[1], path, line),
                      parse_rank(fields[2], path, line)});
  }
  return labels;
}

}  // namespace orrery
