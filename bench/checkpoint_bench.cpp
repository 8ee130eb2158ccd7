// What checksums cost: a model is saved and loaded with and without them, in turns.
// checkpoint_bench [directory] [million entities] [dimension] [turns]
#include <fmt/format.h>
#include <sys/resource.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "learn/checkpoint.h"
#include "learn/model_file.h"
#include "learn/setup.h"
#include "learn/stored_model.h"
#include "measure.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

Vocabulary numbered_names(const char* stem, std::int32_t count) {
  std::vector<std::string> names;
  for (std::int32_t i = 0; i < count; ++i) names.push_back(fmt::format("{} {:09}", stem, i));
  return Vocabulary(std::move(names));
}

ModelHeader header_of(std::int32_t entities, std::int64_t dim) {
  ModelHeader header;
  header.options.model = "complex";
  header.options.dim = dim;
  header.entities = numbered_names("Entity of some length", entities);
  header.relations = numbered_names("relation", 20);
  for (std::int64_t day = 0; day < 365; ++day)
    header.times.rows.push_back({day, day, fmt::format("day {:03}", day)});
  return header;
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

void run(const fs::path& folder, double millions, std::int64_t dim, int turns) {
  const fs::path checked = folder / "checkpoint_bench.safetensors";
  const auto entities = static_cast<std::int32_t>(1e6 * millions);
  ModelHeader header = header_of(entities, dim);
  auto engine = make_engine(plan_of(header.options, header.shape()), {});
  start_randomly(*engine, 1, 0.1);
  std::vector<float> rows;
  const auto table = [&](std::size_t t) {
    rows = read_table(*engine, t, State::value, std::move(rows));
    return std::span<const float>(rows);
  };
  write_model(checked, header, engine->tables(), table);
  const SafetensorsFile file(checked);
  std::vector<TensorView> tensors = file.tensors();
  tensors.pop_back();
  std::vector<TensorSpec> specs;
  for (const TensorView& tensor : tensors)
    specs.push_back({tensor.name, tensor.dtype, tensor.shape});
  const auto bytes = [&](std::size_t i) {
    for (std::size_t t = 0; t < engine->tables().size(); ++t)
      if (engine->tables()[t].name == specs[i].name) return std::as_bytes(table(t));
    return tensors[i].data;
  };
  fmt::print("{} entities, {} dimensions, {:.2f} GB, in {}\n", entities, dim,
             static_cast<double>(fs::file_size(checked)) / 1e9, folder.string());
  const auto save = [&] { write_safetensors(folder / "saved", specs, file.metadata(), bytes); };
  const auto save_checked = [&] {
    write_checkpoint(folder / "saved", specs, file.metadata(), bytes);
  };
  const auto load = [&] { StoredModel(checked, false).start_engine({}); };
  const auto load_checked = [&] { StoredModel(checked).start_engine({}); };
  // The first save or load after other work finds no memory at hand: that is not what is compared.
  std::vector<Part> parts = {
      {"a first save", save, {}, {}},
      {"save with checksums", save_checked, {}, {}},
      {"save without", save, {}, {}},
      {"a first load", load, {}, {}},
      {"load with checksums", load_checked, {}, {}},
      {"load without", load, {}, {}},
      {"comparing them alone", [&] { check_parts(file); }, {}, {}},
  };
  take_turns(parts, turns);
  fs::remove(checked);
  fs::remove(folder / "saved");
  print_parts(parts);
  const auto print_ratio = [&](const char* name, const Part& with, const Part& without) {
    fmt::print("{} with checksums takes {:.3f} of the time of one without, {:.3f} of cores' time\n",
               name, ratio_of(with, {&without, 1}, &Part::milliseconds),
               ratio_of(with, {&without, 1}, &Part::core_milliseconds));
  };
  print_ratio("a save", parts[1], parts[2]);
  print_ratio("a load", parts[4], parts[5]);
  fmt::print("peak memory {:.2f} GB\n", peak_gigabytes());
}

}  // namespace
}  // namespace orrery

int main(int count, char** words) {
  const std::vector<std::string> given(words + 1, words + count);
  const auto word = [&](std::size_t i, const char* otherwise) {
    return i < given.size() ? given[i] : std::string(otherwise);
  };
  try {
    orrery::run(word(0, std::filesystem::temp_directory_path().c_str()), std::stod(word(1, "0.5")),
                std::stol(word(2, "512")), std::stoi(word(3, "5")));
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
