#include "paper/paper_files.h"

#include <algorithm>

#include "base/error.h"
#include "base/mapped_file.h"
#include "base/paths.h"

namespace orrery {

PaperFiles::PaperFiles(const std::filesystem::path& directory) : directory_(directory) {
  if (!directory.empty() && !is_directory_at(directory))
    fail_request(About{.option = "configs",
                       .place = {directory.string()},
                       .advice = worded("$configs takes a copy of configs/paper")},
                 "is not a directory");
}

std::string PaperFiles::label(const std::string& name) const {
  return ((directory_.empty() ? "configs/paper" : directory_) / name).string();
}

std::vector<std::string> PaperFiles::edited() const {
  std::vector<std::string> names;
  if (directory_.empty()) return names;
  for (const PaperFile& file : built_in_paper_files()) {
    const std::string name(file.name);
    if (!path_exists(directory_ / name) || text(name) != file.text) names.push_back(name);
  }
  return names;
}

std::string PaperFiles::text(const std::string& name) const {
  if (!directory_.empty()) return std::string(MappedFile(directory_ / name).text());
  const auto files = built_in_paper_files();
  const auto found = std::ranges::find(files, name, &PaperFile::name);
  if (found == files.end()) fail_request(About{.place = {label(name)}}, "is not there");
  return std::string(found->text);
}

}  // namespace orrery
