#include <nanobind/ndarray.h>

#include <chrono>
#include <limits>

#include "fact_table.h"

namespace orrery::python {
namespace {

constexpr std::int64_t seconds_per_day = 86'400;

std::int64_t units_per_day(const std::string& unit) {
  if (unit == "D") return 1;
  if (unit == "s") return seconds_per_day;
  if (unit == "ms") return seconds_per_day * 1'000;
  if (unit == "us") return seconds_per_day * 1'000'000;
  if (unit == "ns") return seconds_per_day * 1'000'000'000;
  throw nb::value_error(("unknown unit of time: " + unit).c_str());
}

std::string two_digits(std::int64_t number) {
  return {static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
}

std::string padded_year(int year) {
  const std::string digits = std::to_string(year < 0 ? -year : year);
  return (year < 0 ? "-" : "") + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') +
         digits;
}

std::string date_text(std::int64_t days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(days))};
  return padded_year(static_cast<int>(date.year())) + '-' +
         two_digits(static_cast<unsigned>(date.month())) + '-' +
         two_digits(static_cast<unsigned>(date.day()));
}

std::int64_t floor_of(std::int64_t value, std::int64_t by) {
  return value / by - (value % by < 0 ? 1 : 0);
}

using Codes = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Times = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// str has its UTF-8 inside, for as long as it lives.
std::string_view view_of(const nb::handle& text) {
  if (text.is_none()) return {};
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (data == nullptr) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

void add_codes(HeldTable& held, std::string title, const Codes& codes, const nb::list& texts) {
  TableColumn column{std::move(title), {}, {codes.data(), codes.shape(0)}, true};
  column.texts.reserve(texts.size());
  for (const nb::handle& text : texts) column.texts.push_back(view_of(text));
  held.keep(nb::object(texts));
  held.keep(nb::cast(codes));
  held.add(std::move(column));
}

void add_times(HeldTable& held, std::string title, const Times& times, const std::string& unit) {
  CodedNumbers numbers(units_per_day(unit));
  constexpr std::int64_t not_a_time = std::numeric_limits<std::int64_t>::min();
  for (std::size_t i = 0; i < times.shape(0); ++i) {
    if (times.data()[i] == not_a_time)
      numbers.add_missing();
    else
      numbers.add(times.data()[i]);
  }
  held.add(numbers.finish(std::move(title), held));
}

}  // namespace

void CodedNumbers::add(std::int64_t value) {
  if (last_code_ < 0 || values_[static_cast<std::size_t>(last_code_)] != value) {
    const auto [place, is_new] = code_of_.emplace(value, static_cast<std::int32_t>(values_.size()));
    if (is_new) values_.push_back(value);
    last_code_ = place->second;
  }
  codes_.push_back(last_code_);
}

std::string CodedNumbers::text(std::int64_t value, bool midnights) const {
  if (per_day_ == 0) return std::to_string(value);
  const std::int64_t days = floor_of(value, per_day_);
  if (midnights) return date_text(days);
  const std::int64_t second = (value - days * per_day_) / (per_day_ / seconds_per_day);
  return date_text(days) + 'T' + two_digits(second / 3600) + ':' + two_digits(second / 60 % 60) +
         ':' + two_digits(second % 60);
}

TableColumn CodedNumbers::finish(std::string title, HeldTable& held) {
  bool midnights = true;
  for (const std::int64_t value : values_)
    midnights = midnights && (per_day_ == 0 || value % per_day_ == 0);
  TableColumn column{std::move(title), {}, {}, true};
  column.texts.reserve(values_.size());
  for (const std::int64_t value : values_)
    column.texts.push_back(held.keep(text(value, midnights)));
  column.codes = held.keep(std::move(codes_));
  return column;
}

void bind_tables(nb::module_& module) {
  nb::class_<HeldTable>(module, "Table")
      .def(nb::init<std::string>(), nb::arg("name"))
      .def("add_codes", &add_codes, nb::arg("title"), nb::arg("codes"), nb::arg("texts"))
      .def("add_times", &add_times, nb::arg("title"), nb::arg("times"), nb::arg("unit"))
      .def("add_arrow", &add_arrow_stream, nb::arg("stream"))
      .def("add_unread", &HeldTable::add_unread, nb::arg("title"), nb::arg("rows"),
           nb::arg("reason"))
      .def_prop_ro("unread", [](const HeldTable& held) { return list_of(held.unread()); })
      .def_prop_ro("titles", [](const HeldTable& held) {
        nb::list titles;
        for (const TableColumn& column : held.table().columns) titles.append(column.title);
        return titles;
      });
}

}  // namespace orrery::python
