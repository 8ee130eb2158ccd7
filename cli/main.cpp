#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <span>
#include <string>

#include "orrery/error.h"
#include "orrery/version.h"
#include "unknown_word.h"
#include "verbs.h"

namespace {

constexpr int done = 0, wrong_request = 1, broken = 2;

int run(int argc, char** argv) {
  CLI::App app{"Orrery: temporal knowledge graph completion"};
  app.name("orrery");
  app.set_version_flag("--version", std::string(orrery::version()));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);
  app.footer(
      "Exit codes: 0 done, 1 the input or the request is wrong, 2 something broke, 130 stopped by "
      "Ctrl-C\nwith all saved.");

  auto* data = app.add_subcommand("data", "Check, list, fetch, make and cut data sets");
  data->require_subcommand(1);
  orrery::add_data_check(*data);
  orrery::add_data_list(*data);
  orrery::add_data_get(*data);
  orrery::add_data_demo(*data);
  orrery::add_data_split(*data);
  orrery::add_models(app);
  orrery::add_train(app);
  orrery::add_compare(app);
  orrery::add_reproduce(app);
  orrery::add_sweep(app);
  orrery::add_evaluate(app);
  orrery::add_predict(app);
  orrery::add_inspect(app);

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const auto unknown = orrery::complain_of_unknown_word(
        app, std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
    fmt::print(stderr, "orrery: {}\nRun with --help for what there is.\n",
               unknown.value_or(error.what()));
    return wrong_request;
  } catch (const orrery::EndWith& end) {
    return end.code;
  }
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int code = run(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    fmt::print(stderr, "orrery: the output could not be written whole\n");
    return broken;
  } catch (const orrery::Error& error) {
    fmt::print(stderr, "orrery: {}\n", error.what());
    return error.kind() == orrery::Error::Kind::broken ? broken : wrong_request;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "orrery: out of memory; take a smaller --dim or name a budget with --memory\n");
    return broken;
  } catch (const std::exception& error) {
    fmt::print(stderr, "orrery: {}\n", error.what());
    return broken;
  }
}
