// Any bytes as a checkpoint: a request Error, or tensors that lie inside the file and can be
// written; checksums and names that can be looked at.
#include <cstdint>
#include <span>
#include <vector>

#include "learn/checkpoint.h"
#include "learn/safetensors.h"
#include "learn/text_tensors.h"
#include "orrery/error.h"
#include "scratch_file.h"

namespace orrery {
namespace {

void read_and_write_again(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  for (const TensorView& tensor : file.tensors()) {
    must(file.find(tensor.name) == &tensor);
    std::vector<std::byte> copy(tensor.data.begin(), tensor.data.end());
    std::uint64_t values = 1;
    for (const std::uint64_t extent : tensor.shape) values *= extent;
    must(values == tensor.values() && copy.size() == values * size_of(tensor.dtype));
  }
  const ScratchFile target(".again", {});
  write_safetensors(target.path(), file.tensors(), file.metadata());
  const SafetensorsFile again(target.path());
  must(again.metadata() == file.metadata() && again.tensors().size() == file.tensors().size());
}

void look_at_parts(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  must(check_parts(file).size() == file.tensors().size() + 1);
  must(!check_file(path).parts.empty());
  require_checkpoint(file, {"orrery-model", 2}, Verify::everything);
  for (const TensorView& tensor : file.tensors())
    if (file.find(ends_name(tensor.name)) != nullptr) {
      const auto texts = read_texts(file, tensor.name);
      must(joined(texts).size() == tensor.data.size());
    }
}

}  // namespace
}  // namespace orrery

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const orrery::ScratchFile file(".safetensors", {data, size});
  try {
    orrery::read_and_write_again(file.path());
    orrery::look_at_parts(file.path());
  } catch (const orrery::Error& error) {
    orrery::must(error.kind() == orrery::Error::Kind::request);
    orrery::must(error.place().file == file.path());
  }
  return 0;
}
