// Fork-join thread pool.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace volition {

// Thread pool. The calling thread is worker 0. The other workers sleep between calls of `run`.
class ThreadPool {
 public:
  explicit ThreadPool(std::size_t workers) {
    for (std::size_t worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { worker_loop(worker); });
    }
  }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      shutting_down_ = true;
    }
    work_ready_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

  // Calls work(worker) on every worker and returns when all calls have returned. Rethrows the
  // exception of a worker.
  void run(const std::function<void(std::size_t)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      working_ = threads_.size();
      failure_ = nullptr;
      ++generation_;
    }
    work_ready_.notify_all();
    run_guarded(work, 0);
    std::unique_lock lock(mutex_);
    work_done_.wait(lock, [this] { return working_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void run_guarded(const std::function<void(std::size_t)>& work, std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  void worker_loop(std::size_t worker) {
    std::size_t last_generation = 0;
    for (;;) {
      const std::function<void(std::size_t)>* work = nullptr;
      {
        std::unique_lock lock(mutex_);
        work_ready_.wait(lock, [&] { return shutting_down_ || generation_ != last_generation; });
        if (shutting_down_) return;
        last_generation = generation_;
        work = work_;
      }
      run_guarded(*work, worker);
      const std::lock_guard lock(mutex_);
      if (--working_ == 0) work_done_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable work_ready_;
  std::condition_variable work_done_;
  std::size_t generation_ = 0;  // number of calls of `run` so far
  std::size_t working_ = 0;
  bool shutting_down_ = false;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace volition
