#include "base/launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

namespace orrery {
namespace {

std::optional<int> number_in(const char* text) {
  if (text == nullptr) return {};
  const std::string_view digits = text;
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || end != digits.data() + digits.size()) return {};
  return number;
}

struct Variables {
  const char *rank, *size;
};
// Open MPI's mpirun; MPICH, Intel MPI and srun's PMI; srun, of a job's step. (A job that is not in
// a step, as a batch script, is one process however many tasks it has.)
constexpr Variables launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                   {"PMI_RANK", "PMI_SIZE"},
                                   {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"}};

}  // namespace

Launched launched_in(const std::function<const char*(const char*)>& variable) {
  for (const Variables& names : launchers) {
    const auto rank = number_in(variable(names.rank)), size = number_in(variable(names.size));
    if (rank && size && *rank >= 0 && *rank < *size) return {*rank, *size};
  }
  return {};
}

Launched launched_here() {
  return launched_in([](const char* name) -> const char* { return std::getenv(name); });
}

std::string name_of_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) name[0] = '\0';
  std::error_code unknown;
  const auto numbers = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
  std::string start;  // names of machines, and of what they number, may be the same elsewhere
  std::ifstream("/proc/sys/kernel/random/boot_id") >> start;
  return fmt::format("{} {} {}", name.data(), numbers.string(), start);
}

}  // namespace orrery
