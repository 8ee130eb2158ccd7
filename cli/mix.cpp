// orrery mix
#include "orrery/mix.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/evaluate.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* mixing_device = "auto";

struct MixCall {
  OptionChanges typed;
  std::vector<std::string> runs;
  std::string data, out;
  bool json = false, verify = true;
};

struct Mixed {
  Model model;
  std::vector<double> mrr;  // on validation, of the runs; then of the mixture
};

Mixed mixed(const MixCall& call) {
  const MachineOptions machine = machine_options(call.typed, mixing_device);
  std::vector<Model> models;
  for (const std::string& run : call.runs) models.push_back(Model::open(run, machine, call.verify));
  const Dataset data =
      call.data.empty() ? models.front().training_data() : models.front().read_data(call.data);
  Mixed result{mix(models, data, machine), {}};
  result.model.save(call.out);
  models.push_back(result.model);
  for (const Model& model : models)
    result.mrr.push_back(evaluate(model, data, {.split = Split::valid}).pessimistic.mrr);
  return result;
}

nlohmann::ordered_json json_of_mix(const MixCall& call, const Mixed& result) {
  const MixCard& card = *result.model.card().mixture;
  nlohmann::ordered_json json = {{"out", call.out},
                                 {"chosen", card.chosen},
                                 {"facts", card.facts},
                                 {"mrr_of_best", card.mrr_of_best},
                                 {"mrr_of_average", card.mrr_of_average},
                                 {"mrr_of_fitted", card.mrr_of_fitted},
                                 {"valid_mrr", result.mrr.back()},
                                 {"parts", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < card.parts.size(); ++i)
    json["parts"].push_back({{"run", call.runs[i]},
                             {"model", card.parts[i].model},
                             {"dim", card.parts[i].dim},
                             {"history", card.parts[i].history},
                             {"weight", card.parts[i].weight},
                             {"valid_mrr", result.mrr[i]}});
  return json;
}

void print_mix(const MixCall& call, const Mixed& result) {
  const MixCard& card = *result.model.card().mixture;
  const auto percent = [](double share) { return fmt::format("{:.2f}", 100 * share); };
  TextTable table({"run", "model", "weight", "valid MRR"});
  for (std::size_t i = 0; i < card.parts.size(); ++i)
    table.add({printable(call.runs[i]), card.parts[i].model,
               fmt::format("{:.3f}", card.parts[i].weight), percent(result.mrr[i])});
  table.add({"mixture", "", "", percent(result.mrr.back())});
  to_stdout("{}\n", table.text());
  to_stdout(
      "weights: {}; on facts left out of the fit, best part {}, average {}, fitted {} "
      "({} validation facts)\n",
      card.chosen, percent(card.mrr_of_best), percent(card.mrr_of_average),
      percent(card.mrr_of_fitted), card.facts);
  to_stdout("saved {}\n", printable(call.out));
}

void run_mix(const MixCall& call) {
  const Mixed result = mixed(call);
  if (call.json)
    print_json(json_of_mix(call, result));
  else
    print_mix(call, result);
}

}  // namespace

void add_mix(CLI::App& app) {
  auto* verb =
      app.add_subcommand("mix", "Mix trained models into one, with weights from validation");
  const auto call = std::make_shared<MixCall>();
  verb->add_option("runs", call->runs,
                   "run directories, or model.safetensors files, of one data set")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", call->out, "directory of the mixture")->type_name("PATH")->required();
  verb->add_option("--data", call->data, "where the data of the runs is, if it has moved")
      ->type_name("PATH");
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_machine_options(*verb, call->typed, mixing_device);
  end_help(*verb,
           "A mixture's scores are weighted sums of its parts' scores. It holds copies of its "
           "parts,\nand is evaluated, asked and inspected like a run.",
           {"orrery train --data world --model tntcomplex --out runs/c",
            "orrery mix runs/a runs/c --out runs/mixed", "orrery evaluate runs/mixed"});
  verb->callback([call] { run_mix(*call); });
}

}  // namespace orrery
