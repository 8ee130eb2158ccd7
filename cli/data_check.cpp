// orrery data check
#include "data/data_check.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "data/load.h"
#include "learn/setup.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr std::size_t inverses_shown = 10;

struct CheckCall {
  TrainOptions options;
  bool json = false;
};

nlohmann::ordered_json to_json(const TemporalGraph& data, const DataCheck& check,
                               const LoadReport& loaded) {
  nlohmann::ordered_json json = {
      {"entities", check.entities},       {"entities_in_train", check.entities_in_train},
      {"relations", check.relations},     {"time_rows", check.times},
      {"intervals", check.intervals},     {"granularity", name_of(check.granularity)},
      {"first_time", check.first_time},   {"last_time", check.last_time},
      {"fingerprint", check.fingerprint}, {"bad_lines", loaded.bad_lines}};
  for (const Split split : all_splits) {
    const SplitCheck& s = check.splits[static_cast<int>(split)];
    json["splits"][std::string(name_of(split))] = {{"facts", s.facts},
                                                   {"duplicates", s.duplicates},
                                                   {"ends_before_start", s.ends_before_start},
                                                   {"unseen_entity", s.unseen_entity},
                                                   {"unseen_relation", s.unseen_relation},
                                                   {"unseen_time", s.unseen_time},
                                                   {"reversed_in_train", s.reversed_in_train}};
  }
  json["overlaps"] = nlohmann::json::array();
  for (const Overlap& o : check.overlaps)
    json["overlaps"].push_back(
        {{"splits", {name_of(o.first), name_of(o.second)}}, {"facts", o.facts}});
  json["inverse_relations"] = nlohmann::json::array();
  for (const InverseRelation& i : check.inverses)
    json["inverse_relations"].push_back({{"relation", data.relations.name(i.relation)},
                                         {"inverse", data.relations.name(i.inverse)},
                                         {"facts", i.facts},
                                         {"reversed", i.reversed}});
  json["bad"] = nlohmann::json::array();
  for (const BadLine& bad : loaded.first_bad)
    json["bad"].push_back(
        {{"file", bad.file.string()}, {"line", bad.line}, {"reason", bad.reason}});
  json["warnings"] = check.warnings;
  return json;
}

void print(const TemporalGraph& data, const DataCheck& check, const LoadReport& loaded) {
  TextTable splits({"split", "facts", "duplicates", "unseen entity", "unseen relation",
                    "unseen time", "reversed in train"});
  for (const Split split : all_splits) {
    const SplitCheck& s = check.splits[static_cast<int>(split)];
    splits.add({std::string(name_of(split)), grouped(s.facts), grouped(s.duplicates),
                grouped(s.unseen_entity), grouped(s.unseen_relation), grouped(s.unseen_time),
                grouped(s.reversed_in_train)});
  }
  to_stdout("{}\n", splits.text());
  to_stdout("{} entities ({} in train), {} relations, {} times from {} to {} ({}{})\n",
            grouped(static_cast<std::uint64_t>(check.entities)),
            grouped(static_cast<std::uint64_t>(check.entities_in_train)),
            grouped(static_cast<std::uint64_t>(check.relations)),
            grouped(static_cast<std::uint64_t>(check.times)), check.first_time, check.last_time,
            name_of(check.granularity), check.intervals ? ", interval facts" : "");
  to_stdout("fingerprint {}\n", check.fingerprint);
  if (!check.inverses.empty()) {
    TextTable inverses({"relation", "its inverse", "facts", "reversed"});
    for (std::size_t i = 0; i < std::min(inverses_shown, check.inverses.size()); ++i) {
      const InverseRelation& pair = check.inverses[i];
      inverses.add({printable(data.relations.name(pair.relation)),
                    pair.relation == pair.inverse ? "itself (symmetric)"
                                                  : printable(data.relations.name(pair.inverse)),
                    grouped(pair.facts), grouped(pair.reversed)});
    }
    to_stdout("\n{}", inverses.text());
    if (check.inverses.size() > inverses_shown)
      to_stdout("and {} more\n", check.inverses.size() - inverses_shown);
  }
  for (const BadLine& bad : loaded.first_bad)
    to_stdout("bad line left out: {}:{}: {}\n", bad.file.string(), bad.line, bad.reason);
  if (loaded.bad_lines > loaded.first_bad.size())
    to_stdout("and {} more bad lines\n", grouped(loaded.bad_lines - loaded.first_bad.size()));
  for (const auto& warning : check.warnings) to_stdout("warning: {}\n", warning);
}

}  // namespace

void add_data_check(CLI::App& data) {
  auto* verb = data.add_subcommand("check", "Counts, duplicates, unseen names, leaks, fingerprint");
  const auto call = std::make_shared<CheckCall>();
  verb->add_option("DIR", call->options.data, "directory with train/valid/test, or one file")
      ->required();
  add_train_options(*verb, call->options,
                    {"granularity", "min-facts", "split", "skip-bad", "seed"});
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback([call] {
    LoadReport loaded;
    const TemporalGraph set =
        load_facts(call->options.data, load_options_of(call->options), &loaded);
    const DataCheck check = check_data(set);
    if (call->json)
      to_stdout("{}\n", to_json(set, check, loaded).dump(2));
    else
      print(set, check, loaded);
  });
}

}  // namespace orrery
