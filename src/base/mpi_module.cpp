#include "base/mpi_module.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"

namespace orrery {
namespace {

// Of the program, or of the library that this is a part of (Python's module).
std::filesystem::path own_folder() {
  Dl_info found{};
  std::filesystem::path file;
  if (dladdr(reinterpret_cast<const void*>(&mpi_module), &found) != 0) file = found.dli_fname;
  std::error_code unknown;
  // A program's name is as it was typed.
  if (!file.has_filename() || file.extension() != ".so")
    file = std::filesystem::read_symlink("/proc/self/exe", unknown);
  return file.parent_path();
}

void* open_named(const char* file) {
  if (void* module = dlopen(file, RTLD_NOW | RTLD_GLOBAL)) return module;
  const char* reason = dlerror();
  fail_request(About{.advice = "let it name orrery_mpi.so"}, "ORRERY_MPI cannot be loaded ({})",
               reason != nullptr ? reason : "no reason is known");
}

void* open_module() {
  const std::filesystem::path folder = own_folder(), name = "orrery_mpi.so";
  const std::vector<std::filesystem::path> places = {
      folder / name, folder.parent_path() / ORRERY_LIBRARY_FOLDER / "orrery" / name,
      std::filesystem::path(ORRERY_MODULE_FOLDER) / name};
  // Of a program elsewhere that was built with an Orrery which was moved.
  if (const char* file = std::getenv("ORRERY_MPI")) return open_named(file);
  std::string reasons;
  for (const auto& place : places) {
    // MPI libraries load parts of their own, which must find them.
    if (void* module = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL)) return module;
    if (const char* reason = dlerror(); reason != nullptr && std::filesystem::exists(place))
      reasons += fmt::format(" ({})", reason);
  }
  fail_request(About{.advice = reasons.empty()
                                   ? "say where it is with ORRERY_MPI=FILE; where there is none, "
                                     "install Open MPI (libopenmpi-dev) and build Orrery anew"
                                   : "install the MPI library that Orrery was built with"},
               "several processes were started, and MPI cannot be used{}: no {} in {}, {} or {}",
               reasons, name.string(), places[0].parent_path().string(),
               places[1].parent_path().string(), places[2].parent_path().string());
}

const OrreryMpiCalls& load() {
  void* module = open_module();
  const auto find = reinterpret_cast<OrreryMpiModule>(dlsym(module, "orrery_mpi"));
  const OrreryMpiCalls* calls = find != nullptr ? find() : nullptr;
  if (calls == nullptr || calls->version != orrery_mpi_version)
    fail_request(About{.advice = "install Orrery anew"},
                 "orrery_mpi.so is of another version than the program");
  return *calls;
}

}  // namespace

const OrreryMpiCalls& mpi_module() {
  static const OrreryMpiCalls& calls = load();
  return calls;
}

}  // namespace orrery
