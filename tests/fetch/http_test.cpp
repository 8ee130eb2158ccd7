// Fetching over HTTP, from a server on this machine that misbehaves when told to.
#include <gtest/gtest.h>

#include <stdexcept>

#include "fetch/over_http.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

TEST_F(FetchOverHttp, FetchesFromHomeAndVerifies) {
  Benchmark set = named_set();
  set.home = server_.url();
  options_.from.clear();
  std::uint64_t done = 0;
  std::uint64_t total = 0;
  const auto files = fetch_files(set, target_, options_, [&](const FetchProgress& progress) {
    if (progress.file != "tiny_train.txt") return;
    EXPECT_GT(progress.done, done);
    done = progress.done;
    total = progress.total;
  });
  expect_complete();
  EXPECT_EQ(done, train_.size());
  EXPECT_EQ(total, train_.size());
  EXPECT_EQ(files[0].sha256, sha256_of(train_));
  EXPECT_EQ(server_.requests().size(), 3U);
}

TEST_F(FetchOverHttp, SecondCallAsksForNothing) {
  fetch_files(named_set(), target_, options_);
  const std::size_t before = server_.requests().size();
  for (const auto& file : fetch_files(named_set(), target_, options_)) {
    EXPECT_TRUE(file.was_there);
  }
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(FetchOverHttp, IdsBecomeNames) {
  fetch_files(id_set(), target_, options_);
  EXPECT_EQ(content(target_ / "train.txt"), named_facts_);
  EXPECT_EQ(content(target_ / "test.txt"), named_facts_);
  EXPECT_EQ(entries(target_), 3U);
  EXPECT_EQ(server_.requests().size(), 5U);
}

TEST_F(FetchOverHttp, GoesOnAfterABrokenConnection) {
  server_.behaviour.break_first = 2;
  fetch_files(named_set(), target_, options_);
  expect_complete();
  ASSERT_GE(server_.requests().size(), 3U);
  EXPECT_EQ(server_.requests().at(0), "tiny_train.txt");
  EXPECT_EQ(server_.requests().at(1), fmt::format("tiny_train.txt from {}", train_.size() / 2));
  EXPECT_TRUE(server_.requests().at(2).starts_with("tiny_train.txt from "))
      << server_.requests().at(2);
}

TEST_F(FetchOverHttp, NextCallContinuesWhereTheLastOneBrokeOff) {
  server_.behaviour.break_first = 1;
  options_.download.attempts = 1;
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("tiny_train.txt"), std::string::npos) << message;
  EXPECT_NE(message.find("continues"), std::string::npos) << message;
  ASSERT_EQ(parts().size(), 1U);
  EXPECT_EQ(content(parts()[0]), train_.substr(0, train_.size() / 2));
  EXPECT_EQ(entries(target_), 1U);  // nothing under a final name

  fetch_files(named_set(), target_, options_);
  expect_complete();
  EXPECT_EQ(server_.requests().at(1), fmt::format("tiny_train.txt from {}", train_.size() / 2));
}

TEST_F(FetchOverHttp, AnInterruptedCallContinues) {
  struct Interrupt : std::runtime_error {
    using std::runtime_error::runtime_error;
  };
  EXPECT_THROW(fetch_files(named_set(), target_, options_,
                           [](const FetchProgress& progress) {
                             if (progress.done > 50'000) throw Interrupt("stop");
                           }),
               Interrupt);
  ASSERT_EQ(parts().size(), 1U);
  EXPECT_FALSE(fs::exists(target_ / "train.txt"));
  const auto held = fs::file_size(parts()[0]);
  EXPECT_LT(held, train_.size());

  fetch_files(named_set(), target_, options_);
  expect_complete();
  EXPECT_EQ(server_.requests().at(1), fmt::format("tiny_train.txt from {}", held));
}

TEST_F(FetchOverHttp, ACompletePartIsNotAskedForAgain) {
  fetch_files(named_set(), target_, options_);
  fs::rename(target_ / "train.txt", target_ / fmt::format("tiny_train.txt.{}.orrery-part",
                                                          git_blob_of(train_).substr(0, 12)));
  const std::size_t before = server_.requests().size();
  fetch_files(named_set(), target_, options_);
  expect_complete();
  EXPECT_EQ(server_.requests().size(), before);
}

TEST_F(FetchOverHttp, StartsAnewWhereTheServerKnowsNoRanges) {
  server_.behaviour.break_first = 1;
  server_.behaviour.ignore_range = true;
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchOverHttp, StartsAnewWhenAnotherRangeComes) {
  server_.behaviour.break_first = 1;
  server_.behaviour.shift_range = true;
  fetch_files(named_set(), target_, options_);
  expect_complete();
  EXPECT_EQ(server_.requests().at(2), "tiny_train.txt");
}

TEST_F(FetchOverHttp, AWrongBeginningIsForgotten) {
  const std::string name =
      fmt::format("tiny_train.txt.{}.orrery-part", git_blob_of(train_).substr(0, 12));
  put(target_ / name, "another file's beginning");
  fetch_files(named_set(), target_, options_);
  expect_complete();

  fs::remove(target_ / "train.txt");
  put(target_ / name, train_ + "longer than the file");
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchOverHttp, WrongContentNamesBothHashesAndLeavesNothing) {
  std::string other = train_;
  other.front() = 'A';
  server_.files["tiny_train.txt"] = other;
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("tiny_train.txt"), std::string::npos) << message;
  EXPECT_NE(message.find(git_blob_of(other)), std::string::npos) << message;
  EXPECT_NE(message.find(git_blob_of(train_)), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchOverHttp, WrongIdListLeavesNothing) {
  server_.files["train"].front() = '0';
  EXPECT_NE(failure(id_set(), options_).find(sha256_of(id_facts_)), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchOverHttp, VerifiedFilesStayWhenALaterOneIsWrong) {
  server_.files["tiny_test.txt"] = "something else";
  failure(named_set(), options_);
  EXPECT_EQ(content(target_ / "train.txt"), train_);
  EXPECT_EQ(content(target_ / "valid.txt"), valid_);
  EXPECT_EQ(entries(target_), 2U);
}

TEST_F(FetchOverHttp, MissingFileIsNamedAndNotRetried) {
  server_.files.erase("tiny_train.txt");
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("/files/tiny_train.txt"), std::string::npos) << message;
  EXPECT_NE(message.find("404"), std::string::npos) << message;
  EXPECT_EQ(server_.requests().size(), 1U);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchOverHttp, ABusyServerIsAskedAgain) {
  server_.behaviour.busy_first = 2;
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchOverHttp, ABusyServerIsNotAskedForEver) {
  server_.behaviour.busy_first = 100;
  EXPECT_NE(failure(named_set(), options_).find("503"), std::string::npos);
  EXPECT_EQ(server_.requests().size(), 3U);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchOverHttp, FollowsAMovedFile) {
  server_.behaviour.redirect = true;
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchOverHttp, RefusedConnectionIsARequestError) {
  server_.stop();
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("127.0.0.1"), std::string::npos) << message;
  EXPECT_NE(message.find("3 attempts"), std::string::npos) << message;
  EXPECT_FALSE(fs::exists(target_));
}

}  // namespace
}  // namespace orrery
