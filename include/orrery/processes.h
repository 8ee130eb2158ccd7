// Several processes train one model: each holds a part of the entities, and the result is that of
// one process. mpirun or srun starts them; see docs/processes.md.
#pragma once

#include <memory>
#include <string>

#include "orrery/carrier.h"

namespace orrery {

struct ProcessRank {
  int rank = 0;  // 0 leads: it alone writes files and reports progress
  int size = 1;
};
// Among those that a launcher started together, by its environment. Joins nobody.
ProcessRank process_rank();

// While it lives, train() and Run in this thread are shared with the processes that were started
// together: all of them must make the same calls with the same options and data, and an Error of
// one is an Error of all. A process that was started alone stays alone. Where several were started
// and MPI cannot be used, making one is an Error.
class TrainTogether {
 public:
  TrainTogether();
  // With the processes of a carrier, which must outlive this.
  explicit TrainTogether(Carrier& carrier);
  ~TrainTogether();
  TrainTogether(const TrainTogether&) = delete;
  TrainTogether& operator=(const TrainTogether&) = delete;

  struct Ending {
    bool must_end_others = false;  // they are at work, and would wait for this process for ever
    std::string reason = {};
  };
  // Of a carrier, the last call: all processes meet here. One that cannot go on because of
  // `failure` waits no longer than two seconds for others that have failed as well.
  Ending end(const std::string& failure);

 private:
  struct Carried;
  std::unique_ptr<Carried> carried_;
};

// What the leader says, where this thread trains together with others; else `text` itself.
std::string told_together(const std::string& text);

// Whether any process that this thread trains together with says so, or this one.
bool any_together(bool own);

// For programs: what this process should print when it ends because of `failure`. The leader
// reports for all; a process whose others are still at work reports by its rank.
std::string last_words(const std::string& failure);
// The last call of a program that has trained together: ends what was joined, and with it other
// processes that are still at work after a failure. `code`: the program's exit code.
void end_together(int code);

}  // namespace orrery
