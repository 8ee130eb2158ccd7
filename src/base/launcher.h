// What mpirun or srun say of the processes that they started, and where a process is.
#pragma once

#include <functional>
#include <string>

namespace orrery {

struct Launched {
  int rank = 0, size = 1;
};

// `variable` gives a variable of the environment, or null.
Launched launched_in(const std::function<const char*(const char*)>& variable);
Launched launched_here();

// Of the machine, and of the part of it that can see this process by its number.
std::string name_of_machine();

}  // namespace orrery
