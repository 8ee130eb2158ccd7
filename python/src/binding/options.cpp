#include <cmath>
#include <type_traits>

#include "bindings.h"

namespace orrery::python {
namespace {

const char* type_name(const OptionValue& value) {
  constexpr const char* names[] = {"bool", "int", "int", "float", "str", "list[str]"};
  return names[value.index()];
}

[[noreturn]] void refuse_type(const OptionInfo& option, const nb::handle& value) {
  std::string name = option.name;
  for (char& c : name)
    if (c == '-') c = '_';
  throw nb::type_error((name + " must be " + type_name(option.default_value) + ", not " +
                        nb::cast<std::string>(nb::str(nb::handle(value.type()).attr("__name__"))))
                           .c_str());
}

bool is_bool(const nb::handle& value) { return nb::isinstance<nb::bool_>(value); }

// Whatever says that it is an integer, numpy's among them.
template <class Integer>
Integer integer_of(const OptionInfo& option, const nb::handle& value) {
  if (is_bool(value) || PyIndex_Check(value.ptr()) == 0) refuse_type(option, value);
  const nb::object index = nb::steal(PyNumber_Index(value.ptr()));
  if (!index.is_valid()) throw nb::python_error();
  if constexpr (std::is_signed_v<Integer>) {
    const long long result = PyLong_AsLongLong(index.ptr());
    if (result == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    return result;
  } else {
    const unsigned long long result = PyLong_AsUnsignedLongLong(index.ptr());
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return result;
  }
}

double number_of(const OptionInfo& option, const nb::handle& value) {
  if (is_bool(value) || nb::isinstance<nb::str>(value)) refuse_type(option, value);
  const double result = PyFloat_AsDouble(value.ptr());
  if (result == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    refuse_type(option, value);
  }
  return result;
}

std::string text_of(const OptionInfo& option, const nb::handle& value) {
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::hasattr(value, "__fspath__")) {
    const nb::object path = value.attr("__fspath__")();
    if (nb::isinstance<nb::str>(path)) return nb::cast<std::string>(path);
  }
  refuse_type(option, value);
}

std::vector<std::string> texts_of(const OptionInfo& option, const nb::handle& value) {
  if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value))
    refuse_type(option, value);
  std::vector<std::string> texts;
  for (const nb::handle& text : value) {
    if (!nb::isinstance<nb::str>(text)) refuse_type(option, value);
    texts.push_back(nb::cast<std::string>(text));
  }
  return texts;
}

// A list may be written as one text, as on the command line.
std::string value_text(const OptionInfo& option, const nb::handle& value) {
  return std::visit(
      [&]<class Value>(const Value&) -> std::string {
        if constexpr (std::is_same_v<Value, bool>) {
          if (!is_bool(value)) refuse_type(option, value);
          return option_text(OptionValue(nb::cast<bool>(value)));
        } else if constexpr (std::is_integral_v<Value>) {
          return option_text(OptionValue(integer_of<Value>(option, value)));
        } else if constexpr (std::is_same_v<Value, double>) {
          return option_text(OptionValue(number_of(option, value)));
        } else if constexpr (std::is_same_v<Value, std::string>) {
          return text_of(option, value);
        } else {
          if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
          return option_text(OptionValue(texts_of(option, value)));
        }
      },
      option.default_value);
}

nb::dict dict_of(const OptionInfo& option) {
  nb::dict result;
  result["name"] = option.name;
  result["sentence"] = option.sentence;
  result["about"] = std::string(name_of(option.about));
  result["may_change_on_resume"] = option.may_change_on_resume();
  result["type"] = type_name(option.default_value);
  result["default"] = object_of(option.default_value);
  result["least"] = option.least;
  result["most"] = option.most;
  result["values"] = list_of(option.values);
  result["is_choice"] = option.is_choice;
  return result;
}

}  // namespace

nb::list list_of(std::span<const std::string> texts) {
  nb::list result;
  for (const std::string& text : texts) result.append(text);
  return result;
}

nb::object object_of(const OptionValue& value) {
  return std::visit(
      []<class Value>(const Value& held) -> nb::object {
        if constexpr (std::is_same_v<Value, std::vector<std::string>>)
          return list_of(held);
        else
          return nb::cast(held);
      },
      value);
}

nb::dict dict_of(const TrainOptions& options) {
  nb::dict result;
  for (const OptionInfo& option : option_table())
    result[option.name.c_str()] = object_of(option_value(options, option.name));
  return result;
}

OptionChanges changes_of(const nb::dict& given) {
  OptionChanges changes;
  for (const auto& [key, value] : given) {
    if (value.is_none()) continue;
    const OptionInfo& option = option_named(nb::cast<std::string>(key));
    changes.emplace_back(option.name, value_text(option, value));
  }
  return changes;
}

DataOptions data_options_of(const nb::dict& given) {
  TrainOptions options;
  set_options(options, changes_of(given));
  check_values(options);
  return data_options(options);
}

void bind_options(nb::module_& module) {
  module.def("option_table", [] {
    nb::list table;
    for (const OptionInfo& option : option_table()) table.append(dict_of(option));
    return table;
  });
  module.def(
      "check_names", [](const nb::dict& given) { changes_of(given); }, nb::arg("given"));
  module.def(
      "nearest_name",
      [](const std::string& word, const std::vector<std::string>& known) {
        return nearest_name(word, known);
      },
      nb::arg("word"), nb::arg("known"));
  module.def(
      "config_text",
      [](const nb::dict& given) {
        TrainOptions options;
        set_options(options, changes_of(given));
        return config_text(options);
      },
      nb::arg("given"));
  module.def(
      "fitting_options",
      [](const Dataset& data, const nb::dict& given) {
        const FittingOptions fitting = fitting_options(data, changes_of(given));
        nb::list chosen;
        for (const ChosenOption& option : fitting.chosen)
          chosen.append(nb::make_tuple(option.name, option.value, option.reason));
        return nb::make_tuple(dict_of(fitting.options), chosen);
      },
      nb::arg("data"), nb::arg("given"));
}

}  // namespace orrery::python
