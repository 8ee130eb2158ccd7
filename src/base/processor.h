// What this machine's processor is called.
#pragma once

#include <filesystem>
#include <string>

namespace orrery {

struct Processor {
  std::string name;  // "unknown" where the kernel does not say
  int cores = 0;     // as the system counts them
};

// `root` is another "/" in tests.
Processor processor_here(const std::filesystem::path& root = "/");

}  // namespace orrery
