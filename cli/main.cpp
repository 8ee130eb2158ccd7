#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include "exit_codes.h"
#include "help_format.h"
#include "orrery/error.h"
#include "orrery/processes.h"
#include "orrery/version.h"
#include "output.h"
#include "stop_signals.h"
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

// How the program ends; a fault is still to be told.
struct Ending {
  int code = exit_codes::done;
  std::string fault = {};
};

// Of several processes one prints.
int print_help(CLI::App& app, const CLI::Success& help) {
  std::ostringstream shown;
  const int code = app.exit(help, shown, shown);
  orrery::to_stdout("{}", shown.str());
  return code;
}

Ending run(int argc, char** argv) {
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
    return {print_help(app, help)};
  } catch (const CLI::ParseError& error) {
    const auto words = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
    auto fault = orrery::complain_of_unknown_word(app, words);
    if (!fault) fault = orrery::complain_of_repeated_option(app, words);
    return {exit_codes::wrong_request,
            fault.value_or(error.what()) + "\nRun with --help for what there is."};
  } catch (const orrery::EndWith& end) {
    return {end.code};
  }
  return {};
}

Ending run_and_catch(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const orrery::Error& error) {
    return {error.kind() == orrery::Error::Kind::broken ? exit_codes::something_broke
                                                        : exit_codes::wrong_request,
            error.text(orrery::OptionStyle::flag)};
  } catch (const std::filesystem::filesystem_error& error) {
    return {exit_codes::wrong_request,
            fmt::format("{}: {}; check the path", error.path1().string(), error.code().message())};
  } catch (const std::bad_alloc&) {
    return {exit_codes::something_broke,
            "out of memory; take a smaller --dim or name a budget with --memory"};
  } catch (const std::exception& error) {
    return {exit_codes::something_broke, error.what()};
  }
}

// Those that train, help and what is no verb are not among them.
bool works_alone(std::string_view verb) {
  constexpr std::string_view verbs[] = {"data",  "compare", "reproduce", "sweep",   "mix",
                                        "serve", "predict", "evaluate",  "explain", "audit",
                                        "add",   "export",  "inspect",   "models",  "completion"};
  return std::ranges::find(verbs, verb) != std::end(verbs);
}

// mpirun or srun has started several of this program: they train together, and do nothing else.
Ending run_as_one_of_several(int argc, char** argv) {
  const auto [rank, size] = orrery::process_rank();
  if (rank > 0) orrery::be_silent();
  const auto words = std::span(argv, static_cast<std::size_t>(argc)).subspan(1);
  const auto first = std::ranges::find_if(words, [](const char* word) { return word[0] != '-'; });
  const std::string_view verb = first == words.end() ? "" : *first;
  if (works_alone(verb))
    return {exit_codes::wrong_request,
            rank > 0 ? ""
                     : fmt::format("`orrery {}` works in one process, and {} were started; only "
                                   "`orrery train` shares its work. Start it without mpirun or "
                                   "srun",
                                   verb, size)};
  std::optional<orrery::TrainTogether> together;
  try {
    const orrery::Stoppable before_threads_of_mpi;
    together.emplace();
  } catch (const orrery::Error& error) {
    return {exit_codes::wrong_request,
            fmt::format("rank {} of {}: {}", rank, size, error.text(orrery::OptionStyle::flag))};
  }
  Ending ending = run_and_catch(argc, argv);
  if (!ending.fault.empty()) ending.fault = orrery::last_words(ending.fault);
  return ending;
}

}  // namespace

int main(int argc, char** argv) {
  orrery::prepare_output();
  const bool alone = orrery::process_rank().size <= 1;
  const Ending ending = alone ? run_and_catch(argc, argv) : run_as_one_of_several(argc, argv);
  const int code = orrery::finish_output(ending.code);
  orrery::complain(ending.fault);
  orrery::end_together(code);
  return code;
}
