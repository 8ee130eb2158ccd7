// The five public benchmark sets: where they live, what they hold, and the hash and size of every
// file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fetch/checksum.h"

namespace orrery {

// A file as its public home serves it.
struct HomeFile {
  std::string name;  // within the home
  Checksum checksum;
};

// A split: the file at home, and the file it becomes in a data set directory.
struct BenchmarkSplit {
  std::string name;  // "train.txt"
  HomeFile home;
  std::uint64_t facts = 0;
  std::vector<Checksum> finished;  // any of these is the right content of `name`
};

struct Benchmark {
  std::string name;
  std::string home;  // base URL; a file is at home + "/" + HomeFile::name
  std::string licence;
  std::uint64_t entities = 0;
  std::uint64_t relations = 0;
  std::string times;  // "365 days"
  std::vector<BenchmarkSplit> splits;
  // Where the home writes numbers for names: the entity list, then the relation list. Else empty.
  std::vector<HomeFile> id_lists;
};

const std::vector<Benchmark>& catalogue();
// An unknown name is a request Error that lists the known ones.
const Benchmark& catalogue_entry(std::string_view name);

}  // namespace orrery
