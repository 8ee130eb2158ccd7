// A fixed team of threads. Work is cut into tasks by the caller, never by the number of threads,
// so results cannot depend on how many threads there are.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace orrery {

class ThreadPool {
 public:
  // `threads` = 0 takes every core this process may use. Fewer than asked for are an Error.
  explicit ThreadPool(int threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(0) … task(tasks − 1), each exactly once, in any order, on all threads of the team;
  // returns when all are done and rethrows the first exception.
  void run(std::size_t tasks, const std::function<void(std::size_t)>& task);

 private:
  void stop();
  void work();
  void drain(std::unique_lock<std::mutex>& lock);

  std::mutex mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t next_ = 0, tasks_ = 0, unfinished_ = 0;
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::vector<std::thread> workers_;
};

int available_cores();

// Calls body(begin, end) over [0, size) in pieces of at most `grain`.
template <class Body>
void parallel_for(ThreadPool& pool, std::size_t size, std::size_t grain, const Body& body) {
  pool.run((size + grain - 1) / grain, [&](std::size_t piece) {
    const std::size_t begin = piece * grain;
    body(begin, begin + grain < size ? begin + grain : size);
  });
}

}  // namespace orrery
