// How the bytes of processes that train together travel, where they have a way of their own.
#pragma once

#include <cstddef>
#include <span>

namespace orrery {

// All processes make the same calls in the same order. An exchange is begun and then asked after;
// its buffers stay where they are until it is done, and one is under way at a time. What a function
// throws ends the training.
class Carrier {
 public:
  virtual ~Carrier() = default;
  Carrier() = default;
  Carrier(const Carrier&) = delete;
  Carrier& operator=(const Carrier&) = delete;

  virtual int rank() const = 0;
  virtual int size() const = 0;

  // The bytes of each process, in the order of the processes, to all; `counts` are their lengths.
  virtual void begin_gather(std::span<const std::byte> own, std::span<const std::size_t> counts,
                            std::span<std::byte> all) = 0;
  // The bytes that process `root` has, to all.
  virtual void begin_share(std::span<std::byte> bytes, int root) = 0;
  // Part r of `parts`, cut by `counts`, to process r. What comes from each process is as long as
  // this process's own part, and lies one after the other in `received`.
  virtual void begin_scatter(std::span<const std::byte> parts, std::span<const std::size_t> counts,
                             std::span<std::byte> received) = 0;
  virtual bool is_done() = 0;

  // A gather of equally many bytes of each process. It does not mind an exchange that has not
  // ended.
  virtual void begin_farewell(std::span<const std::byte> own, std::span<std::byte> all) = 0;
  virtual bool farewell_is_done() = 0;
};

}  // namespace orrery
