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

// Of the machine, whatever it is called in a container. Processes of one name share its memory and
// its GPUs.
std::string name_of_machine();
// And of the part of it that can see this process by its number.
std::string name_of_numbers();
// Whether a process of this place has, by its number; also where whoever started it does not know
// yet.
bool has_ended(int number);

}  // namespace orrery
