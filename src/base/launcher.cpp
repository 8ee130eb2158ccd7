#include "base/launcher.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
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

// By its start: names of machines may be the same elsewhere, and differ between containers.
std::string name_of_machine() {
  std::string start;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> start;
  if (!start.empty()) return start;
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

std::string name_of_numbers() {
  std::error_code unknown;
  const auto numbers = std::filesystem::read_symlink("/proc/self/ns/pid", unknown);
  return fmt::format("{} {}", name_of_machine(), numbers.string());
}

bool has_ended(int number) {
  if (kill(number, 0) != 0) return errno == ESRCH;
  std::ifstream file(fmt::format("/proc/{}/stat", number));
  std::string status;  // number (name) state …; a name may hold anything
  std::getline(file, status);
  const auto name_end = status.rfind(") ");
  return name_end != std::string::npos && status.find_first_of("ZX", name_end + 2) == name_end + 2;
}

}  // namespace orrery
