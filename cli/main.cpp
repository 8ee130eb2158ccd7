#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "exit_codes.h"
#include "help_format.h"
#include "orrery/error.h"
#include "orrery/version.h"
#include "output.h"
#include "verbs.h"
#include "wrong_words.h"

namespace {

namespace exit_codes = orrery::exit_codes;

// For every verb, so that it may stand anywhere on the line.
void add_quiet(CLI::App& app) {
  app.add_flag_callback("--quiet", orrery::be_quiet,
                        "no progress and no notes on stderr; errors and results stay");
  for (CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; })) add_quiet(*verb);
}

int run(int argc, char** argv) {
  CLI::App app{"Orrery: temporal knowledge graph completion"};
  app.name("orrery");
  app.formatter(std::make_shared<orrery::HelpFormat>());
  app.set_version_flag("--version", std::string(orrery::version()));
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::help);

  auto* data = app.add_subcommand("data", "Check, list, fetch, make, split and convert data sets");
  data->require_subcommand(1);
  orrery::add_data_check(*data);
  orrery::add_data_list(*data);
  orrery::add_data_get(*data);
  orrery::add_data_demo(*data);
  orrery::add_data_split(*data);
  orrery::add_data_convert(*data);
  orrery::end_help(*data, "", {"orrery data demo world", "orrery data check world"});
  orrery::add_models(app);
  orrery::add_train(app);
  orrery::add_compare(app);
  orrery::add_reproduce(app);
  orrery::add_sweep(app);
  orrery::add_mix(app);
  orrery::add_evaluate(app);
  orrery::add_predict(app);
  orrery::add_serve(app);
  orrery::add_audit(app);
  orrery::add_explain(app);
  orrery::add_inspect(app);
  orrery::add_export(app);
  orrery::add_add(app);
  orrery::add_help(app);
  orrery::add_version(app);
  orrery::add_completion(app);
  add_quiet(app);
  orrery::end_help(
      app,
      "Exit codes: 0 done, 1 the input or the request is wrong, 2 something broke, "
      "130 stopped by Ctrl-C\n(143 by SIGTERM, 129 by a hang-up) with everything saved.",
      {"orrery data demo world", "orrery train --data world --out runs/a",
       "orrery evaluate runs/a"});

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    const auto words = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
    auto fault = orrery::complain_of_unknown_word(app, words);
    if (!fault) fault = orrery::complain_of_repeated_option(app, words);
    orrery::complain(fault.value_or(error.what()) + "\nRun with --help for what there is.");
    return exit_codes::wrong_request;
  } catch (const orrery::EndWith& end) {
    return end.code;
  }
  return exit_codes::done;
}

}  // namespace

int main(int argc, char** argv) {
  orrery::prepare_output();
  try {
    return orrery::finish_output(run(argc, argv));
  } catch (const orrery::Error& error) {
    orrery::complain(error.text(orrery::OptionStyle::flag));
    return error.kind() == orrery::Error::Kind::broken ? exit_codes::something_broke
                                                       : exit_codes::wrong_request;
  } catch (const std::filesystem::filesystem_error& error) {
    orrery::complain(
        fmt::format("{}: {}; check the path", error.path1().string(), error.code().message()));
    return exit_codes::wrong_request;
  } catch (const std::bad_alloc&) {
    orrery::complain("out of memory; take a smaller --dim or name a budget with --memory");
    return exit_codes::something_broke;
  } catch (const std::exception& error) {
    orrery::complain(error.what());
    return exit_codes::something_broke;
  }
}
