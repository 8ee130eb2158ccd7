// A FactTable that keeps alive what its texts stand in.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "bindings.h"

namespace orrery::python {

// Memory that texts stand in.
struct Kept {
  virtual ~Kept() = default;
};

class HeldTable {
 public:
  explicit HeldTable(std::string name) { table_.name = std::move(name); }
  HeldTable(const HeldTable&) = delete;
  HeldTable& operator=(const HeldTable&) = delete;

  const FactTable& table() const { return table_; }
  // The column points into what is kept until the table is gone.
  void add(TableColumn column) { table_.columns.push_back(std::move(column)); }
  void keep(nb::object object) { objects_.push_back(std::move(object)); }
  void keep(std::unique_ptr<Kept> memory) { memory_.push_back(std::move(memory)); }
  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  std::span<const std::int32_t> keep(std::vector<std::int32_t> codes) {
    return codes_.emplace_back(std::move(codes));
  }
  // A column that holds neither names nor dates: it has its title and no values, and `reason` is
  // for those who meant it to be a part of a fact.
  void add_unread(std::string title, std::size_t rows, std::string reason) {
    unread_.push_back(std::move(reason));
    add({std::move(title), {}, keep(std::vector<std::int32_t>(rows, -1)), true});
  }
  const std::vector<std::string>& unread() const { return unread_; }

 private:
  FactTable table_;
  std::vector<nb::object> objects_;
  std::vector<std::unique_ptr<Kept>> memory_;
  std::deque<std::string> texts_;
  std::deque<std::vector<std::int32_t>> codes_;
  std::vector<std::string> unread_;
};

// Numbers a column's distinct values and writes each as text once, when the last is known: where
// all moments are midnights they are dates, else seconds.
class CodedNumbers {
 public:
  // Of a moment: how many of its units a day has (1: it is a date); 0: plain integers.
  explicit CodedNumbers(std::int64_t per_day = 0) : per_day_(per_day) {}

  void add(std::int64_t value);
  void add_missing() { codes_.push_back(-1); }
  TableColumn finish(std::string title, HeldTable& held);

 private:
  std::string text(std::int64_t value, bool midnights) const;

  std::int64_t per_day_;
  std::vector<std::int32_t> codes_;
  std::vector<std::int64_t> values_;  // by code
  std::unordered_map<std::int64_t, std::int32_t> code_of_;
  std::int32_t last_code_ = -1;  // sorted columns repeat their values
};

// All columns of an object with __arrow_c_stream__, given as its capsule.
void add_arrow_stream(HeldTable& held, const nb::object& capsule);

}  // namespace orrery::python
