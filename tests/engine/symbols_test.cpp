// A function that the kernels of one instruction set share with other files could be linked from
// there and run on a machine that lacks the instructions. So they export none.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "engine/battery.h"

namespace orrery {
namespace {

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  char block[4096];
  while (const std::size_t got = std::fread(block, 1, sizeof(block), pipe)) text.append(block, got);
  return pclose(pipe) == 0 ? text : std::string();
}

class Symbols : public testing::TestWithParam<std::string> {};

TEST_P(Symbols, ThatOtherFilesCouldLinkNameTheirVectors) {
  const std::filesystem::path object = std::filesystem::path(ORRERY_BINARY_DIR) /
                                       "CMakeFiles/orrery_engine.dir/src/engine/cpu" /
                                       ("kernels_" + GetParam() + ".cpp.o");
  if (!std::filesystem::exists(object)) GTEST_SKIP() << "no object file " << object;
  const std::string listing =
      output_of("nm --demangle --defined-only '" + object.string() + "' 2>/dev/null");
  if (listing.empty()) GTEST_SKIP() << "nm is not installed";
  if (listing.find("__asan") != std::string::npos || listing.find("__tsan") != std::string::npos)
    GTEST_SKIP() << "a sanitizer adds symbols of its own";
  std::istringstream lines(listing);
  int own = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t type_at = line.find(' ') + 1;
    const char type = line[type_at];
    const std::string name = line.substr(type_at + 2);
    own += name == "orrery::cpu::" + GetParam() + "::kernels";
    // Code: global (T) or shared between files (W). Constants (u, V) are harmless.
    if (type == 'T' || type == 'W') {
      EXPECT_NE(name.find("parallelism_v2::simd<"), std::string::npos) << line;
    }
  }
  EXPECT_EQ(own, 1);
}

INSTANTIATE_TEST_SUITE_P(Sets, Symbols, testing::ValuesIn(instruction_sets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace orrery
