#include "learn/text_tensors.h"

#include <gtest/gtest.h>

#include "facts/scratch.h"
#include "learn/doctored.h"
#include "learn/small_model.h"
#include "learn/stored_model.h"

namespace orrery {
namespace {

using testing::contains;
using testing::refused;

class CheckpointTexts : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return scratch_.path() / "texts"; }

  void put(const std::vector<std::int64_t>& ends, const std::string& bytes) const {
    const std::vector<TensorView> tensors = {
        tensor_view<std::int64_t>("names_ends", {ends.size()}, ends),
        {"names", Dtype::u8, {bytes.size()}, std::as_bytes(std::span(bytes))}};
    write_safetensors(path(), tensors, {});
  }
  std::string refusal(const std::vector<std::int64_t>& ends, const std::string& bytes) const {
    put(ends, bytes);
    return refused([&] { read_texts(SafetensorsFile(path()), "names"); });
  }

  testing::ScratchDirectory scratch_;
};

TEST_F(CheckpointTexts, ComeBackAsTheyWere) {
  const std::string zero(1, '\0');
  for (const std::vector<std::string>& texts :
       {std::vector<std::string>{}, {""}, {"", "a", "", "bc"}, {"東京", zero, "\"\\\n"}}) {
    put(ends_of(texts), joined(texts));
    EXPECT_EQ(read_texts(SafetensorsFile(path()), "names"), texts);
    const TextTensors specs = text_tensors("names", texts, path());
    EXPECT_EQ(specs.ends.shape.at(0), texts.size());
    EXPECT_EQ(specs.bytes.shape.at(0), joined(texts).size());
  }
}

TEST_F(CheckpointTexts, ThatDoNotFitTheirEndsAreRefused) {
  EXPECT_TRUE(contains(refusal({2, 1, 4}, "abcd"), "end where they cannot"));
  EXPECT_TRUE(contains(refusal({2, 5}, "abcd"), "end where they cannot"));
  EXPECT_TRUE(contains(refusal({-1, 4}, "abcd"), "end where they cannot"));
  EXPECT_TRUE(contains(refusal({2, std::numeric_limits<std::int64_t>::min()}, "abcd"), "cannot"));
  EXPECT_TRUE(contains(refusal({2, 3}, "abcd"), "more bytes"));
  EXPECT_TRUE(contains(refusal({}, "abcd"), "more bytes"));
  EXPECT_TRUE(contains(refusal({1}, "\xe9"), "not UTF-8"));
  EXPECT_TRUE(contains(refusal({1, 2}, "é"), "not UTF-8"));  // a character cut in two
  EXPECT_TRUE(contains(refusal({1}, "\xe9"), "is damaged"));
}

TEST_F(CheckpointTexts, OfAnotherTypeAreRefused) {
  const std::vector<float> floats = {1, 2};
  write_safetensors(path(),
                    std::vector<TensorView>{tensor_view<float>("names_ends", {2}, floats),
                                            tensor_view<float>("names", {2}, floats)},
                    {});
  const SafetensorsFile file(path());
  EXPECT_TRUE(contains(refused([&] { read_texts(file, "names"); }), "another type"));
  EXPECT_TRUE(contains(refused([&] { read_texts(file, "others"); }), "no tensor 'others'"));
}

TEST_F(CheckpointTexts, ThatAreNotUtf8AreNotWritten) {
  const std::vector<std::string> texts = {"good", "latin \xe9"};
  EXPECT_TRUE(contains(refused([&] { text_tensors("names", texts, path()); }), "not UTF-8"));
}

TEST_F(CheckpointTexts, NamesOfAModelMustBeSorted) {
  const auto with = [&](const std::string& tensor, auto change) {
    testing::SmallModel().write_to(path());
    std::string bytes;
    testing::rewrite_tensor(path(), tensor, [&](TensorView view) {
      bytes.assign(reinterpret_cast<const char*>(view.data.data()), view.data.size());
      change(bytes);
      view.data = std::as_bytes(std::span(bytes));
      return view;
    });
    return refused([&] { StoredModel model(path()); });
  };
  for (const auto* tensor : {"names/entities", "names/relations"}) {
    EXPECT_TRUE(contains(with(tensor, [](std::string& b) { b[0] = '~'; }), "not sorted"));
    EXPECT_TRUE(contains(with(tensor, [](std::string& b) { b[0] = '\xff'; }), "not UTF-8"));
  }
}

// What is in the header would be limited to 100 MB.
TEST_F(CheckpointTexts, TheHeaderDoesNotGrowWithTheNames) {
  testing::SmallModel model;
  model.write_to(path());
  const std::uint64_t before = SafetensorsFile(path()).header().size();
  auto names = model.header.entities.names();
  for (std::string& name : names) name += std::string(1000, 'x');
  model.header.entities = Vocabulary(names);
  model.write_to(path());
  EXPECT_LT(SafetensorsFile(path()).header().size(), before + 64);
  EXPECT_EQ(StoredModel(path()).header().entities.names(), names);
}

}  // namespace
}  // namespace orrery
