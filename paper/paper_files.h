// The files of configs/paper: those inside the program, or a user's edited copy of them.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct PaperFile {
  std::string_view name;  // within configs/paper
  std::string_view text;
};

std::span<const PaperFile> built_in_paper_files();  // in a source that the build makes

class PaperFiles {
 public:
  PaperFiles() = default;                                       // the built-in ones
  explicit PaperFiles(const std::filesystem::path& directory);  // empty: the same

  // One that is not there is a request Error.
  std::string text(const std::string& name) const;
  // What messages call it, "configs/paper/ablation.tsv".
  std::string label(const std::string& name) const;
  // Of the built-in files those that say something else in the user's copy, or are not in it.
  std::vector<std::string> edited() const;

 private:
  std::filesystem::path directory_;
};

}  // namespace orrery
