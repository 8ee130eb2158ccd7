// orrery inspect
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/checkpoint.h"
#include "orrery/geometry.h"
#include "orrery/model.h"
#include "orrery/report.h"
#include "output.h"
#include "page/card_json.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

// Those that shape the model, as in config files but without their sentences.
std::string shaping_options(const TrainOptions& options) {
  std::istringstream config(config_text(options));
  std::string text;
  for (std::string line; std::getline(config, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (option_named(line.substr(0, line.find(' '))).decides == Decides::result)
      text += line + "\n";
  }
  return text;
}

double root_mean_square(std::span<const float> values) {
  double squares = 0;
  for (const float x : values) squares += static_cast<double>(x) * x;
  return std::sqrt(squares / static_cast<double>(values.size()));
}

nlohmann::ordered_json json_of_additions(std::span<const Addition> additions) {
  auto json = nlohmann::ordered_json::array();
  for (const Addition& added : additions)
    json.push_back({{"facts", added.facts},
                    {"entities", added.entities},
                    {"relations", added.relations},
                    {"times", added.times},
                    {"touched", added.touched},
                    {"first_time", added.first_time},
                    {"last_time", added.last_time},
                    {"facts_fingerprint", added.facts_fingerprint},
                    {"model_fingerprint", added.model_fingerprint}});
  return json;
}

void print_additions(const nlohmann::ordered_json& json) {
  for (const auto& added : json)
    to_stdout("added after training: {} from {} to {}, with {}, {} and {} that were new{}\n",
              counted(added["facts"].get<std::uint64_t>(), "fact"),
              added["first_time"].get<std::string>(), added["last_time"].get<std::string>(),
              counted(added["entities"].get<std::uint64_t>(), "entity"),
              counted(added["relations"].get<std::uint64_t>(), "relation"),
              counted(added["times"].get<std::uint64_t>(), "time"),
              added["touched"].get<bool>() ? "; known names were trained, too" : "");
}

nlohmann::ordered_json json_of_curve(const ProbabilityCurve& curve) {
  return {{"slope", curve.slope}, {"tail", curve.tail}, {"offset", curve.offset}};
}

nlohmann::ordered_json json_of_calibration(const Calibration& calibration) {
  return {{"facts", calibration.facts},
          {"object", json_of_curve(calibration.object)},
          {"subject", json_of_curve(calibration.subject)},
          {"fact",
           {{"object", calibration.fact.object},
            {"subject", calibration.fact.subject},
            {"weaker", calibration.fact.weaker},
            {"offset", calibration.fact.offset},
            {"curve", json_of_curve(calibration.fact_curve)}}}};
}

nlohmann::ordered_json json_of_when(const WhenFit& when) {
  return {{"facts", when.facts}, {"model", when.model}, {"activity", when.activity}};
}

nlohmann::ordered_json json_of_mixture(const Model& model) {
  const ModelCard& card = model.card();
  const MixCard& mixture = *card.mixture;
  nlohmann::ordered_json json = card_to_json(card);
  for (const char* const of_one_model : {"dim", "lanes", "epoch"}) json.erase(of_one_model);
  json["chosen"] = mixture.chosen;
  json["facts"] = mixture.facts;
  json["mrr_of_best"] = mixture.mrr_of_best;
  json["mrr_of_average"] = mixture.mrr_of_average;
  json["mrr_of_fitted"] = mixture.mrr_of_fitted;
  json["parts"] = nlohmann::ordered_json::array();
  for (const MixedPart& part : mixture.parts)
    json["parts"].push_back({{"model", part.model},
                             {"dim", part.dim},
                             {"history", part.history},
                             {"weight", part.weight},
                             {"file", part.file},
                             {"checksum", part.checksum}});
  if (card.calibration) json["calibration"] = json_of_calibration(*card.calibration);
  if (card.when) json["when"] = json_of_when(*card.when);
  return json;
}

nlohmann::ordered_json json_of_card(const Model& model) {
  const ModelCard& card = model.card();
  if (card.mixture) return json_of_mixture(model);
  nlohmann::ordered_json json = card_to_json(card);
  json["options"] = shaping_options(card.options);
  json["tables"] = nlohmann::ordered_json::array();
  for (const EmbeddingInfo& info : card.embeddings)
    json["tables"].push_back(
        {{"name", info.name},
         {"rows", info.rows},
         {"root_mean_square", root_mean_square(model.embeddings(info.name).values)}});
  if (!card.additions.empty()) json["additions"] = json_of_additions(card.additions);
  if (!card.started_from.empty()) json["started_from"] = card.started_from;
  if (!card.history_features.empty())
    json["history"] = nlohmann::ordered_json::parse(history_json(model));
  if (card.calibration) json["calibration"] = json_of_calibration(*card.calibration);
  if (card.when) json["when"] = json_of_when(*card.when);
  return json;
}

void print_calibration(const nlohmann::ordered_json& json) {
  to_stdout("calibrated on {} of validation: the share of answers that is true\n",
            counted(json["facts"].get<std::uint64_t>(), "fact"));
  TextTable table({"softmax probability", "of an object", "of a subject"});
  const auto share = [&](const char* side, double probability) {
    const auto& curve = json[side];
    return fmt::format(
        "{:.3f}",
        ProbabilityCurve{curve["slope"], curve["tail"], curve["offset"]}.at(std::log(probability)));
  };
  for (const double probability : {0.01, 0.1, 0.5, 0.9, 0.99})
    table.add({fmt::format("{:.2f}", probability), share("object", probability),
               share("subject", probability)});
  to_stdout("{}\n", table.text());
}

void print_when(const nlohmann::ordered_json& json) {
  to_stdout(
      "when a fact was is told from its plausibility (weight {:.2f}) and from how much train tells "
      "of its parts around a time, fitted on {} of validation\n\n",
      json["model"].get<double>(), counted(json["facts"].get<std::uint64_t>(), "fact"));
}

std::string number(const nlohmann::ordered_json& json, const char* key, const char* noun) {
  return counted(json[key].get<std::uint64_t>(), noun);
}

void print_data(const nlohmann::ordered_json& json) {
  to_stdout("{}, {}, {} from {} to {}{}\n", number(json, "entities", "entity"),
            number(json, "relations", "relation"), number(json, "times", "time"),
            json["first_time"].get<std::string>(), json["last_time"].get<std::string>(),
            json["intervals"].get<bool>() ? " (interval facts)" : "");
  if (json.contains("additions")) print_additions(json["additions"]);
  if (json.contains("started_from"))
    to_stdout("training started from model {}\n", json["started_from"].get<std::string>());
  to_stdout("data {}\nwritten by version {}\n\n", json["data_fingerprint"].get<std::string>(),
            json["version"].get<std::string>());
}

void print_mixture(const nlohmann::ordered_json& json) {
  to_stdout("{}: {}\n{}\n", json["model"].get<std::string>(), json["formula"].get<std::string>(),
            number(json, "parameters", "parameter"));
  print_data(json);
  TextTable table({"part", "dim", "history", "weight", "file"});
  for (const auto& part : json["parts"])
    table.add(
        {part["model"].get<std::string>(), std::to_string(part["dim"].get<std::int64_t>()),
         part["history"].get<std::string>(), fmt::format("{:.3f}", part["weight"].get<double>()),
         part["file"].get<std::string>().empty() ? "left out" : part["file"].get<std::string>()});
  to_stdout("{}\nweights: {}, chosen on {}\n", table.text(), json["chosen"].get<std::string>(),
            number(json, "facts", "validation fact"));
  if (json.contains("calibration")) {
    to_stdout("\n");
    print_calibration(json["calibration"]);
  }
  if (json.contains("when")) print_when(json["when"]);
}

void print_card(const Model& model) {
  const auto json = json_of_card(model);
  if (json.contains("parts")) return print_mixture(json);
  to_stdout("{}: {}\n", json["model"].get<std::string>(), json["formula"].get<std::string>());
  to_stdout("{} ({} per embedding), {}, after {}\n", number(json, "dim", "dimension"),
            number(json, "lanes", "number"), number(json, "parameters", "parameter"),
            number(json, "epoch", "epoch"));
  print_data(json);
  TextTable table({"table", "embeddings", "root mean square"});
  for (const auto& t : json["tables"])
    table.add({t["name"].get<std::string>(), grouped(t["rows"].get<std::uint64_t>()),
               fmt::format("{:.5f}", t["root_mean_square"].get<double>())});
  to_stdout("{}\n", table.text());
  if (json.contains("history")) to_stdout("{}\n", history_text(model));
  if (json.contains("calibration")) print_calibration(json["calibration"]);
  if (json.contains("when")) print_when(json["when"]);
  to_stdout("{}", json["options"].get<std::string>());
}

nlohmann::ordered_json json_of_files(const std::filesystem::path& run) {
  nlohmann::ordered_json json = {{"damaged", false}, {"files", nlohmann::json::array()}};
  for (const FileCheck& check : check_files(run)) {
    nlohmann::ordered_json file = {{"file", check.file},
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

void print_files(const nlohmann::ordered_json& json) {
  for (const auto& file : json["files"]) {
    if (file.contains("fault")) {
      to_stdout("{}\n\n", file["fault"].get<std::string>());
      continue;
    }
    const bool damaged = file["damaged"].get<bool>(), checked = file["checksums"].get<bool>();
    to_stdout("{}: {}\n", file["file"].get<std::string>(),
              damaged   ? "damaged; copy it again, or go back to a backup"
              : checked ? "whole"
                        : "has no checksums, so damage cannot be detected");
    TextTable table({"part", "bytes", "state"});
    for (const auto& part : file["parts"])
      table.add({printable(part["part"].get<std::string>()),
                 grouped(part["bytes"].get<std::uint64_t>()), part["state"].get<std::string>()});
    to_stdout("{}\n", table.text());
  }
}

struct InspectCall {
  std::string run, relation, event = "start";
  GeometryOptions geometry;
  bool json = false, verify = true, check = false;
};

void inspect_relation(const InspectCall& call) {
  const Model model = Model::open(call.run, {}, call.verify);
  const bool history = !model.card().history_features.empty();
  GeometryOptions options = call.geometry;
  options.end = call.event == "end";
  std::optional<RelationGeometry> geometry;
  // History is of all times, and of every model.
  const bool at_a_time = !model.card().timed || !options.time.empty();
  if (!history || (at_a_time && no_geometry_reason(model).empty()))
    geometry = relation_geometry(model, call.relation, options);
  if (!call.json) {
    if (geometry) to_stdout("{}{}", geometry_text(*geometry), history ? "\n" : "");
    if (history) to_stdout("{}", history_text(model, call.relation, call.event));
    return;
  }
  auto json = geometry ? nlohmann::ordered_json::parse(geometry_json(*geometry))
                       : nlohmann::ordered_json::object();
  if (history) json["history"] = nlohmann::ordered_json::parse(history_json(model, call.relation));
  print_json(json);
}

void check_for_damage(const InspectCall& call) {
  const auto json = json_of_files(call.run);
  if (call.json)
    print_json(json);
  else
    print_files(json);
  if (json["damaged"].get<bool>()) throw EndWith{exit_codes::found_damaged};
}

void run_inspect(const InspectCall& call) {
  if (call.check) return check_for_damage(call);
  if (!call.relation.empty()) return inspect_relation(call);
  const Model model = Model::open(call.run, {}, call.verify);
  if (call.json)
    print_json(json_of_card(model));
  else
    print_card(model);
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto* verb =
      app.add_subcommand("inspect", "Show what a model file holds, or check it for damage");
  const auto call = std::make_shared<InspectCall>();
  verb->add_option("run", call->run, "run directory, a model.safetensors, or a mixture")
      ->type_name("PATH")
      ->required();
  auto* check = verb->add_flag("--verify", call->check,
                               "compare every part of model and state with its checksum; "
                               "exit code 1 if any is damaged");
  add_no_verify(*verb, call->verify)->excludes(check);
  auto* relation = verb->add_option("--relation", call->relation,
                                    "what this relation does to entities, which are like it, and "
                                    "what history is worth to it")
                       ->type_name("NAME")
                       ->excludes(check);
  verb->add_option("--time", call->geometry.time, "at this date")
      ->type_name("DATE")
      ->needs(relation);
  verb->add_option("--event", call->event, "in a model of starts and ends: which of them")
      ->capture_default_str()
      ->check(CLI::IsMember({"start", "end"}))
      ->needs(relation);
  verb->add_option("--top", call->geometry.top, "how many relations that are like it")
      ->capture_default_str()
      ->check(whole_number())
      ->needs(relation);
  verb->add_flag("--untrained", call->geometry.untrained, "of a relation that train never had, too")
      ->needs(relation);
  add_json(*verb, call->json);
  end_help(*verb, "",
           {"orrery inspect runs/a", "orrery inspect runs/a --verify",
            "orrery inspect runs/a --relation threatens --time 2022-01-03"});
  verb->callback([call] { run_inspect(*call); });
}

}  // namespace orrery
