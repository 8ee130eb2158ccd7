// Tables of pyarrow, polars, DuckDB and all others that offer __arrow_c_stream__.
#include <cmath>
#include <limits>
#include <memory>

#include "arrow_abi.h"
#include "arrow_texts.h"
#include "fact_table.h"

namespace orrery::python {
namespace {

// A structure of Arrow, given back to whom it came from.
template <class Part>
struct Received final : Kept {
  Part part = {};

  Received() = default;
  Received(const Received&) = delete;
  Received& operator=(const Received&) = delete;
  ~Received() override {
    if (part.release != nullptr) part.release(&part);
  }
};

[[noreturn]] void refuse(const std::string& message) { throw nb::value_error(message.c_str()); }

std::int64_t units_per_day(std::string_view format) {
  constexpr std::int64_t day = 86'400;
  switch (format.size() > 2 ? format[2] : '?') {
    case 's':
      return day;
    case 'm':
      return day * 1'000;
    case 'u':
      return day * 1'000'000;
    case 'n':
      return day * 1'000'000'000;
    default:
      refuse("unknown Arrow time: " + std::string(format));
  }
}

// The number at a place, whatever its width.
class NumberAt {
 public:
  NumberAt(const ArrowArray& array, char format) : data_(array.buffers[1]), format_(format) {}

  std::int64_t integer(std::int64_t i) const {
    switch (format_) {
      case 'c':
        return at<std::int8_t>(i);
      case 'C':
        return at<std::uint8_t>(i);
      case 's':
        return at<std::int16_t>(i);
      case 'S':
        return at<std::uint16_t>(i);
      case 'i':
        return at<std::int32_t>(i);
      case 'I':
        return at<std::uint32_t>(i);
      case 'L':
        if (at<std::uint64_t>(i) > std::numeric_limits<std::int64_t>::max())
          refuse("an Arrow column has a number beyond 63 bits");
        [[fallthrough]];
      default:
        return at<std::int64_t>(i);
    }
  }
  double real(std::int64_t i) const { return format_ == 'f' ? at<float>(i) : at<double>(i); }

 private:
  template <class Number>
  Number at(std::int64_t i) const {
    return static_cast<const Number*>(data_)[i];
  }
  const void* data_;
  char format_;
};

bool is_integer(std::string_view format) {
  return format.size() == 1 && std::string_view("cCsSiIlL").find(format[0]) != std::string::npos;
}

// One column, chunk by chunk.
class ArrowColumn {
 public:
  ArrowColumn(const ArrowSchema& schema, HeldTable& held)
      : title_(schema.name == nullptr ? "" : schema.name), format_(schema.format), held_(held) {
    if (schema.dictionary != nullptr) {
      dictionary_ = schema.dictionary->format;
      if (!holds_texts(dictionary_) || !is_integer(format_))
        kind_ = Kind::other;
      else
        kind_ = Kind::dictionary;
    } else if (holds_texts(format_)) {
      kind_ = Kind::texts;
    } else if (is_integer(format_)) {
      kind_ = Kind::integers;
    } else if (format_ == "f" || format_ == "g") {
      kind_ = Kind::reals;
    } else if (format_ == "tdD") {
      kind_ = Kind::days;
      numbers_ = CodedNumbers(1);
    } else if (format_ == "tdm") {
      kind_ = Kind::moments;
      numbers_ = CodedNumbers(86'400'000);
    } else if (format_.starts_with("ts")) {
      kind_ = Kind::moments;
      numbers_ = CodedNumbers(units_per_day(format_));
    } else if (format_ == "n") {
      kind_ = Kind::nothing;
    } else {
      kind_ = Kind::other;
    }
  }

  void add(const ArrowArray& array) {
    if (array.length < 0 || array.offset < 0)
      refuse("the Arrow column '" + title_ + "' has a negative length");
    rows_ += array.length;
    switch (kind_) {
      case Kind::texts:
        each_text(array, format_, title_,
                  [this](std::string_view text) { texts_.push_back(text); });
        break;
      case Kind::dictionary:
        add_dictionary(array);
        break;
      case Kind::nothing:
        for (std::int64_t i = 0; i < array.length; ++i) numbers_.add_missing();
        break;
      case Kind::other:
        break;
      default:
        add_numbers(array);
    }
  }

  void finish() {
    if (kind_ == Kind::texts)
      held_.add({std::move(title_), std::move(texts_), {}, false});
    else if (kind_ == Kind::dictionary)
      held_.add({std::move(title_), std::move(texts_), held_.keep(std::move(codes_)), true});
    else if (kind_ != Kind::other)
      held_.add(numbers_.finish(std::move(title_), held_));
    else
      held_.add_unread(title_, static_cast<std::size_t>(rows_),
                       "the column '" + title_ + "' holds " +
                           (odd_.empty() ? "values of the Arrow type '" + format_ + "'" : odd_) +
                           ", neither names nor dates");
  }

 private:
  enum class Kind { texts, dictionary, integers, reals, days, moments, nothing, other };

  void require_numbers(const ArrowArray& array) const {
    if (array.n_buffers != 2 || (array.length > 0 && array.buffers[1] == nullptr))
      refuse("the Arrow column '" + title_ + "' has not the two buffers of numbers");
  }

  void add_dictionary(const ArrowArray& array) {
    require_numbers(array);
    if (array.dictionary == nullptr) refuse("the Arrow column '" + title_ + "' has no dictionary");
    const auto first = static_cast<std::int64_t>(texts_.size());
    each_text(*array.dictionary, dictionary_, title_,
              [this](std::string_view text) { texts_.push_back(text); });
    const NumberAt codes(array, format_[0]);
    for (std::int64_t i = 0; i < array.length; ++i) {
      const std::int64_t code = has_value(array, i) ? codes.integer(array.offset + i) : -1;
      if (code >= array.dictionary->length)
        refuse("the Arrow column '" + title_ + "' has a code that its dictionary lacks");
      codes_.push_back(code < 0 ? -1 : static_cast<std::int32_t>(first + code));
    }
  }

  void add_numbers(const ArrowArray& array) {
    require_numbers(array);
    const char width = kind_ == Kind::days ? 'i' : kind_ == Kind::moments ? 'l' : format_[0];
    const NumberAt numbers(array, width);
    for (std::int64_t i = 0; i < array.length; ++i) {
      if (!has_value(array, i))
        numbers_.add_missing();
      else if (format_ == "f" || format_ == "g")
        add_real(numbers.real(array.offset + i));
      else
        numbers_.add(numbers.integer(array.offset + i));
    }
  }

  // Whole numbers with gaps come as reals.
  void add_real(double value) {
    if (std::isnan(value)) return numbers_.add_missing();
    if (value == std::floor(value) && std::abs(value) < 9e15)
      return numbers_.add(static_cast<std::int64_t>(value));
    kind_ = Kind::other;
    if (odd_.empty()) odd_ = "the number " + std::to_string(value);
  }

  std::string title_, format_, dictionary_;
  std::string odd_;  // a number that is no integer
  HeldTable& held_;
  Kind kind_ = Kind::other;
  std::int64_t rows_ = 0;
  std::vector<std::string_view> texts_;
  std::vector<std::int32_t> codes_;
  CodedNumbers numbers_;
};

ArrowArrayStream* stream_of(const nb::object& capsule) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (pointer == nullptr) throw nb::python_error();
  auto* stream = static_cast<ArrowArrayStream*>(pointer);
  if (stream->release == nullptr) refuse("the Arrow stream was read already");
  return stream;
}

void require_success(ArrowArrayStream* stream, int status) {
  if (status == 0) return;
  const char* reason = stream->get_last_error(stream);
  refuse(std::string("the Arrow stream cannot be read: ") + (reason == nullptr ? "" : reason));
}

}  // namespace

void add_arrow_stream(HeldTable& held, const nb::object& capsule) {
  ArrowArrayStream* stream = stream_of(capsule);
  Received<ArrowSchema> received;
  const ArrowSchema& schema = received.part;
  require_success(stream, stream->get_schema(stream, &received.part));
  if (std::string_view(schema.format) != "+s")
    refuse("an Arrow stream of facts must be of a table, with a column for each part of a fact");
  std::vector<ArrowColumn> columns;
  for (std::int64_t i = 0; i < schema.n_children; ++i)
    columns.emplace_back(*schema.children[i], held);
  while (true) {
    auto chunk = std::make_unique<Received<ArrowArray>>();
    const ArrowArray& rows = chunk->part;
    require_success(stream, stream->get_next(stream, &chunk->part));
    if (rows.release == nullptr) break;
    if (rows.n_children != schema.n_children)
      refuse("an Arrow chunk has other columns than its table");
    if (rows.offset != 0) refuse("Arrow tables with an offset of their own are not read");
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (rows.children[i]->length != rows.length)
        refuse("an Arrow chunk has columns of different lengths");
      columns[i].add(*rows.children[i]);
    }
    held.keep(std::unique_ptr<Kept>(std::move(chunk)));
  }
  for (ArrowColumn& column : columns) column.finish();
}

}  // namespace orrery::python
