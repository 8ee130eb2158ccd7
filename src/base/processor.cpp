#include "base/processor.h"

#include <fstream>

namespace orrery {

Processor processor_here(const std::filesystem::path& root) {
  Processor processor{"unknown", 0};
  std::ifstream lines(root / "proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("processor")) ++processor.cores;
    if (line.starts_with("model name") && colon + 2 < line.size())
      processor.name = line.substr(colon + 2);
  }
  return processor;
}

}  // namespace orrery
