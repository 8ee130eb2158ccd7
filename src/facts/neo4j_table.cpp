#include "facts/neo4j_table.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string_view>
#include <utility>

#include "facts/column_titles.h"

namespace orrery {
namespace {

std::size_t position_of(const std::vector<std::string>& titles, std::string_view title) {
  return static_cast<std::size_t>(std::find(titles.begin(), titles.end(), title) - titles.begin());
}

class Neo4jTable final : public RecordReader {
 public:
  explicit Neo4jTable(std::unique_ptr<RecordReader> table) : table_(std::move(table)) {
    table_->next(row_);
    const std::vector<std::string> all(row_.fields.begin(), row_.fields.end());
    count_ = all.size();
    id_ = position_of(all, "_id");
    first_ = position_of(all, "_start");
    to_ = position_of(all, "_end");
    // Properties of nodes stand before _start. What a node is called, the best first.
    for (const std::string_view name : {"name", "title", "label"}) {
      for (std::size_t i = 0; i < first_; ++i) {
        if (folded_title(all[i]) == name) names_.push_back(i);
      }
    }
    names_.push_back(id_);
    titles_ = {"source_node_name", "target_node_name"};
    titles_.insert(titles_.end(), all.begin() + static_cast<std::ptrdiff_t>(first_), all.end());
    selected_.resize(titles_.size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
  }

  std::span<const std::string> titles() const override { return titles_; }
  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
  }

  bool next(Record& record) override {
    while (table_->next(row_)) {
      const bool whole = row_.problem == nullptr && row_.count == count_;
      if (whole && !row_.fields[id_].empty()) {
        keep_node();
        continue;
      }
      record.line = row_.line;
      record.count = row_.blank() ? 0 : titles_.size();
      record.problem = row_.problem;
      if (!row_.blank() && !whole && record.problem == nullptr)
        record.problem = "the line has another number of columns than the header";
      record.fields.clear();
      for (const std::size_t column : selected_)
        record.fields.push_back(whole ? field(column) : std::string_view());
      return true;
    }
    return false;
  }

 private:
  void keep_node() {
    for (const std::size_t column : names_) {
      if (row_.fields[column].empty()) continue;
      nodes_[std::string(row_.fields[id_])] = row_.fields[column];
      return;
    }
  }

  std::string_view field(std::size_t column) const {
    constexpr std::size_t added = 2;
    if (column >= added) return row_.fields[first_ + column - added];
    const std::string_view id = row_.fields[column == 0 ? first_ : to_];
    const auto node = nodes_.find(id);
    return node == nodes_.end() ? id : node->second;
  }

  std::unique_ptr<RecordReader> table_;
  Record row_;
  std::size_t count_ = 0, id_ = 0, first_ = 0, to_ = 0;
  std::vector<std::size_t> names_;
  std::vector<std::string> titles_;
  std::vector<std::size_t> selected_;
  std::map<std::string, std::string, std::less<>> nodes_;
};

}  // namespace

bool is_neo4j_header(const std::vector<std::string>& titles) {
  constexpr std::array<std::string_view, 4> needed = {"_id", "_start", "_end", "_type"};
  const bool all = std::ranges::all_of(needed, [&titles](std::string_view title) {
    return position_of(titles, title) < titles.size();
  });
  return all && position_of(titles, "_id") < position_of(titles, "_start") &&
         position_of(titles, "_start") < position_of(titles, "_end");
}

std::unique_ptr<RecordReader> read_neo4j_table(std::unique_ptr<RecordReader> table) {
  return std::make_unique<Neo4jTable>(std::move(table));
}

}  // namespace orrery
