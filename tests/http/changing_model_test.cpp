// Model files that are exchanged while they are served.
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "facts/scratch.h"
#include "http/running_server.h"

namespace orrery {
namespace {

using namespace testing;

// What became of models.
class Changes : public ServeObserver {
 public:
  void on_model(const ModelChange& change) override {
    if (std::exchange(begun, true)) ++(change.problem.empty() ? taken_up : refused);
  }
  std::atomic<int> taken_up = 0, refused = 0;  // after the first

  bool begun = false;

  static bool comes(const std::atomic<int>& count, int wanted) {
    for (int tries = 0; tries < 4000 && count < wanted; ++tries) std::this_thread::sleep_for(5ms);
    return count >= wanted;
  }
};

class ChangingModel : public ServerTest {
 protected:
  void SetUp() override {
    ServerTest::SetUp();
    std::filesystem::create_directories(run());
    small_model(1).save(run() / "model.safetensors");
  }
  std::filesystem::path run() const { return scratch_.path() / "changing"; }
  std::vector<std::filesystem::path> runs() const { return {run()}; }

  ScratchDirectory scratch_;
};

TEST_F(ChangingModel, IsTakenUpWithoutAFailedRequest) {
  Changes changes;
  Server server(runs(), any_port(), &changes);
  std::atomic<bool> enough = false;
  std::atomic<int> asked = 0, wrong = 0, second = 0;
  std::vector<std::thread> crowd;
  for (int c = 0; c < 8; ++c)
    crowd.emplace_back([&, c] {
      TinyClient client(server.port());
      for (std::size_t i = 0; !enough; ++i) {
        const Question question = small_question(i + static_cast<std::size_t>(c));
        const Reply reply = client.predict(json_of(question, 3));
        const bool old_one = is_answer_of(small_model(1), reply.json(), question);
        const bool new_one = is_answer_of(small_model(2), reply.json(), question);
        ++asked;
        wrong += reply.status == 200 && (old_one || new_one) ? 0 : 1;
        second += new_one && !old_one ? 1 : 0;
      }
    });
  for (int round = 1; round <= 10; ++round) {
    small_model(round % 2 == 1 ? 2 : 1).save(run() / "model.safetensors");
    EXPECT_TRUE(Changes::comes(changes.taken_up, round));
  }
  enough = true;
  for (auto& thread : crowd) thread.join();
  EXPECT_GT(asked, 50);
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(second, 0);
  EXPECT_EQ(changes.refused, 0);
}

TEST_F(ChangingModel, ADamagedFileIsRefusedAndTheOldModelGoesOn) {
  Changes changes;
  Server server(runs(), any_port(), &changes);
  const auto asks_the_first = [&] {
    return is_answer_of(small_model(1),
                        TinyClient(server.port()).predict(json_of(small_question(3), 5)).json(),
                        small_question(3));
  };
  EXPECT_TRUE(asks_the_first());
  small_model(2).save(scratch_.path() / "other");
  std::string bytes = read_bytes(scratch_.path() / "other");
  bytes[bytes.size() / 2] ^= 1;
  scratch_.write("damaged", bytes);
  std::filesystem::rename(scratch_.path() / "damaged", run() / "model.safetensors");
  EXPECT_TRUE(Changes::comes(changes.refused, 1));
  EXPECT_TRUE(asks_the_first());
  std::filesystem::remove(run() / "model.safetensors");
  EXPECT_TRUE(Changes::comes(changes.refused, 2));
  EXPECT_TRUE(asks_the_first());
  std::filesystem::remove_all(run());
  server.reload();
  EXPECT_TRUE(asks_the_first());
  std::filesystem::create_directories(run());
  std::filesystem::rename(scratch_.path() / "other", run() / "model.safetensors");
  EXPECT_TRUE(Changes::comes(changes.taken_up, 1));
  EXPECT_FALSE(asks_the_first());
}

// As cp does: the file's bytes are gone while requests still look at embeddings.
TEST_F(ChangingModel, AFileMayBeOverwrittenInPlace) {
  Changes changes;
  Server server(runs(), any_port(), &changes);
  const auto look = [&] {
    return TinyClient(server.port()).get("/api/geometry?relation=r1&time=2014-01-03").status;
  };
  const auto overwrite = [&](const std::string& bytes) {
    std::ofstream(run() / "model.safetensors", std::ios::binary | std::ios::trunc) << bytes;
  };
  overwrite("no model");
  EXPECT_EQ(look(), 200);
  EXPECT_EQ(TinyClient(server.port()).get("/api/neighbours?entity=e01").status, 200);
  EXPECT_TRUE(Changes::comes(changes.refused, 1));
  small_model(2).save(scratch_.path() / "other");
  overwrite(read_bytes(scratch_.path() / "other"));
  EXPECT_TRUE(Changes::comes(changes.taken_up, 1));
  EXPECT_EQ(look(), 200);
}

TEST_F(ChangingModel, ReloadTakesUpTheFileAtOnce) {
  ServeOptions options = any_port();
  options.watching = 1h;
  Changes changes;
  Server server(runs(), options, &changes);
  small_model(2).save(run() / "model.safetensors");
  server.reload();
  EXPECT_EQ(changes.taken_up, 1);
  EXPECT_TRUE(is_answer_of(small_model(2),
                           TinyClient(server.port()).predict(json_of(small_question(3), 5)).json(),
                           small_question(3)));
}

}  // namespace
}  // namespace orrery
