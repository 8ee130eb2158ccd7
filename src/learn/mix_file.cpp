#include "learn/mix_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/held_directory.h"
#include "base/mapped_file.h"
#include "base/paths.h"
#include "base/sha256.h"
#include "learn/calibration_json.h"
#include "learn/when_json.h"
#include "page/json_fields.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* mix_name = "mix.json";
constexpr const char* incoming_name = "part-incoming.safetensors";
constexpr const char* format_name = "orrery-mix 1";

std::string digest_of(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex_digest();
}

std::string text_of(const Json& json) { return json.dump(2) + "\n"; }

Json json_of(const MixRecord& record) {
  const MixCard& card = record.card;
  Json json = {{"format", format_name},
               {"data", record.data},
               {"chosen", card.chosen},
               {"facts", card.facts},
               {"mrr",
                {{"best_part", card.mrr_of_best},
                 {"average", card.mrr_of_average},
                 {"fitted", card.mrr_of_fitted}}},
               {"parts", Json::array()}};
  if (record.calibration)
    json["calibration"] = Json::parse(calibration_to_json(*record.calibration));
  if (record.when) json["when"] = Json::parse(when_to_json(*record.when));
  for (const MixedPart& part : card.parts)
    json["parts"].push_back({{"model", part.model},
                             {"dim", part.dim},
                             {"history", part.history},
                             {"weight", part.weight},
                             {"file", part.file},
                             {"checksum", part.checksum}});
  return json;
}

MixedPart part_of(const Json& json) {
  MixedPart part{.model = json_text(json, "model"),
                 .dim = json_whole(json, "dim"),
                 .history = json_text(json, "history"),
                 .weight = json_number(json, "weight"),
                 .file = json_text(json, "file"),
                 .checksum = json_text(json, "checksum")};
  const bool here = part.weight > 0;
  if (part.weight < 0 || here == part.file.empty() || fs::path(part.file).has_parent_path())
    fail_request("a part's weight or file makes no sense");
  return part;
}

MixRecord record_of(const Json& json) {
  MixRecord record;
  MixCard& card = record.card;
  record.data = json_text(json, "data");
  card.chosen = json_text(json, "chosen");
  card.facts = json_unsigned(json, "facts");
  const Json& mrr = json_field(json, "mrr");
  card.mrr_of_best = json_number(mrr, "best_part");
  card.mrr_of_average = json_number(mrr, "average");
  card.mrr_of_fitted = json_number(mrr, "fitted");
  for (const Json& part : json_field(json, "parts")) card.parts.push_back(part_of(part));
  if (json.contains("calibration"))
    record.calibration = calibration_of_json(nlohmann::json::parse(json["calibration"].dump()));
  if (json.contains("when")) record.when = when_of_json(nlohmann::json::parse(json["when"].dump()));
  if (std::ranges::none_of(card.parts, [](const MixedPart& part) { return part.weight > 0; }))
    fail_request("no part weighs anything");
  return record;
}

bool is_ours(const std::string& name) {
  return name == mix_name || (name.starts_with("part-") && name.ends_with(".safetensors"));
}

void check_free(const fs::path& directory) {
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (!is_ours(name) && !name.starts_with('.'))
      fail_request(About{.option = "out",
                         .place = {directory.string()},
                         .advice = worded("name another $out")},
                   "holds '{}', which is no part of a mixture", name);
  }
}

void write_part(const fs::path& directory, const StoredModel& model, MixedPart& part) {
  const fs::path incoming = directory / incoming_name;
  model.save(incoming);
  part.checksum = digest_of(MappedFile(incoming).text());
  part.file = fmt::format("part-{}.safetensors", part.checksum.substr(0, 16));
  publish_file(incoming, directory / part.file);
}

void remove_others(const fs::path& directory, const MixCard& card) {
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (is_ours(name) && name != mix_name &&
        std::ranges::find(card.parts, name, &MixedPart::file) == card.parts.end())
      others.push_back(entry.path());
  }
  std::error_code stays;  // and does no harm but take room
  for (const fs::path& other : others) fs::remove(other, stays);
}

}  // namespace

bool holds_mix(const fs::path& path) {
  return is_directory_at(path) && path_exists(path / mix_name);
}

MixRecord read_mix(const fs::path& directory) {
  const fs::path file = directory / mix_name;
  const About damaged{.place = {file.string()}, .advice = "mix the models again"};
  Json json = Json::parse(MappedFile(file).text(), nullptr, false);
  if (json.is_discarded()) fail_request(damaged, "is damaged: it is no JSON");
  try {
    if (const std::string format = json_text(json, "format"); format != format_name)
      fail_request("its format is '{}', and this version reads '{}'", format, format_name);
    const std::string checksum = json_text(json, "checksum");
    json.erase("checksum");
    if (digest_of(text_of(json)) != checksum) fail_request("it is not what its checksum says");
    return record_of(json);
  } catch (const Error& error) {
    fail_request(damaged, "is damaged or of a later version: {}", error.what());
  } catch (const nlohmann::json::exception& error) {
    fail_request(damaged, "is damaged or of a later version: {}", error.what());
  }
}

std::vector<fs::path> parts_of_mix(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const MixedPart& part : read_mix(directory).card.parts)
    if (part.weight > 0) files.push_back(directory / part.file);
  return files;
}

std::unique_ptr<const StoredModel> read_part(const fs::path& directory, const MixedPart& part,
                                             bool verify, FileUse use) {
  const fs::path file = directory / part.file;
  if (!path_exists(file))
    fail_request(About{.place = {file.string()}, .advice = "mix the models again"},
                 "is missing: a part of the mixture");
  auto model = std::make_unique<const StoredModel>(file, verify, use);
  if (verify && digest_of(MappedFile(file, use).text()) != part.checksum)
    fail_request(About{.place = {file.string()}, .advice = "mix the models again"},
                 "is another model than the one that was mixed");
  return model;
}

void write_mix(const fs::path& directory, MixRecord record,
               std::span<const StoredModel* const> models) {
  const HeldDirectory held = HeldDirectory::make(directory);
  check_free(directory);
  auto model = models.begin();
  for (MixedPart& part : record.card.parts) {
    part.file.clear();
    part.checksum.clear();
    if (part.weight > 0) write_part(directory, **model++, part);
  }
  Json json = json_of(record);
  json["checksum"] = digest_of(text_of(json));
  write_file_atomically(directory / mix_name, text_of(json));
  remove_others(directory, record.card);
}

}  // namespace orrery
