// Fetching from a server on this machine, for its tests.
#pragma once

#include <chrono>
#include <cstdlib>

#include "fetch/fetch.h"
#include "fetch/file_server.h"
#include "fetch/world.h"

namespace orrery {

class FetchOverHttp : public FetchWorld {
 protected:
  FetchOverHttp() {
    setenv("no_proxy", "127.0.0.1", 1);
    options_.from = server_.url() + "/";
    options_.download.attempts = 3;
    options_.download.first_pause = std::chrono::milliseconds(1);
    options_.download.connect_timeout = std::chrono::seconds(5);
  }

  void expect_complete() {
    EXPECT_EQ(content(target_ / "train.txt"), train_);
    EXPECT_EQ(content(target_ / "valid.txt"), valid_);
    EXPECT_EQ(content(target_ / "test.txt"), test_);
    EXPECT_EQ(entries(target_), 3U);
  }

  FileServer server_{{{"tiny_train.txt", train_},
                      {"tiny_valid.txt", valid_},
                      {"tiny_test.txt", test_},
                      {"entity2id.txt", entity_ids_},
                      {"relation2id.txt", relation_ids_},
                      {"train", id_facts_},
                      {"valid", id_facts_},
                      {"test", id_facts_}}};
  FetchOptions options_;
};

}  // namespace orrery
