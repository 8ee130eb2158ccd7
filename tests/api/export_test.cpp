// Embeddings as files: what was written is read back, byte by byte.
#include "orrery/export.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <sstream>

#include "api/small_runs.h"
#include "facts/scratch.h"

namespace orrery {
namespace {

using testing::contains;
using testing::read_bytes;

// Names with what separates fields, quotes and lines.
Model model_of(const std::vector<std::string>& subjects, const std::string& kind = "bsca") {
  FactColumns facts;
  for (const std::string& subject : subjects) {
    facts.subject.push_back(subject);
    facts.relation.emplace_back("knows");
    facts.object.emplace_back("Zoe");
    facts.time.emplace_back("2020-01-0" + std::to_string(facts.time.size() + 1));
  }
  TrainOptions options;
  options.model = kind;
  options.dim = 16;
  options.epochs = 1;
  options.threads = 1;
  return train(Dataset::from_columns(facts), options);
}

std::vector<std::string> lines_in(const std::filesystem::path& file) {
  std::vector<std::string> lines;
  std::istringstream text(read_bytes(file));
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

std::vector<float> numbers_in(const std::string& line, char separator) {
  std::vector<float> numbers;
  std::istringstream text(line);
  for (std::string field; std::getline(text, field, separator);)
    numbers.push_back(std::stof(field));
  return numbers;
}

bool same_bits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

std::string refusal(const Model& model, const std::filesystem::path& directory,
                    const ExportOptions& options) {
  try {
    export_embeddings(model, directory, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::request);
    return error.what();
  }
  ADD_FAILURE() << "was not refused";
  return {};
}

class Export : public ::testing::Test {
 protected:
  std::filesystem::path at(const std::string& name) const { return scratch_.path() / name; }
  testing::ScratchDirectory scratch_;
};

// As numpy.lib.format describes it.
TEST_F(Export, NpyHoldsEveryTableAndItsNames) {
  const Model model = model_of({"Ada", "Bob, the \"builder\"", "Łódź"});
  const auto exported = export_embeddings(model, at("out"));
  ASSERT_EQ(exported.size(), model.card().embeddings.size());
  for (const ExportedTable& one : exported) {
    const Embeddings table = model.embeddings(one.table.name);
    ASSERT_EQ(one.files.size(), 2U);
    EXPECT_EQ(one.files[0], at("out") / (table.info.name + ".npy"));
    const std::string bytes = read_bytes(one.files[0]);
    ASSERT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
    const auto length =
        static_cast<unsigned char>(bytes[8]) + 256U * static_cast<unsigned char>(bytes[9]);
    EXPECT_EQ((10 + length) % 64, 0U);
    const std::string header = bytes.substr(10, length);
    EXPECT_TRUE(header.starts_with(
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}",
                    table.info.rows, table.info.dim)))
        << header;
    EXPECT_EQ(header.back(), '\n');
    EXPECT_EQ(
        bytes.substr(10 + length),
        std::string(reinterpret_cast<const char*>(table.values.data()), table.values.size_bytes()));
    const auto names = lines_in(one.files[1]);
    EXPECT_TRUE(std::ranges::equal(names, table.names)) << table.info.name;
  }
}

TEST_F(Export, CsvQuotesNamesAndReadsBackToTheBit) {
  const std::string odd = "Bob, the \"builder\"\nof Łódź";
  const Model model = model_of({"Ada", odd});
  export_embeddings(model, at("out"), {.format = "csv", .tables = {"entity"}});
  const Embeddings table = model.embeddings("entity");
  std::string expected = "name";
  for (int i = 0; i < 16; ++i) expected += "," + std::to_string(i);
  const std::string text = read_bytes(at("out") / "entity.csv");
  ASSERT_TRUE(text.starts_with(expected + "\nAda,")) << text.substr(0, 80);
  EXPECT_TRUE(contains(text, "\n\"Bob, the \"\"builder\"\"\nof Łódź\","));
  const auto lines = lines_in(at("out") / "entity.csv");
  ASSERT_EQ(lines.size(), 5U);  // the titles, and a name of two lines among three
  EXPECT_TRUE(same_bits(numbers_in(lines[1].substr(4), ','), table.row(0)));
  EXPECT_TRUE(same_bits(numbers_in(lines[3].substr(lines[3].find("\",") + 2), ','), table.row(1)));
  EXPECT_FALSE(std::filesystem::exists(at("out") / "relation_mul.csv"));
}

TEST_F(Export, ProjectorHasVectorsMetadataAndAnIndex) {
  const Model model = model_of({"Ada", "Bob, the \"builder\""});
  const auto exported =
      export_embeddings(model, at("out"), {.format = "projector", .tables = {"entity"}});
  const Embeddings table = model.embeddings("entity");
  const auto vectors = lines_in(at("out") / "entity.vectors.tsv");
  ASSERT_EQ(vectors.size(), 3U);
  for (std::size_t row = 0; row < vectors.size(); ++row)
    EXPECT_TRUE(
        same_bits(numbers_in(vectors[row], '\t'), table.row(static_cast<std::int64_t>(row))));
  EXPECT_EQ(read_bytes(at("out") / "entity.metadata.tsv"), "Ada\nBob, the \"builder\"\nZoe\n");
  EXPECT_EQ(read_bytes(at("out") / "projector_config.pbtxt"),
            "embeddings {\n  tensor_name: \"entity\"\n  tensor_path: \"entity.vectors.tsv\"\n"
            "  metadata_path: \"entity.metadata.tsv\"\n}\n");
}

TEST_F(Export, RowsWithoutNamesAreNumbered) {
  const Model model = model_of({"Ada"}, "telm");
  const auto& tables = model.card().embeddings;
  const auto shared = std::ranges::find(tables, "shared", &EmbeddingInfo::of);
  ASSERT_NE(shared, tables.end());
  export_embeddings(model, at("out"), {.format = "projector", .tables = {shared->name}});
  EXPECT_EQ(read_bytes(at("out") / (shared->name + ".metadata.tsv")), "0\n");
}

TEST_F(Export, NamesThatAFormatCannotKeepAreRefusedBeforeAnythingIsWritten) {
  const Model broken = model_of({"Ada\nLovelace"}), spaced = model_of({"Ada\tLovelace"});
  for (const auto* format : {"npy", "projector"}) {
    const std::string said = refusal(broken, at("out"), {.format = format});
    EXPECT_TRUE(contains(said, "holds")) << said;
    EXPECT_TRUE(contains(said, "--format csv")) << said;
  }
  refusal(spaced, at("out"), {.format = "projector"});
  EXPECT_FALSE(std::filesystem::exists(at("out")));
  EXPECT_EQ(export_embeddings(spaced, at("out")).size(), spaced.card().embeddings.size());
}

TEST_F(Export, WhatIsThereWithOtherContentIsLeftAlone) {
  const Model model = model_of({"Ada", "Bob"});
  export_embeddings(model, at("out"));
  const std::string before = read_bytes(at("out") / "entity.npy");
  export_embeddings(model, at("out"));  // the same again changes nothing
  const std::string said = refusal(model_of({"Ada", "Eve"}), at("out"), {});
  EXPECT_TRUE(contains(said, "names.txt: exists with other content and is left alone")) << said;
  EXPECT_TRUE(read_bytes(at("out") / "entity.npy") == before);
}

TEST_F(Export, UnknownTablesAndFormatsAreRefused) {
  const Model model = model_of({"Ada"});
  EXPECT_TRUE(contains(refusal(model, at("out"), {.format = "xlsx"}), "npy, csv or projector"));
  EXPECT_TRUE(contains(refusal(model, at("out"), {.tables = {"entities"}}), "there are entity"));
}

}  // namespace
}  // namespace orrery
