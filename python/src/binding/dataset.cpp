#include <nanobind/ndarray.h>
#include <nanobind/stl/filesystem.h>

#include "fact_table.h"
#include "waiting.h"

namespace orrery::python {
namespace {

using Rows = nb::ndarray<nb::numpy, const std::int32_t, nb::ndim<2>, nb::c_contig>;

// Subject, relation, object and moment of each fact: a view, that keeps the data set alive.
Rows facts_of(const Dataset& data, const std::string& split) {
  static_assert(sizeof(Fact) == 4 * sizeof(std::int32_t));
  const auto facts = data.facts(split_named(split));
  return Rows(reinterpret_cast<const std::int32_t*>(facts.data()), {facts.size(), 4},
              owner_of(std::make_unique<Dataset>(data)));
}

// Time ids of the start and the end of each fact.
Rows times_of(const Dataset& data, const std::string& split) {
  const auto facts = data.facts(split_named(split));
  auto times = std::make_unique<std::vector<std::int32_t>>();
  times->reserve(facts.size() * 2);
  for (const Fact& fact : facts) {
    const Moment moment = data.moment(fact);
    times->push_back(moment.start);
    times->push_back(moment.end);
  }
  const std::int32_t* first = times->data();
  return Rows(first, {facts.size(), 2}, owner_of(std::move(times)));
}

nb::list dates_of(const Dataset& data, const std::string& split) {
  nb::list dates;
  for (const Fact& fact : data.facts(split_named(split))) dates.append(data.date(fact));
  return dates;
}

Dataset opened(const std::string& source, const nb::dict& given, const nb::object& progress) {
  const DataOptions options = data_options_of(given);
  Interrupts interrupts;
  // Fetching ends when its observer throws.
  struct Stopped {};
  const FetchObserver observer = [&](const FetchProgress& fetched) {
    const bool stop = interrupts.pending() || (!progress.is_none() && interrupts.ask([&] {
                        return progress(std::string(fetched.file), fetched.done, fetched.total);
                      }));
    if (stop) throw Stopped{};
  };
  const nb::gil_scoped_release no_gil;
  try {
    return Dataset::open(source, options, observer);
  } catch (const Stopped&) {
    const nb::gil_scoped_acquire gil;
    interrupts.rethrow();
    throw nb::value_error("fetching was stopped");
  }
}

Dataset of_tables(const HeldTable& train, const HeldTable* valid, const HeldTable* test,
                  const nb::dict& given) {
  const DataOptions options = data_options_of(given);
  const auto table = [](const HeldTable* held) {
    return held == nullptr ? std::optional<FactTable>() : held->table();
  };
  const nb::gil_scoped_release no_gil;
  return Dataset::from_tables(train.table(), table(valid), table(test), options);
}

nb::dict reading_of(const Dataset& data) {
  TrainOptions options;
  options.reading = data.options();
  nb::dict reading;
  for (const OptionInfo& option : option_table())
    if (option.about == OptionAbout::data && option.name != "data")
      reading[option.name.c_str()] = object_of(option_value(options, option.name));
  return reading;
}

nb::list understood_of(const Dataset& data) {
  nb::list result;
  for (const Understood& one : data.understood())
    result.append(nb::make_tuple(one.about, one.sentence));
  return result;
}

}  // namespace

void bind_dataset(nb::module_& module) {
  const auto no_gil = nb::call_guard<nb::gil_scoped_release>();
  nb::class_<Dataset>(module, "Dataset")
      .def_static("open", &opened, nb::arg("source"), nb::arg("options"),
                  nb::arg("progress").none() = nb::none())
      .def_static("of_tables", &of_tables, nb::arg("train"), nb::arg("valid").none(),
                  nb::arg("test").none(), nb::arg("options"))
      .def_static("demo", &Dataset::demo, nb::arg("seed") = 1, no_gil)
      .def_prop_ro("entities", &Dataset::entities)
      .def_prop_ro("relations", &Dataset::relations)
      .def_prop_ro("times", &Dataset::times)
      .def_prop_ro("intervals", &Dataset::intervals)
      .def_prop_ro("granularity", &Dataset::granularity)
      .def("entity_names", [](const Dataset& data) { return list_of(data.entity_names()); })
      .def("relation_names", [](const Dataset& data) { return list_of(data.relation_names()); })
      .def("time_names", [](const Dataset& data) { return list_of(data.time_names()); })
      .def("find_time", &Dataset::find_time, nb::arg("date"))
      .def(
          "count",
          [](const Dataset& data, const std::string& split) {
            return data.facts(split_named(split)).size();
          },
          nb::arg("split"))
      .def("facts", &facts_of, nb::arg("split"))
      .def("fact_times", &times_of, nb::arg("split"))
      .def("fact_dates", &dates_of, nb::arg("split"))
      .def("fingerprint", &Dataset::fingerprint, no_gil)
      .def("split", &Dataset::split, nb::arg("shares"), nb::arg("by"), nb::arg("seed"), no_gil)
      .def("write", &Dataset::convert, nb::arg("directory"), no_gil)
      .def_prop_ro("source", &Dataset::source)
      .def("reading", &reading_of)
      .def("understood", &understood_of)
      .def_prop_ro("bad_lines", &Dataset::bad_lines)
      .def(
          "check_json", [](const Dataset& data) { return data_check_json(data, data.check()); },
          no_gil)
      .def(
          "check_text", [](const Dataset& data) { return data_check_text(data, data.check()); },
          no_gil)
      .def(
          "check_html", [](const Dataset& data) { return data_check_html(data, data.check()); },
          no_gil);
}

}  // namespace orrery::python
