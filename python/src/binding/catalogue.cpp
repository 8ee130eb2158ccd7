#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "bindings.h"

namespace orrery::python {
namespace {

nb::dict dict_of(const ModelInfo& model) {
  nb::dict result, choices;
  result["name"] = model.name;
  result["title"] = model.title;
  result["paper"] = model.paper;
  result["formula"] = model.formula;
  for (const ModelChoice& choice : model.choices)
    choices[choice.name.c_str()] = list_of(choice.values);
  result["choices"] = choices;
  return result;
}

nb::dict dict_of(const BenchmarkInfo& set) {
  nb::dict result;
  result["name"] = set.name;
  result["train"] = set.train;
  result["valid"] = set.valid;
  result["test"] = set.test;
  result["entities"] = set.entities;
  result["relations"] = set.relations;
  result["times"] = set.times;
  result["licence"] = set.licence;
  result["home"] = set.home;
  return result;
}

std::unique_ptr<Server> served(const std::string& name, const Model& model, const Dataset* facts,
                               const std::string& host, int port, const std::string& token) {
  ServeOptions options;
  options.host = host;
  options.port = port;
  options.token = token;
  const NamedModel named{name, model,
                         facts == nullptr ? std::optional<Dataset>() : std::optional(*facts)};
  return std::make_unique<Server>(std::span(&named, 1), options);
}

}  // namespace

void bind_catalogue(nb::module_& module) {
  const auto no_gil = nb::call_guard<nb::gil_scoped_release>();
  module.def("version", [] { return std::string(version()); });
  module.def("models", [] {
    nb::list result;
    for (const ModelInfo& model : models()) result.append(dict_of(model));
    return result;
  });
  module.def("benchmarks", [] {
    nb::list result;
    for (const BenchmarkInfo& set : benchmarks()) result.append(dict_of(set));
    return result;
  });
  nb::class_<Server>(module, "Server")
      .def_prop_ro("url", &Server::url)
      .def_prop_ro("port", &Server::port)
      .def("stop", &Server::stop, no_gil);
  module.def("serve", &served, nb::arg("name"), nb::arg("model"), nb::arg("facts").none(),
             nb::arg("host"), nb::arg("port"), nb::arg("token"), no_gil);
}

}  // namespace orrery::python
