// What several processes must agree on. With null, or one process, nothing is asked of anybody.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/communicator.h"

namespace orrery {

// "rank 2 of 4"
std::string name_of_rank(int rank, int size);

// All processes run `action`. If it fails in any of them it fails in all: with the leader's Error,
// or else with that of the first rank, by name.
void together(Communicator* processes, const std::function<void()>& action);
// The same for what the leader alone does; the others wait.
void by_leader(Communicator* processes, const std::function<void()>& action);

// A rank whose `own` differs from the leader's is a request Error that names it: "rank 2 of 4 has
// another WHAT (…; the leader …)".
void require_same(Communicator* processes, std::string_view what, std::string_view own,
                  const std::string& advice);

}  // namespace orrery
