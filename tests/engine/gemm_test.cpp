// The matrix library behind its seam.
#include "engine/cpu/gemm.h"

#include <gtest/gtest.h>
#include <sys/time.h>

#include <algorithm>
#include <csignal>
#include <vector>

namespace orrery::cpu {
namespace {

volatile std::sig_atomic_t alarms = 0;

extern "C" void count_alarm(int /*signal*/) { alarms = alarms + 1; }

class Alarms {
 public:
  Alarms() : before_(std::signal(SIGALRM, count_alarm)) { repeat_every(50); }
  ~Alarms() {
    repeat_every(0);
    std::signal(SIGALRM, before_);
  }
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;

 private:
  static void repeat_every(suseconds_t microseconds) {
    const itimerval timer{{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }
  void (*before_)(int);
};

// Found with oneDNN 2.6: this shape, a signal inside the product, and the heap was destroyed.
TEST(Gemm, SignalsInsideAProductDoItNoHarm) {
  const std::size_t m = 64, n = 128, k = 244;
  const std::vector<float> a(m * k, 1.0F), b(k * n, 1.0F);
  std::vector<float> c(m * n);
  alarms = 0;
  const Alarms running;
  for (int turn = 0; turn < 50'000 && alarms < 20'000; ++turn) {
    multiply(m, n, k, {a.data(), k, false}, {b.data(), n, false}, c.data(), n, false);
    ASSERT_TRUE(std::all_of(c.begin(), c.end(), [](float value) { return value == 244.0F; }));
  }
  EXPECT_GT(alarms, 0);
}

}  // namespace
}  // namespace orrery::cpu
