// `orrery serve` as a process: signals, logs, and models that are written while they are served.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "cli/command_line.h"
#include "http/tiny_client.h"

namespace orrery::testing {
namespace {

using namespace std::chrono_literals;

class ServeCommand : public CommandLine {
 protected:
  void SetUp() override {
    CommandLine::SetUp();
    std::filesystem::create_directories(at("server"));  // what it says stays apart
    done(train_words("a", {"--epochs", "1"}));
    if (refused({"serve", at("nothing").string()}).find("built without") != std::string::npos)
      GTEST_SKIP() << "this build has no cpp-httplib";
  }

  // The port that a server says it listens at.
  static int port_of(const Program& server) {
    EXPECT_TRUE(server.has_said("(Ctrl-C ends)")) << server.err_so_far();
    const std::string said = server.err_so_far();
    const std::string before = "http://127.0.0.1:";
    return std::atoi(said.c_str() + said.find(before) + before.size());
  }

  static Reply ask(int port) {
    return TinyClient(port).predict(
        {{"subject", "e01"}, {"relation", "r1"}, {"time", "2014-01-03"}});
  }

  Program serve(const Words& more = {}) const {
    Words words = {"serve", at("a").string(), "--port", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return Program(at("server"), words);
  }
};

TEST_F(ServeCommand, AnswersAsPredictDoes) {
  const Program server = serve();
  const auto answered = ask(port_of(server)).json();
  const auto expected = json({"predict", at("a").string(), "--subject", "e01", "--relation", "r1",
                              "--time", "2014-01-03"});
  for (const auto& [field, value] : expected.items()) EXPECT_EQ(answered.at(field), value) << field;
  server.send(SIGTERM);
  EXPECT_EQ(server.wait().code, 0);
}

TEST_F(ServeCommand, CtrlCEndsItAndTheLogTellsNoNames) {
  const Program server = serve({"--log", at("log").string()});
  const int port = port_of(server);
  EXPECT_EQ(ask(port).status, 200);
  EXPECT_EQ(TinyClient(port).get("/api/entities?query=e01").status, 200);
  server.interrupt();
  const Spoken spoken = server.wait();
  EXPECT_EQ(spoken.code, 0) << spoken.err;
  EXPECT_EQ(spoken.out, "");
  std::istringstream log(read_bytes(at("log")));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(log, line);) lines.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].at("event"), "model");
  lines.erase(lines.begin());
  EXPECT_EQ(lines[0].at("path"), "/api/predict");
  EXPECT_EQ(lines[0].at("method"), "POST");
  EXPECT_EQ(lines[0].at("status"), 200);
  EXPECT_EQ(lines[0].at("questions"), 1);
  EXPECT_EQ(lines[0].at("model"), "a");
  EXPECT_GE(lines[0].at("ms").get<double>(), 0);
  EXPECT_EQ(read_bytes(at("log")).find("e01"), std::string::npos);
}

TEST_F(ServeCommand, AHangUpReadsModelAndLogAgain) {
  const Program server = serve({"--log", at("log").string()});
  const int port = port_of(server);
  std::filesystem::rename(at("log"), at("log.1"));
  server.send(SIGHUP);
  for (int tries = 0; tries < 2000 && !std::filesystem::exists(at("log")); ++tries)
    std::this_thread::sleep_for(5ms);
  std::string line;
  for (int tries = 0; tries < 2000 && line.empty(); ++tries) {
    std::this_thread::sleep_for(5ms);
    std::ifstream log(at("log"));
    std::getline(log, line);
  }
  EXPECT_EQ(nlohmann::json::parse(line).at("event"), "model");
  EXPECT_EQ(TinyClient(port).get("/api/info").json().at("models")[0].at("changes"), 1);
  server.send(SIGTERM);
  EXPECT_EQ(server.wait().code, 0);
}

TEST_F(ServeCommand, AWriterThatIsKilledLeavesAModelThatAnswers) {
  const auto writing = [&](int epochs) -> Words {
    return {"train", "--resume", at("a").string(), "--epochs", std::to_string(epochs)};
  };
  const Program server = serve();
  const int port = port_of(server);
  std::filesystem::create_directories(at("writer"));
  // Each saves its model at its end, into the directory that is served; some come that far.
  for (int round = 0; round < 12; ++round) {
    const Program writer(at("writer"), writing(2 + round));
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + 12 * round));
    writer.send(SIGKILL);
    writer.wait();
    EXPECT_EQ(ask(port).status, 200);
  }
  done(writing(20));
  EXPECT_TRUE(server.has_said("\"event\":\"model\"")) << server.err_so_far();
  server.send(SIGHUP);
  EXPECT_EQ(ask(port).status, 200);
  EXPECT_EQ(server.err_so_far().find("model refused"), std::string::npos) << server.err_so_far();
  server.send(SIGTERM);
  EXPECT_EQ(server.wait().code, 0);
}

TEST_F(ServeCommand, WrongRequestsAreRefusedBeforeItListens) {
  const auto says = [&](const Words& words, const std::string& text) {
    Words all = {"serve"};
    all.insert(all.end(), words.begin(), words.end());
    const std::string said = refused(all);
    EXPECT_NE(said.find(text), std::string::npos) << said;
  };
  const std::string run = at("a").string();
  says({run, "--host", "0.0.0.0"}, "--token-file");
  says({run, run}, "two models are named 'a'");
  says({at("nothing").string()}, "nothing");
  says({run, "--token-file", at("nothing").string()}, "no token");
  scratch_.write("token", "short\n");
  says({run, "--token-file", at("token").string()}, "fewer than 16");
  says({run, "--token", "0123456789abcdef"}, "--token");
}

}  // namespace
}  // namespace orrery::testing
