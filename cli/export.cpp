// orrery export
#include "orrery/export.h"

#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

struct ExportCall {
  std::string run, out;
  ExportOptions options;
  bool json = false, verify = true;
};

nlohmann::ordered_json json_of(const ExportedTable& exported) {
  nlohmann::ordered_json json = {{"table", exported.table.name},
                                 {"of", exported.table.of},
                                 {"rows", exported.table.rows},
                                 {"dim", exported.table.dim},
                                 {"files", nlohmann::ordered_json::array()}};
  for (const auto& file : exported.files) json["files"].push_back(file.string());
  return json;
}

void run_export(const ExportCall& call) {
  const Model model = Model::open(call.run, {}, call.verify);
  const auto exported = export_embeddings(model, call.out, call.options);
  if (call.json) {
    auto json = nlohmann::ordered_json::array();
    for (const ExportedTable& table : exported) json.push_back(json_of(table));
    print_json(json);
    return;
  }
  for (const ExportedTable& table : exported)
    for (const auto& file : table.files)
      to_stdout("{}: {}\n", file.string(),
                counted(static_cast<std::uint64_t>(table.table.rows), "row"));
}

}  // namespace

void add_export(CLI::App& app) {
  auto* verb =
      app.add_subcommand("export", "Write a model's embeddings as files for other programs");
  const auto call = std::make_shared<ExportCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  verb->add_option("--out", call->out, "directory for the files")->type_name("DIR")->required();
  verb->add_option("--format", call->options.format,
                   "npy: numpy arrays and lists of names; csv: names and numbers in one table; "
                   "projector: for TensorFlow's embedding projector")
      ->type_name("npy|csv|projector")
      ->capture_default_str();
  verb->add_option("--table", call->options.tables,
                   "only these tables, such as entity; `orrery inspect` lists them")
      ->type_name("NAME,NAME…")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  end_help(*verb, "What is there with other content is never overwritten.",
           {"orrery export runs/a --out vectors",
            "orrery export runs/a --format projector --table entity --out projector"});
  verb->callback([call] { run_export(*call); });
}

}  // namespace orrery
