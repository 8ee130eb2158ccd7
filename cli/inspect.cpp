// orrery inspect
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "learn/checkpoint.h"
#include "learn/model_file.h"
#include "learn/options.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

nlohmann::ordered_json describe(const ModelFile& file) {
  const ModelHeader& header = file.header();
  const auto engine = file.start_engine({.threads = 1});
  nlohmann::ordered_json json = {{"model", header.options.model},
                                 {"formula", file.plan().variant->formula},
                                 {"dim", header.options.dim},
                                 {"lanes", header.options.dim / file.plan().variant->algebra_size},
                                 {"parameters", file.parameters()},
                                 {"entities", header.entities.size()},
                                 {"relations", header.relations.size()},
                                 {"times", header.times.size()},
                                 {"intervals", header.times.intervals},
                                 {"first_time", header.times.rows.front().label},
                                 {"last_time", header.times.rows.back().label},
                                 {"epoch", header.epoch},
                                 {"data_fingerprint", header.data_fingerprint},
                                 {"version", header.version},
                                 {"options", shaping_options_to_toml(header.options)},
                                 {"tables", nlohmann::ordered_json::array()}};
  const TableRows rows = read_rows(*engine, State::value);
  for (std::size_t t = 0; t < rows.size(); ++t) {
    double squares = 0;
    for (const float x : rows[t]) squares += static_cast<double>(x) * x;
    json["tables"].push_back(
        {{"name", engine->tables()[t].name},
         {"rows", engine->tables()[t].count},
         {"root_mean_square", std::sqrt(squares / static_cast<double>(rows[t].size()))}});
  }
  return json;
}

void print_inspection(const nlohmann::ordered_json& json) {
  const auto number = [&](const char* key) { return grouped(json[key].get<std::uint64_t>()); };
  to_stdout("{}: {}\n", json["model"].get<std::string>(), json["formula"].get<std::string>());
  to_stdout("{} reals a row ({} lanes), {} parameters, after {} epochs\n", number("dim"),
            number("lanes"), number("parameters"), number("epoch"));
  to_stdout("{} entities, {} relations, {} times from {} to {}{}\n", number("entities"),
            number("relations"), number("times"), json["first_time"].get<std::string>(),
            json["last_time"].get<std::string>(),
            json["intervals"].get<bool>() ? " (interval facts)" : "");
  to_stdout("data {}\nwritten by version {}\n\n", json["data_fingerprint"].get<std::string>(),
            json["version"].get<std::string>());
  TextTable table({"table", "rows", "root mean square"});
  for (const auto& t : json["tables"])
    table.add({t["name"].get<std::string>(), grouped(t["rows"].get<std::uint64_t>()),
               fmt::format("{:.5f}", t["root_mean_square"].get<double>())});
  to_stdout("{}\n{}", table.text(), json["options"].get<std::string>());
}

nlohmann::ordered_json check_files(const std::filesystem::path& run) {
  nlohmann::ordered_json json = {{"damaged", false}, {"files", nlohmann::json::array()}};
  for (const auto& path : checkpoints_of(run)) {
    const FileCheck check = check_file(path);
    nlohmann::ordered_json file = {{"file", path.string()},
                                   {"format", check.format},
                                   {"checksums", check.has_checksums},
                                   {"damaged", check.damaged()},
                                   {"parts", nlohmann::json::array()}};
    if (check.fault) file["fault"] = check.fault->what();
    for (const PartCheck& part : check.parts)
      file["parts"].push_back(
          {{"part", part.part}, {"bytes", part.bytes}, {"state", name_of(part.state)}});
    if (check.damaged()) json["damaged"] = true;
    json["files"].push_back(file);
  }
  return json;
}

void print_check(const nlohmann::ordered_json& json) {
  for (const auto& file : json["files"]) {
    if (file.contains("fault")) {
      to_stdout("{}\n\n", file["fault"].get<std::string>());
      continue;
    }
    const bool damaged = file["damaged"].get<bool>(), checked = file["checksums"].get<bool>();
    to_stdout("{}: {}\n", file["file"].get<std::string>(),
              damaged   ? "damaged; copy it again, or go back to a backup"
              : checked ? "whole"
                        : "has no checksums, so damage cannot be told");
    TextTable table({"part", "bytes", "state"});
    for (const auto& part : file["parts"])
      table.add({printable(part["part"].get<std::string>()),
                 grouped(part["bytes"].get<std::uint64_t>()), part["state"].get<std::string>()});
    to_stdout("{}\n", table.text());
  }
}

struct InspectCall {
  std::string run;
  bool json = false, verify = true, check = false;
};

void run_inspect(const InspectCall& call) {
  const auto json = call.check ? check_files(call.run) : describe(ModelFile(call.run, call.verify));
  if (call.json)
    to_stdout("{}\n", json.dump(2));
  else if (call.check)
    print_check(json);
  else
    print_inspection(json);
  if (call.check && json["damaged"].get<bool>()) throw EndWith{exit_codes::found_damaged};
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto* verb =
      app.add_subcommand("inspect", "Show what a model file holds, or whether it is whole");
  const auto call = std::make_shared<InspectCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")->required();
  auto* check = verb->add_flag("--verify", call->check,
                               "compare every part with its checksum, of the state too; "
                               "exit code 1 if any is damaged");
  add_no_verify(*verb, call->verify)->excludes(check);
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback([call] { run_inspect(*call); });
}

}  // namespace orrery
