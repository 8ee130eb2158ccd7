#include <nanobind/stl/pair.h>

#include <utility>

#include "bindings.h"

namespace orrery::python {

void bind_fetching(nb::module_& module) {
  module.def(
      "names_benchmark", [](const std::string& source) { return names_benchmark(source); },
      nb::arg("source"));
  module.def(
      "benchmark_folder", [](const std::string& name) { return benchmark_folder(name).string(); },
      nb::arg("name"));
  module.def(
      "benchmark_files",
      [](const std::string& name) {
        const BenchmarkInfo set = benchmark_named(name);
        nb::list files;
        for (const BenchmarkFile& file : set.files)
          files.append(nb::make_tuple(file.name, file.most_bytes));
        return std::pair(set.home, files);
      },
      nb::arg("name"));
  module.def(
      "fetch_benchmark",
      [](const std::string& name, const std::string& folder, const std::string& from) {
        fetch_benchmark(name, folder, from);
      },
      nb::arg("name"), nb::arg("folder"), nb::arg("from_"),
      nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace orrery::python
