// Files of the shapes that people's exports have (tests/files), and what must become of each.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "data/load.h"

namespace orrery::testing {

// A file that loads to exactly the facts of FILE.expected: "subject|relation|object|time", or
// "…|start|end", in the order of the file.
struct LoadedFile {
  std::string file;  // or a directory
  std::string granularity;
  DataOptions options = {};
  std::uint64_t bad_lines = 0;  // with skip_bad
  std::string query = {};       // of a database
};

// A file that is refused with exactly this message.
struct RefusedFile {
  std::string file;
  std::uint64_t line = 0;  // 0: the file as a whole
  std::string message;     // with FILE for the file's path
  std::string advice;      // a part of it: the option or the way out
  DataOptions options = {};
  // The option that the advice names, or another way to read it; then it loads as LoadedFile says.
  std::optional<LoadedFile> way_out = {};
};

std::vector<LoadedFile> loaded_files();
std::vector<RefusedFile> refused_files();

inline std::ostream& operator<<(std::ostream& out, const LoadedFile& of) { return out << of.file; }
inline std::ostream& operator<<(std::ostream& out, const RefusedFile& of) { return out << of.file; }

inline std::filesystem::path real_files() {
  return std::filesystem::path(ORRERY_SOURCE_DIR) / "tests" / "files";
}

// The library that a file needs and this build lacks; empty: none.
std::string missing_library(const std::string& file);

void expect_loaded(const LoadedFile& wanted);

template <class File>
std::string name_of_test(const ::testing::TestParamInfo<File>& info) {
  std::string name = info.param.file;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace orrery::testing
