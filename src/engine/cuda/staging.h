// Rows of the host on their way to the products, which read them many times: piece by piece, and
// while the products work on one piece the next is copied.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/cuda/device.h"

namespace orrery::cuda {

class Staging {
 public:
  // `space` has room for two pieces.
  struct Rows {
    const std::byte* host = nullptr;
    std::int64_t count = 0;
    std::size_t row_bytes = 0;
    std::int64_t piece = 0;  // rows of one
    std::byte* space = nullptr;
  };

  // Calls work(first row, rows, where they are) for each piece; what it orders must be on `stream`.
  template <class Work>
  void for_each_piece(const Rows& rows, cudaStream_t stream, const Work& work) {
    begin(stream);
    for (std::int64_t first = 0, turn = 0; first < rows.count; first += rows.piece, turn ^= 1) {
      const std::int64_t count = std::min(rows.piece, rows.count - first);
      std::byte* const here =
          rows.space + static_cast<std::size_t>(turn * rows.piece) * rows.row_bytes;
      copy(rows.host + static_cast<std::size_t>(first) * rows.row_bytes, here,
           static_cast<std::size_t>(count) * rows.row_bytes, turn, stream);
      work(first, count, here);
      check(cudaEventRecord(used_[static_cast<std::size_t>(turn)], stream), "bringing rows");
    }
  }

 private:
  void begin(cudaStream_t stream);
  void copy(const std::byte* from, std::byte* to, std::size_t bytes, std::int64_t turn,
            cudaStream_t stream);

  Stream copies_;
  Event written_;  // what `stream` has done to the rows
  std::array<Event, 2> copied_, used_;
};

}  // namespace orrery::cuda
