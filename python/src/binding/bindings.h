// The parts of the module orrery._engine, one file each, and what they share.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <orrery/orrery.h>

#include <memory>
#include <span>
#include <string>

namespace orrery::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_options(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_dataset(nb::module_& module);
void bind_model(nb::module_& module);
void bind_answers(nb::module_& module);
void bind_train(nb::module_& module);
void bind_evaluate(nb::module_& module);
void bind_search(nb::module_& module);
void bind_catalogue(nb::module_& module);
void bind_fetching(nb::module_& module);
void bind_processes(nb::module_& module);

// Keyword arguments as options in the words of the command line. What is None was not given. An
// unknown name or a value of another type becomes a Python error that names it.
OptionChanges changes_of(const nb::dict& given);
// The same for options of reading facts.
DataOptions data_options_of(const nb::dict& given);
// An option's value as the Python object of its type.
nb::object object_of(const OptionValue& value);
nb::dict dict_of(const TrainOptions& options);

nb::list list_of(std::span<const std::string> texts);
// Owns what an array of numpy is a view of.
template <class Held>
nb::capsule owner_of(std::unique_ptr<Held> held) {
  return nb::capsule(held.release(),
                     [](void* p) noexcept { std::default_delete<Held>()(static_cast<Held*>(p)); });
}
nb::dict dict_of(const Scores& scores);
nb::dict dict_of(const EpochReport& report);
nb::dict dict_of(const TrainSummary& summary);

}  // namespace orrery::python
