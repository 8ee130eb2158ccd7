#include "data/split_facts.h"

#include <algorithm>

#include "data/new_files.h"

namespace orrery {
namespace {

bool needs_csv(const Vocabulary& names) {
  return std::ranges::any_of(names.names(), [](const std::string& name) {
    return name.find_first_of("\t\n\r") != std::string::npos;
  });
}

std::string in_quotes(std::string_view field) {
  std::string text = "\"";
  for (const char c : field) {
    if (c == '"') text += c;
    text += c;
  }
  return text + '"';
}

std::string text_of(const TemporalGraph& data, Split split, bool csv) {
  const auto name = [&](const std::string& field) { return csv ? in_quotes(field) : field; };
  const char between = csv ? ',' : '\t';
  std::string text;
  for (const Fact& fact : data.split(split)) {
    for (const std::string& field :
         {data.entities.name(fact.subject), data.relations.name(fact.relation),
          data.entities.name(fact.object)})
      text += name(field) + between;
    // "start\tend" of an interval
    std::string when = data.times.moment_names.at(static_cast<std::size_t>(fact.when));
    std::ranges::replace(when, '\t', between);
    text += when + '\n';
  }
  return text;
}

}  // namespace

std::vector<std::filesystem::path> write_splits(const TemporalGraph& data,
                                                const std::filesystem::path& directory) {
  const bool csv = needs_csv(data.entities) || needs_csv(data.relations);
  const NewFile files[] = {{csv ? "train.csv" : "train.txt", text_of(data, Split::train, csv)},
                           {csv ? "valid.csv" : "valid.txt", text_of(data, Split::valid, csv)},
                           {csv ? "test.csv" : "test.txt", text_of(data, Split::test, csv)}};
  return write_new_files(files, directory);
}

}  // namespace orrery
