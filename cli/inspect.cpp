// orrery inspect
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "learn/model_file.h"
#include "learn/options.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

nlohmann::ordered_json describe(const ModelFile& file) {
  const ModelCard& card = file.card();
  const auto engine = file.start_engine({.threads = 1});
  nlohmann::ordered_json json = {{"model", card.options.model},
                                 {"formula", file.plan().variant->formula},
                                 {"dim", card.options.dim},
                                 {"lanes", card.options.dim / file.plan().variant->algebra_size},
                                 {"parameters", file.parameters()},
                                 {"entities", card.entities.size()},
                                 {"relations", card.relations.size()},
                                 {"times", card.times.size()},
                                 {"intervals", card.times.intervals},
                                 {"first_time", card.times.rows.front().label},
                                 {"last_time", card.times.rows.back().label},
                                 {"epoch", card.epoch},
                                 {"data_fingerprint", card.data_fingerprint},
                                 {"version", card.version},
                                 {"options", shaping_options_to_toml(card.options)},
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
  fmt::print("{}: {}\n", json["model"].get<std::string>(), json["formula"].get<std::string>());
  fmt::print("{} reals a row ({} lanes), {} parameters, after {} epochs\n", number("dim"),
             number("lanes"), number("parameters"), number("epoch"));
  fmt::print("{} entities, {} relations, {} times from {} to {}{}\n", number("entities"),
             number("relations"), number("times"), json["first_time"].get<std::string>(),
             json["last_time"].get<std::string>(),
             json["intervals"].get<bool>() ? " (interval facts)" : "");
  fmt::print("data {}\nwritten by version {}\n\n", json["data_fingerprint"].get<std::string>(),
             json["version"].get<std::string>());
  TextTable table({"table", "rows", "root mean square"});
  for (const auto& t : json["tables"])
    table.add({t["name"].get<std::string>(), grouped(t["rows"].get<std::uint64_t>()),
               fmt::format("{:.5f}", t["root_mean_square"].get<double>())});
  fmt::print("{}\n{}", table.text(), json["options"].get<std::string>());
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto* verb = app.add_subcommand("inspect", "Show what a model file holds");
  const auto run = std::make_shared<std::string>();
  const auto as_json = std::make_shared<bool>(false);
  verb->add_option("run", *run, "run directory, or a model.safetensors")->required();
  verb->add_flag("--json", *as_json, "Print JSON");
  verb->callback([run, as_json] {
    const auto json = describe(ModelFile(*run));
    if (*as_json)
      fmt::print("{}\n", json.dump(2));
    else
      print_inspection(json);
  });
}

}  // namespace orrery
