#include "bindings.h"

namespace orrery::python {
namespace {

// Makes the Python exception: (kind, message, option, file, line, advice) -> exception. Held for
// the life of the process, since modules are never unloaded.
nb::object& exception_maker() {
  static nb::object* maker = std::make_unique<nb::object>().release();
  return *maker;
}

const char* name_of_kind(Error::Kind kind) {
  switch (kind) {
    case Error::Kind::request:
      return "request";
    case Error::Kind::model:
      return "model";
    case Error::Kind::broken:
      break;
  }
  return "broken";
}

// A text that is no UTF-8, such as an odd name in a message, must not hide the error.
nb::object lenient(const std::string& text) {
  return nb::steal(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace"));
}

void raise(const Error& error) {
  const auto style = OptionStyle::keyword;
  if (!exception_maker().is_valid()) {
    PyErr_SetString(PyExc_RuntimeError, error.text(style).c_str());
    return;
  }
  const nb::object made = exception_maker()(
      name_of_kind(error.kind()), lenient(error.message(style)), lenient(error.option()),
      lenient(error.place().file), error.place().line, lenient(error.advice(style)));
  PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
}

}  // namespace

void bind_errors(nb::module_& module) {
  module.def(
      "set_exception_maker", [](nb::callable maker) { exception_maker() = std::move(maker); },
      nb::arg("maker"));
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const Error& error) {
      raise(error);
    }
  });
}

}  // namespace orrery::python
