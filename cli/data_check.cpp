// orrery data check
#include "orrery/data_check.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "fetch_display.h"
#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/dataset.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr std::size_t inverses_shown = 10;

struct CheckCall {
  OptionChanges typed;
  std::string source;
  bool json = false;
};

const std::string& relation_of(const Dataset& data, std::int32_t relation) {
  return data.relation_names()[static_cast<std::size_t>(relation)];
}

nlohmann::ordered_json json_of_check(const Dataset& data, const DataCheck& check) {
  nlohmann::ordered_json json = {
      {"entities", check.entities},       {"entities_in_train", check.entities_in_train},
      {"relations", check.relations},     {"time_rows", check.times},
      {"intervals", check.intervals},     {"granularity", check.granularity},
      {"first_time", check.first_time},   {"last_time", check.last_time},
      {"fingerprint", check.fingerprint}, {"bad_lines", data.bad_lines()}};
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
    json["inverse_relations"].push_back({{"relation", relation_of(data, i.relation)},
                                         {"inverse", relation_of(data, i.inverse)},
                                         {"facts", i.facts},
                                         {"reversed", i.reversed}});
  json["bad"] = nlohmann::json::array();
  for (const BadLine& bad : data.first_bad_lines())
    json["bad"].push_back({{"file", bad.file}, {"line", bad.line}, {"reason", bad.reason}});
  json["warnings"] = check.warnings;
  return json;
}

std::string grouped_count(std::int32_t count) { return grouped(static_cast<std::uint64_t>(count)); }

void print_inverses(const Dataset& data, const std::vector<InverseRelation>& found) {
  if (found.empty()) return;
  TextTable inverses({"relation", "its inverse", "facts", "reversed"});
  for (std::size_t i = 0; i < std::min(inverses_shown, found.size()); ++i) {
    const InverseRelation& pair = found[i];
    inverses.add({printable(relation_of(data, pair.relation)),
                  pair.relation == pair.inverse ? "itself (symmetric)"
                                                : printable(relation_of(data, pair.inverse)),
                  grouped(pair.facts), grouped(pair.reversed)});
  }
  to_stdout("\n{}", inverses.text());
  if (found.size() > inverses_shown) to_stdout("and {} more\n", found.size() - inverses_shown);
}

void print_check(const Dataset& data, const DataCheck& check) {
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
            grouped_count(check.entities), grouped_count(check.entities_in_train),
            grouped_count(check.relations), grouped_count(check.times), check.first_time,
            check.last_time, check.granularity, check.intervals ? ", interval facts" : "");
  to_stdout("fingerprint {}\n", check.fingerprint);
  print_inverses(data, check.inverses);
  const auto bad_lines = data.first_bad_lines();
  for (const BadLine& bad : bad_lines)
    to_stdout("bad line left out: {}:{}: {}\n", bad.file, bad.line, bad.reason);
  if (data.bad_lines() > bad_lines.size())
    to_stdout("and {} more bad lines\n", grouped(data.bad_lines() - bad_lines.size()));
  for (const auto& warning : check.warnings) to_stdout("warning: {}\n", warning);
}

void run_check(const CheckCall& call) {
  TrainOptions options;
  set_options(options, call.typed);
  check_options(options);
  const Dataset data = open_data(call.source, data_options(options));
  const DataCheck check = data.check();
  if (call.json)
    print_json(json_of_check(data, check));
  else
    print_check(data, check);
}

}  // namespace

void add_data_check(CLI::App& data) {
  auto* verb = data.add_subcommand("check", "Counts, duplicates, unseen names, leaks, fingerprint");
  const auto call = std::make_shared<CheckCall>();
  verb->add_option("DIR", call->source,
                   "directory with train/valid/test, one file (with --split), or a benchmark "
                   "set's name")
      ->type_name("PATH")
      ->required();
  add_json(*verb, call->json);
  add_options(*verb, call->typed,
              {.about = {OptionAbout::data}, .names = {"seed"}, .left_out = {"data"}});
  end_help(*verb, "",
           {"orrery data check world", "orrery data check facts.csv --split 80/10/10 --skip-bad"});
  verb->callback([call] { run_check(*call); });
}

}  // namespace orrery
