// Servers that send too much, too little, too slowly, or somewhere else: each is an Error in words,
// and nothing of what they sent stays.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "facts/scratch.h"
#include "fetch/over_http.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;
using testing::gzipped;

class FetchFromAHostileServer : public FetchOverHttp {
 protected:
  // The message, and what every refusal promises.
  std::string refusal() {
    std::uint64_t most = 0;
    const std::string message = failure(named_set(), options_, [&](const FetchProgress& progress) {
      most = std::max(most, progress.done);
    });
    EXPECT_LE(most, train_.size());
    EXPECT_TRUE(message.starts_with(server_.url() + "/tiny_train.txt: ")) << message;
    EXPECT_NE(message.find("name a mirror or a directory to fetch from"), std::string::npos)
        << message;
    EXPECT_FALSE(fs::exists(target_));
    return message;
  }
  void expect_refusal(const std::string& words) {
    const std::string message = refusal();
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_EQ(server_.requests().size(), 1U);
  }
  std::string size_of_train() const {
    return fmt::format("and the file has {} bytes; nothing of it was kept", train_.size());
  }
};

TEST_F(FetchFromAHostileServer, AnEndlessBodyEndsAtTheFilesSize) {
  server_.behaviour.endless = true;
  server_.behaviour.unannounced = true;
  expect_refusal("the server goes on sending, " + size_of_train());
}

TEST_F(FetchFromAHostileServer, AnAnnouncedBodyTooLongIsNotReadAtAll) {
  server_.behaviour.endless = true;
  server_.behaviour.announce_more = std::int64_t{1} << 40;
  expect_refusal(fmt::format("the server announces {} bytes, {}",
                             train_.size() + (std::uint64_t{1} << 40), size_of_train()));
}

TEST_F(FetchFromAHostileServer, ABoundHoldsWhereTheSizeIsNotKnown) {
  Benchmark set = named_set();
  set.splits[0].home.checksum.size = at_most(train_.size() + 100);
  fetch_files(set, target_, options_);
  expect_complete();
  fs::remove_all(target_);

  server_.behaviour.endless = true;
  server_.behaviour.unannounced = true;
  const std::string message = failure(set, options_);
  EXPECT_NE(message.find(fmt::format("has at most {} bytes", train_.size() + 100)),
            std::string::npos)
      << message;
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromAHostileServer, AnAnnouncementTooSmallIsCutShort) {
  server_.behaviour.announce_more = -1;
  expect_refusal(
      fmt::format("it is cut short: {} bytes came, {}", train_.size() - 1, size_of_train()));
}

TEST_F(FetchFromAHostileServer, AShorterFileIsCutShort) {
  server_.files["tiny_train.txt"] = "something else";
  expect_refusal("it is cut short: 14 bytes came, " + size_of_train());
}

TEST_F(FetchFromAHostileServer, AnEmptyFileIsCutShort) {
  server_.files["tiny_train.txt"].clear();
  expect_refusal("it is cut short: 0 bytes came, " + size_of_train());
}

TEST_F(FetchFromAHostileServer, AnUnannouncedBodyCutShortIsRefused) {
  server_.behaviour.unannounced = true;
  server_.behaviour.break_first = 1;
  expect_refusal("it is cut short");
}

TEST_F(FetchFromAHostileServer, AnUnannouncedBodyOfTheRightSizeIsTaken) {
  server_.behaviour.unannounced = true;
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchFromAHostileServer, ARefusalForgetsTheBeginningOfAnEarlierCall) {
  server_.behaviour.break_first = 1;
  options_.download.attempts = 1;
  failure(named_set(), options_);
  ASSERT_EQ(parts().size(), 1U);
  server_.behaviour.announce_more = 1'000'000;
  failure(named_set(), options_);
  EXPECT_TRUE(parts().empty());
}

TEST_F(FetchFromAHostileServer, ARefusalLeavesNoListsOfAnIdSet) {
  server_.files["train"] += "and more";
  EXPECT_NE(failure(id_set(), options_).find("the server announces"), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(FetchFromAHostileServer, WhatWasThereStays) {
  put(target_ / "valid.txt", valid_);
  put(target_ / "notes.txt", "mine");
  server_.behaviour.endless = true;
  server_.behaviour.unannounced = true;
  failure(named_set(), options_);
  EXPECT_EQ(content(target_ / "valid.txt"), valid_);
  EXPECT_EQ(content(target_ / "notes.txt"), "mine");
  EXPECT_EQ(entries(target_), 2U);
}

// The library unpacks this encoding unasked.
TEST_F(FetchFromAHostileServer, APackedTransferUnpacksToNoMoreThanTheFile) {
  server_.files["tiny_train.txt"] = gzipped(std::string(8 << 20, 'x'));
  server_.behaviour.unannounced = true;
  server_.behaviour.more_headers = "Transfer-Encoding: gzip\r\n";
  refusal();
}

TEST_F(FetchFromAHostileServer, APackedContentIsNotUnpacked) {
  server_.files["tiny_train.txt"] = gzipped(train_);
  server_.behaviour.more_headers = "Content-Encoding: gzip\r\n";
  expect_refusal("it is cut short");
}

TEST_F(FetchFromAHostileServer, HeadersWithoutEndAreRefused) {
  server_.behaviour.endless_header = true;
  refusal();
}

TEST_F(FetchFromAHostileServer, ATrickleIsAnErrorAndTheBeginningIsKept) {
  server_.behaviour.trickle = true;
  options_.download.patience = std::chrono::seconds(1);
  const std::string message = failure(named_set(), options_);
  EXPECT_NE(message.find("the server is too slow: under 1000 bytes a second for 1 s (1 attempt, "),
            std::string::npos)
      << message;
  EXPECT_EQ(server_.requests().size(), 1U);
  ASSERT_EQ(entries(target_), 1U);
  EXPECT_EQ(parts().size(), 1U);

  // What came was no beginning of the file: the next call finds out, and has the file.
  server_.behaviour.trickle = false;
  fetch_files(named_set(), target_, options_);
  expect_complete();
}

TEST_F(FetchFromAHostileServer, ARedirectLoopEnds) {
  server_.behaviour.redirect_loop = true;
  const std::string message = refusal();
  EXPECT_NE(message.find("redirects more than 5 times"), std::string::npos) << message;
  EXPECT_EQ(server_.requests().size(), 6U);
}

TEST_F(FetchFromAHostileServer, ARedirectToAFileIsRefused) {
  put(scratch_ / "secret.txt", train_);
  for (const std::string scheme : {"file", "ftp", "gopher"}) {
    server_.behaviour.redirect_to = scheme + "://" + (scratch_ / "secret.txt").string();
    const std::string message = refusal();
    EXPECT_NE(message.find("redirects to what is not http:// or https://"), std::string::npos)
        << message;
  }
}

// The library reads the body of a redirect to its end, to use the connection again.
TEST_F(FetchFromAHostileServer, AnEndlessRedirectIsRefused) {
  server_.behaviour.redirect = true;
  server_.behaviour.endless = true;
  server_.behaviour.hold = true;
  server_.behaviour.announce_more = std::int64_t{1} << 40;
  expect_refusal("the server goes on sending");
}

}  // namespace
}  // namespace orrery
