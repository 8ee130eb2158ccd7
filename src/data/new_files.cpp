#include "data/new_files.h"

#include "base/error.h"
#include "base/paths.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

void make_directory(const fs::path& directory) {
  std::error_code error;
  if (!is_directory_at(directory)) fs::create_directories(directory, error);
  if (error)
    fail_request(About{.place = {directory.string()}, .advice = "name another directory"},
                 "cannot be created ({})", error.message());
}

[[noreturn]] void refuse_other_content(const fs::path& path) {
  fail_request(About{.place = {path.string()}, .advice = "name another directory"},
               "exists with other content and is left alone");
}

}  // namespace

NewFiles::NewFiles(std::span<const std::string_view> names, const fs::path& directory) {
  make_directory(directory);
  lock_.emplace(directory);  // before looking: two processes must not mix their files
  for (const std::string_view name : names) {
    Target& target = targets_.emplace_back();
    target.path = directory / name;
    if (path_exists(target.path))
      target.present.emplace(target.path);
    else
      target.fresh.emplace(target.path);
  }
}

void NewFiles::append(std::size_t file, std::string_view text) {
  Target& target = targets_[file];
  if (target.fresh) return target.fresh->write(text);
  if (target.present->text().substr(target.compared, text.size()) != text)
    refuse_other_content(target.path);
  target.compared += text.size();
}

std::vector<fs::path> NewFiles::commit() {
  for (const Target& target : targets_)
    if (target.present && target.compared != target.present->text().size())
      refuse_other_content(target.path);
  std::vector<fs::path> paths;
  for (Target& target : targets_) {
    if (target.fresh) target.fresh->commit();
    paths.push_back(target.path);
  }
  return paths;
}

std::vector<fs::path> write_new_files(std::span<const NewFile> files, const fs::path& directory) {
  std::vector<std::string_view> names;
  for (const NewFile& file : files) names.push_back(file.name);
  NewFiles written(names, directory);
  for (std::size_t i = 0; i < files.size(); ++i) written.append(i, files[i].text);
  return written.commit();
}

}  // namespace orrery
