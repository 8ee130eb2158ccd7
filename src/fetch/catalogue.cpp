#include "fetch/catalogue.h"

#include <utility>

#include "base/error.h"

namespace orrery {
namespace {

constexpr std::string_view icews_licence =
    "ICEWS facts are under the terms of Harvard Dataverse, doi:10.7910/DVN/28075; this selection "
    "of them is from mmkb (BSD-3-Clause).";
constexpr std::string_view gdelt_licence =
    "This selection of GDELT is from de-simple (CC BY-NC-SA): no commercial use, share alike.";
constexpr std::string_view telm_licence =
    "This selection is from TeLM (CC BY-NC): no commercial use.";

std::string home_at(std::string_view repository, std::string_view commit, std::string_view folder) {
  return fmt::format("https://raw.githubusercontent.com/{}/{}/{}", repository, commit, folder);
}

std::string mmkb(std::string_view folder) {
  return home_at("mniepert/mmkb", "dc1c89cac110ddbb9944d6ed5ab2b3c2339d320c", folder);
}

std::string telm(std::string_view folder) {
  return home_at("soledad921/TeLM", "adb98453e43331d533af727ca34ed19c0aa0b2ea", folder);
}

// A split that is used as its home serves it.
BenchmarkSplit plain(std::string name, std::string home_name, std::uint64_t facts,
                     Checksum checksum) {
  return {std::move(name), {std::move(home_name), checksum}, facts, {checksum}};
}

// A split whose ids become names: the hash at home, and the hash and size of the result. The size
// at home is not known, but ids are shorter than names.
BenchmarkSplit translated(std::string home_name, std::uint64_t facts, std::string at_home,
                          std::string with_names, std::uint64_t bytes) {
  std::string name = home_name + ".txt";
  return {std::move(name),
          {std::move(home_name), {std::move(at_home), "", at_most(bytes)}},
          facts,
          {{std::move(with_names), "", {bytes}}}};
}

// The lists of names of a set with ids. Their sizes are not known; the bounds are more than ten
// times what the names need.
std::vector<HomeFile> id_lists(std::string entities, std::string relations) {
  return {{"entity2id.txt", {std::move(entities), "", at_most(4'000'000)}},
          {"relation2id.txt", {std::move(relations), "", at_most(100'000)}}};
}

Benchmark icews14() {
  return {"icews14",
          mmkb("TemporalKGs/icews14"),
          std::string(icews_licence),
          7'128,
          230,
          "365 days",
          {plain("train.txt", "icews_2014_train.txt", 72'826,
                 {"a6c7922dcbe406b3e292a313b4eab191e2399c3bc4810f662bb4363043a93df6",
                  "c11643a07a2dd70c26131a6c660f9c4115fb0f0b",
                  {5'023'924}}),
           plain("valid.txt", "icews_2014_valid.txt", 8'941,
                 {"23dfa5cd6f3bb5421efcc30fc03bed0e8de4c2cf251d1765ff722d6f8b15dbe3",
                  "73d385953f2d813ec19f43fe11341f6974e88a6e",
                  {614'786}}),
           plain("test.txt", "icews_2014_test.txt", 8'963,
                 {"50d53602409a3dbaca2f13d9c7e30bf7311d8c1868fac890dc0c2836118b4cb4",
                  "31c99abed9094d6e9d486e4675aeacf3a665cad9",
                  {617'988}})},
          {}};
}

Benchmark icews05_15() {
  Benchmark set{"icews05-15",
                mmkb("TemporalKGs/icews05-15"),
                std::string(icews_licence),
                10'488,
                251,
                "4,017 days",
                {plain("train.txt", "icews_2005-2015_train.txt", 368'962,
                       // Its size is not known: 24,811,711 by the sorted copy, ends of lines apart.
                       {"", "f340143afc2c442762a7994abd3fb85d8a09f517", at_most(25'200'000)}),
                 plain("valid.txt", "icews_2005-2015_valid.txt", 46'275,
                       {"404516f2da966c563ab6d81f1355ec5c67a9aa77c111bf712429e65136162b23",
                        "2fba2999eb0f49ca35a24482664352687174ff99",
                        {3'119'589}}),
                 plain("test.txt", "icews_2005-2015_test.txt", 46'092,
                       {"d034cd94ace08279639526cbe2ce34829562941ddd1301e6afa9e0ffa7a5b160",
                        "3d9726df71149888fcb4b65f3b296ba7ac17d37d",
                        {3'103'913}})},
                {}};
  // Copies of the training facts sorted by date go around; as a set they are the same.
  set.splits[0].finished.push_back(
      {"f9bb84bf6b54b9c28148bd9164d314a29978f820a33f8dc310f8a8e17c53c54e", "", {24'811'711}});
  return set;
}

Benchmark gdelt() {
  // Sizes are not known, but GitHub takes no larger file; the others hold an eighth of the facts.
  constexpr std::uint64_t github_limit = 100 << 20;
  constexpr std::uint64_t gdelt_share = github_limit / 6;
  return {
      "gdelt",
      home_at("BorealisAI/de-simple", "b06c5b00b41d29015507c44b5253fc43def3996d", "datasets/gdelt"),
      std::string(gdelt_licence),
      500,
      20,
      "366 days",
      {plain("train.txt", "train.txt", 2'735'685,
             {"", "61a664bfaa35fca8e32f549281ecdac40bee33b0", at_most(github_limit)}),
       plain("valid.txt", "valid.txt", 341'961,
             {"", "91c61c6874eb75ef5752acf49825a523124f273d", at_most(gdelt_share)}),
       plain("test.txt", "test.txt", 341'961,
             {"", "7cf6b2ddccc9f288a43dc9656bd063b08ae289b3", at_most(gdelt_share)})},
      {}};
}

Benchmark yago11k() {
  return {
      "yago11k",
      telm("tkbc/src_data/yago11k"),
      std::string(telm_licence),
      10'622,
      10,
      "intervals of years",
      {translated("train", 16'406,
                  "f094ff94561745dd2a99a3c0edcdbdc7c755820c61c40b1e214e3f93281c765d",
                  "0fac34bc8befeac37eb63ca3158b2791743325a0af8991c74e5d88070a71a17a", 1'211'419),
       translated("valid", 2'050,
                  "f3a3946235b078070e6bac0cd2bf6f51bd9cedc394c406873a21141a447730c7",
                  "7d22aaffaeaae7e66e5dd1522d6f31ec928dfdcdfc782139ef9e5f4ddad99459", 152'822),
       translated("test", 2'051, "cc94fd96f8fbacb97cb3e75e3aa8cf2c753acd0ee4e2ae56632f7495278f1b7f",
                  "e3f8aec05c5f2cef9e2c8ed67b116a95e1ac5fe562fdd0ddb94fe0d9f2424977", 151'810)},
      id_lists("3a5482d19f80b3936ca735ea105db799f5c500b170c57f7a59f0ea2650231789",
               "83e460205fa11720980c814aa99d70b4ec42ff9571f7ce9915390e262fc8dc34")};
}

Benchmark wikidata12k() {
  return {
      "wikidata12k",
      telm("tkbc/src_data/wikidata12k"),
      std::string(telm_licence),
      12'554,
      24,
      "intervals of years",
      {translated("train", 32'497,
                  "90b42097c9741fada0f81fc5f1be1cb3c0eb0f8bfcf3f5de833dd252b98d069b",
                  "7bfb6d89264487a814a994ed647691d0d84f60def6a879ace13c8f599e791fe8", 1'386'203),
       translated("valid", 4'062,
                  "ade5b9c50b985fcf4948b7edde69c65ff8b7c993ea545cd40dc62fc70b5e2e52",
                  "fec3bf01e7b79f1d2b760bdf04b9703ce00f71a3de7ede7849674f1dddff5ab1", 172'442),
       translated("test", 4'062, "f9d6b1bbeba58e94298a5655485b7ca3d1d449ba310b8755b32abafc5ec1da6f",
                  "40562b51753271ca1b604894142968556e3687412f890db9dc510b3b80e7bfca", 172'544)},
      id_lists("307628d198b9369b650d46bb88980b38ed0957a9e8148227c94907f9b2804f01",
               "50e6d3c632dde882c8a84aece1eda1f640f4a79a184033eb0941c10dad90e517")};
}

}  // namespace

const std::vector<Benchmark>& catalogue() {
  static const std::vector<Benchmark> sets = {icews14(), icews05_15(), gdelt(), yago11k(),
                                              wikidata12k()};
  return sets;
}

const Benchmark& catalogue_entry(std::string_view name) {
  std::string known;
  for (const Benchmark& set : catalogue()) {
    if (set.name == name) return set;
    known += (known.empty() ? "" : ", ") + set.name;
  }
  fail_request(About{.advice = worded("known are: {}", known)}, "no benchmark set is called \"{}\"",
               name);
}

}  // namespace orrery
