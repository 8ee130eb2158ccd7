#include "base/thread_pool.h"

#include <sched.h>

#include <algorithm>

#include "base/error.h"

namespace orrery {

int available_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads) {
  const int team = threads > 0 ? threads : available_cores();
  try {
    for (int i = 1; i < team; ++i) workers_.emplace_back([this] { work(); });
  } catch (const std::exception&) {  // the system grants no further thread, or no memory for one
    const int started = this->threads();
    stop();
    fail_broken(About{.option = "threads", .advice = worded("take a smaller $threads")},
                "only {} of {} threads could be started", started, team);
  }
}

ThreadPool::~ThreadPool() { stop(); }

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void ThreadPool::run(std::size_t tasks, const std::function<void(std::size_t)>& task) {
  if (tasks == 0) return;
  if (tasks == 1 || workers_.empty()) {
    for (std::size_t i = 0; i < tasks; ++i) task(i);
    return;
  }
  std::unique_lock lock(mutex_);
  task_ = &task;
  next_ = 0;
  tasks_ = unfinished_ = tasks;
  failure_ = nullptr;
  wake_.notify_all();
  drain(lock);
  done_.wait(lock, [this] { return unfinished_ == 0; });
  task_ = nullptr;
  if (failure_) std::rethrow_exception(failure_);
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || (task_ != nullptr && next_ < tasks_); });
    if (stopping_) return;
    drain(lock);
  }
}

void ThreadPool::drain(std::unique_lock<std::mutex>& lock) {
  while (task_ != nullptr && next_ < tasks_) {
    const std::size_t mine = next_++;
    const auto* task = task_;
    lock.unlock();
    std::exception_ptr failure;
    try {
      (*task)(mine);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (--unfinished_ == 0) done_.notify_all();
  }
}

}  // namespace orrery
