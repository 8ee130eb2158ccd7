// The entities that several processes share: each has a block of neighbouring rows, and what they
// find about their own is put together here. Every call that exchanges anything is one of all
// processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/communicator.h"
#include "data/query.h"
#include "engine/asker.h"

namespace orrery {

class EntityBlocks {
 public:
  // Without processes, or with one, the block is all entities. More processes than entities are a
  // request Error.
  EntityBlocks(std::int32_t entities, Communicator* processes);

  bool are_shared() const { return processes_ != nullptr && processes_->size() > 1; }
  Communicator* processes() const { return processes_; }
  std::int32_t entities() const { return entities_; }
  int count() const { return processes_ != nullptr ? processes_->size() : 1; }
  int rank() const { return processes_ != nullptr ? processes_->rank() : 0; }
  const RowBlock& own() const { return own_; }
  RowBlock block_of_process(int rank) const { return block_of(entities_, rank, count()); }
  std::int32_t largest() const { return (entities_ + count() - 1) / count(); }  // of the blocks
  std::vector<std::size_t> rows_by_process() const;

  // Ids that ascend: how many of them each process has. They lie together, since blocks are in the
  // order of the processes.
  std::vector<std::size_t> counts_of(const std::vector<std::int32_t>& ids) const;

  // Rows of scores from every process's columns of them, which stand one row after the other.
  void gather_scores(std::span<const float> part, std::size_t rows, std::span<float> scores) const;
  // Each process has counted among its own entities; where a score of any is broken, it is an Error
  // of all.
  void sum_counts(std::span<const std::size_t> questions, std::span<const char> broken,
                  std::span<RankCounts> counts) const;
  // Each process has found the best of its own entities, by their places in its block.
  void join_answers(std::span<const std::size_t> questions, std::size_t k,
                    std::span<TopAnswers> answers) const;

 private:
  std::int32_t entities_;
  Communicator* processes_;
  RowBlock own_;
};

// The entities of examples (with `answers`, of both sides), ascending and each
// once. The examples get the numbers of their places among them.
void number_entities(std::span<Example> examples, bool answers, std::vector<std::int32_t>& ids);

}  // namespace orrery
