#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>

#include "bindings.h"

namespace orrery::python {
namespace {

using Table = nb::ndarray<nb::numpy, const float, nb::ndim<2>, nb::c_contig>;

// A view: no copy is made, and it keeps the model alive.
Table embeddings_of(const Model& model, const std::string& name) {
  const Embeddings table = model.embeddings(name);
  return Table(
      table.values.data(),
      {static_cast<std::size_t>(table.info.rows), static_cast<std::size_t>(table.info.dim)},
      owner_of(std::make_unique<Model>(model)));
}

nb::dict dict_of(const EmbeddingInfo& info) {
  nb::dict result;
  result["name"] = info.name;
  result["of"] = info.of;
  result["rows"] = info.rows;
  result["dim"] = info.dim;
  return result;
}

nb::dict dict_of(const Addition& addition) {
  nb::dict result;
  result["facts"] = addition.facts;
  result["entities"] = addition.entities;
  result["relations"] = addition.relations;
  result["times"] = addition.times;
  result["first_time"] = addition.first_time;
  result["last_time"] = addition.last_time;
  return result;
}

nb::object mixture_of(const ModelCard& card) {
  if (!card.mixture) return nb::none();
  nb::list parts;
  for (const MixedPart& part : card.mixture->parts) {
    nb::dict one;
    one["model"] = part.model;
    one["dim"] = part.dim;
    one["history"] = part.history;
    one["weight"] = part.weight;
    parts.append(one);
  }
  nb::dict result;
  result["parts"] = parts;
  result["chosen"] = card.mixture->chosen;
  return result;
}

nb::dict card_of(const Model& model) {
  const ModelCard& card = model.card();
  nb::dict result;
  result["model"] = card.mixture ? std::string("mixture") : card.options.model;
  result["dim"] = card.options.dim;
  result["formula"] = card.formula;
  result["parameters"] = card.parameters;
  result["entities"] = card.entities;
  result["relations"] = card.relations;
  result["times"] = card.times;
  result["intervals"] = card.intervals;
  result["granularity"] = card.granularity;
  result["first_time"] = card.first_time;
  result["last_time"] = card.last_time;
  result["epoch"] = card.epoch;
  result["data_fingerprint"] = card.data_fingerprint;
  result["version"] = card.version;
  result["calibrated"] = card.calibration.has_value();
  result["history_features"] = list_of(card.history_features);
  nb::list tables, additions;
  for (const EmbeddingInfo& info : card.embeddings) tables.append(dict_of(info));
  for (const Addition& addition : card.additions) additions.append(dict_of(addition));
  result["embeddings"] = tables;
  result["additions"] = additions;
  result["mixture"] = mixture_of(card);
  return result;
}

nb::dict record_of(const Model& model) {
  const TrainRecord& record = model.training();
  nb::list epochs;
  for (const EpochReport& report : record.epochs) epochs.append(python::dict_of(report));
  nb::dict result;
  result["summary"] = python::dict_of(record.summary);
  result["epochs"] = epochs;
  return result;
}

MachineOptions machine(const std::string& device, std::int64_t threads, const std::string& memory) {
  return {device, threads, memory};
}

nb::list neighbours_of(const Model& model, const std::string& entity, std::size_t top) {
  const std::vector<Neighbour> found = [&] {
    const nb::gil_scoped_release no_gil;
    return nearest(model, entity, top);
  }();
  nb::list result;
  for (const Neighbour& one : found) result.append(nb::make_tuple(one.name, one.similarity));
  return result;
}

std::string geometry_of(const Model& model, const std::string& relation, const std::string& time,
                        bool end, std::size_t top, bool untrained) {
  return geometry_json(relation_geometry(
      model, relation, {.time = time, .end = end, .top = top, .untrained = untrained}));
}

nb::tuple facts_with(const Model& model, const std::string& entity, std::size_t top) {
  const FactsOfEntity found = [&] {
    const nb::gil_scoped_release no_gil;
    return facts_of(model, entity, top);
  }();
  nb::list facts;
  for (const DatedFact& fact : found.latest)
    facts.append(nb::make_tuple(fact.subject, fact.relation, fact.object, fact.time, fact.end,
                                std::string(name_of(fact.split))));
  return nb::make_tuple(facts, found.total);
}

std::vector<std::string> exported(const Model& model, const std::filesystem::path& directory,
                                  const std::string& format,
                                  const std::vector<std::string>& tables) {
  std::vector<std::string> files;
  for (const ExportedTable& table : export_embeddings(model, directory, {format, tables}))
    for (const auto& file : table.files) files.push_back(file.string());
  return files;
}

}  // namespace

nb::dict dict_of(const Scores& scores) {
  nb::dict result;
  for (const ScorePart& part : score_parts)
    result[std::string(part.name).c_str()] = scores.*part.value;
  result["queries"] = scores.queries;
  return result;
}

nb::dict dict_of(const EpochReport& report) {
  nb::dict result;
  result["epoch"] = report.epoch;
  result["loss"] = report.loss;
  result["cross_entropy"] = report.cross_entropy;
  result["n3"] = report.n3;
  result["time"] = report.time;
  result["auxiliary"] = report.auxiliary;
  result["seconds"] = report.seconds;
  result["examples_per_second"] = report.examples_per_second;
  result["valid"] = report.valid ? nb::object(dict_of(*report.valid)) : nb::none();
  result["best"] = report.best;
  return result;
}

nb::dict dict_of(const TrainSummary& summary) {
  nb::dict result;
  result["ending"] = std::string(name_of(summary.ending));
  result["epochs_done"] = summary.epochs_done;
  result["best_epoch"] = summary.best_epoch;
  result["best_valid"] = summary.best_valid ? nb::object(dict_of(*summary.best_valid)) : nb::none();
  result["loss"] = summary.loss;
  result["seconds"] = summary.seconds;
  result["peak_memory"] = summary.peak_memory;
  result["engine"] = summary.engine;
  return result;
}

void bind_model(nb::module_& module) {
  const auto no_gil = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Model>(module, "Model")
      .def_static(
          "open",
          [](const std::filesystem::path& path, const std::string& device, std::int64_t threads,
             const std::string& memory,
             bool verify) { return Model::open(path, machine(device, threads, memory), verify); },
          nb::arg("path"), nb::arg("device") = "cpu", nb::arg("threads") = 0,
          nb::arg("memory") = "", nb::arg("verify") = true, no_gil)
      .def("save", &Model::save, nb::arg("file"), no_gil)
      .def(
          "on",
          [](const Model& model, const std::string& device, std::int64_t threads,
             const std::string& memory) { return model.on(machine(device, threads, memory)); },
          nb::arg("device"), nb::arg("threads") = 0, nb::arg("memory") = "", no_gil)
      .def("card", &card_of)
      .def("options", [](const Model& model) { return python::dict_of(model.card().options); })
      .def("record", &record_of)
      .def("entity_names", [](const Model& model) { return list_of(model.entity_names()); })
      .def("relation_names", [](const Model& model) { return list_of(model.relation_names()); })
      .def("time_names", [](const Model& model) { return list_of(model.time_names()); })
      .def("embeddings", &embeddings_of, nb::arg("name"))
      .def(
          "embedding_names",
          [](const Model& model, const std::string& name) {
            return list_of(model.embeddings(name).names);
          },
          nb::arg("name"))
      .def("with_facts", &Model::with_facts, nb::arg("facts"), no_gil)
      .def_prop_ro("has_facts", &Model::has_facts)
      .def("nearest_time", &Model::nearest_time, nb::arg("date"))
      .def("training_data", &Model::training_data, no_gil)
      .def("read_data", &Model::read_data, nb::arg("source"), no_gil)
      .def("neighbours", &neighbours_of, nb::arg("entity"), nb::arg("top"))
      .def("geometry", &geometry_of, nb::arg("relation"), nb::arg("time"), nb::arg("end"),
           nb::arg("top"), nb::arg("untrained"), no_gil)
      .def("facts_of", &facts_with, nb::arg("entity"), nb::arg("top"))
      .def("export", &exported, nb::arg("directory"), nb::arg("format"), nb::arg("tables"), no_gil);
  module.def(
      "mix",
      [](const std::vector<Model>& models, const Dataset& data) { return mix(models, data); },
      nb::arg("models"), nb::arg("data"), no_gil);
}

}  // namespace orrery::python
