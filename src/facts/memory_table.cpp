#include "facts/memory_table.h"

#include <numeric>

#include "base/error.h"
#include "facts/utf8.h"

namespace orrery {
namespace {

std::size_t rows_of(const TableColumn& column) {
  return column.coded ? column.codes.size() : column.texts.size();
}

void check_codes(const TableColumn& column, const std::string& table) {
  const auto texts = static_cast<std::int64_t>(column.texts.size());
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const std::int64_t code = column.codes[row];
    if (code < -1 || code >= texts)
      fail_request(About{.place = {table, row + 1}}, "{} has the code {}, and there are {} texts",
                   shown(column.title), code, texts);
  }
}

void check_table(const FactTable& table) {
  if (table.columns.empty()) fail_request(About{.place = {table.name}}, "has no columns");
  const std::size_t rows = rows_of(table.columns[0]);
  for (const TableColumn& column : table.columns) {
    if (rows_of(column) != rows)
      fail_request(About{.place = {table.name}}, "{} has {} rows, and {} has {}",
                   shown(table.columns[0].title), rows, shown(column.title), rows_of(column));
    if (column.coded) check_codes(column, table.name);
  }
}

class TableReader final : public RecordReader {
 public:
  explicit TableReader(const FactTable& table) : table_(table) {
    check_table(table);
    rows_ = rows_of(table.columns[0]);
    for (const TableColumn& column : table.columns) titles_.push_back(column.title);
    selected_.resize(titles_.size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
  }

  std::span<const std::string> titles() const override { return titles_; }
  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
  }

  bool next(Record& record) override {
    if (row_ == rows_) return false;
    record.fields.resize(selected_.size());
    for (std::size_t i = 0; i < selected_.size(); ++i)
      record.fields[i] = text_at(table_.columns[selected_[i]]);
    record.count = titles_.size();
    record.problem = nullptr;
    record.line = ++row_;
    return true;
  }

 private:
  std::string_view text_at(const TableColumn& column) const {
    if (!column.coded) return column.texts[row_];
    const std::int32_t code = column.codes[row_];
    return code < 0 ? std::string_view() : column.texts[static_cast<std::size_t>(code)];
  }

  const FactTable& table_;
  std::vector<std::string> titles_;
  std::vector<std::size_t> selected_;
  std::size_t row_ = 0, rows_ = 0;
};

}  // namespace

OpenedRecords open_table(const FactTable& table) {
  OpenedRecords opened;
  opened.reader = std::make_unique<TableReader>(table);
  opened.name = table.name;
  opened.kind = FileKind::memory;
  return opened;
}

}  // namespace orrery
