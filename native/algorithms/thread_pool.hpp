// Threads that work on the same thing at the same time, again and again.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace volition {

// The caller is worker 0; the others wait between pieces of work.
class Crew {
 public:
  explicit Crew(std::size_t workers) {
    for (std::size_t worker = 1; worker < workers; ++worker) {
      threads_.emplace_back([this, worker] { serve(worker); });
    }
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() {
    {
      const std::lock_guard lock(mutex_);
      done_for_good_ = true;
    }
    begin_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] std::size_t size() const { return threads_.size() + 1; }

  // Calls work(worker) for each worker, and returns when all have returned; what one of them throws is thrown here.
  void run(const std::function<void(std::size_t)>& work) {
    {
      const std::lock_guard lock(mutex_);
      work_ = &work;
      working_ = threads_.size();
      failure_ = nullptr;
      ++piece_;
    }
    begin_.notify_all();
    attempt(work, 0);
    std::unique_lock lock(mutex_);
    end_.wait(lock, [this] { return working_ == 0; });
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  void attempt(const std::function<void(std::size_t)>& work, std::size_t worker) {
    try {
      work(worker);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      failure_ = std::current_exception();
    }
  }

  void serve(std::size_t worker) {
    std::size_t seen = 0;
    for (;;) {
      const std::function<void(std::size_t)>* work = nullptr;
      {
        std::unique_lock lock(mutex_);
        begin_.wait(lock, [&] { return done_for_good_ || piece_ != seen; });
        if (done_for_good_) return;
        seen = piece_;
        work = work_;
      }
      attempt(*work, worker);
      const std::lock_guard lock(mutex_);
      if (--working_ == 0) end_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable begin_;
  std::condition_variable end_;
  std::size_t piece_ = 0;  // how many pieces of work there were
  std::size_t working_ = 0;
  bool done_for_good_ = false;
  const std::function<void(std::size_t)>* work_ = nullptr;
  std::exception_ptr failure_;
  std::vector<std::thread> threads_;
};

}  // namespace volition
