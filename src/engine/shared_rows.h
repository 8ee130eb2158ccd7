// Rows of tables that several processes share, as all of them read and write them together, or the
// leader alone.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/engine.h"
#include "engine/entity_blocks.h"

namespace orrery {

// What a backend does with the rows that its process has.
class RowsHere {
 public:
  virtual ~RowsHere() = default;
  virtual void read_here(std::size_t table, State state, std::span<float> rows) const = 0;
  // Of all rows those that it has.
  virtual void write_here(std::size_t table, State state, std::span<const float> all_rows) = 0;
};

class SharedRows {
 public:
  // All three must outlive it.
  SharedRows(const EntityBlocks& blocks, const std::vector<TableSpec>& tables, RowsHere& here)
      : blocks_(blocks), tables_(tables), here_(here) {}

  void read(std::size_t table, State state, std::span<float> rows) const;
  void write(std::size_t table, State state, std::span<const float> rows);
  void lead(const std::function<void()>& action);
  // Values and averages are exchanged here, which the others may not know of.
  void swap_average() { is_swapped_ = !is_swapped_; }

 private:
  bool is_shared(std::size_t table) const {
    return blocks_.are_shared() && tables_[table].row != no_row &&
           tables_[table].of == RowOf::entity;
  }
  State told(State state) const;
  void gather(std::size_t table, State state, std::span<float> rows) const;
  void serve_leader();

  const EntityBlocks& blocks_;
  const std::vector<TableSpec>& tables_;
  RowsHere& here_;
  bool leads_alone_ = false, is_swapped_ = false;
};

}  // namespace orrery
