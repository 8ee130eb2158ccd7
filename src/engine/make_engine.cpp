#include <charconv>
#include <optional>

#include "base/agreement.h"
#include "base/error.h"
#include "base/processes.h"
#include "engine/cpu/cpu_engine.h"
#include "engine/cuda/backend.h"
#include "engine/engine.h"

namespace orrery {
namespace {

// The number in cuda or cuda:N; none: it is neither.
std::optional<int> gpu_number(const std::string& device) {
  if (device == "cuda") return 0;
  const std::string_view prefix = "cuda:";
  if (!device.starts_with(prefix)) return std::nullopt;
  int number = 0;
  const char* end = device.data() + device.size();
  const auto [stop, error] = std::from_chars(device.data() + prefix.size(), end, number);
  if (error != std::errc() || stop != end || number < 0) return std::nullopt;
  return number;
}

// The number of a GPU; none: the CPU.
std::optional<int> gpu_named(const std::string& device) {
  check_device(device);
  if (device == "auto") return cuda::runs_on(0) ? std::optional(0) : std::nullopt;
  return gpu_number(device);
}

}  // namespace

void check_device(const std::string& device) {
  if (device != "auto" && device != "cpu" && !gpu_number(device))
    fail_request(About{.option = "device", .advice = "there are auto, cpu, cuda and cuda:N"},
                 "$device '{}' is unknown", device);
}

bool is_gpu(const std::string& device) { return gpu_named(device).has_value(); }

std::unique_ptr<Engine> make_engine(ModelPlan plan, const EngineOptions& options) {
  Communicator* processes = options.processes;
  std::optional<int> gpu;
  together(processes, [&] { gpu = gpu_named(options.device); });
  require_same(processes, "device", gpu ? "a GPU" : "the CPU",
               worded("give all of them a $device of the same kind"));
  if (!gpu) return std::make_unique<cpu::CpuEngine>(std::move(plan), options);
  // Without a number the processes of a machine take its GPUs in turn.
  const int place = processes != nullptr ? rank_on_machine(*processes) : 0;
  const bool numbered = options.device.find(':') != std::string::npos;
  if (!numbered && cuda::device_count() > 0) gpu = place % cuda::device_count();
  return cuda::make_engine(std::move(plan), options, *gpu);
}

}  // namespace orrery
