#include "compare/contenders.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <numeric>

#include "api/judged_run.h"
#include "base/error.h"
#include "learn/options.h"
#include "learn/setup.h"

namespace orrery {
namespace {

constexpr std::int64_t widest_row = 1 << 20;  // the bound of --dim
constexpr std::int64_t most_seeds = 1000;

// "attention=none+product=componentwise"
std::map<std::string, std::string> parse_choices(std::string_view text, const std::string& words) {
  std::map<std::string, std::string> choices;
  while (true) {
    const auto end = std::min(text.find('+'), text.size());
    const std::string_view choice = text.substr(0, end);
    const auto equals = choice.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == choice.size())
      fail_request(
          "'{}' is no choice in the model '{}'; write such as bsca:attention=none, and several as "
          "bsca:attention=none+product=componentwise",
          choice, words);
    const std::string name(choice.substr(0, equals));
    if (!choices.emplace(name, choice.substr(equals + 1)).second)
      fail_request("the choice '{}' is given twice in the model '{}'", name, words);
    if (end == text.size()) return choices;
    text.remove_prefix(end + 1);
  }
}

// The same formula under the same options, however its choices were written.
bool same_model(TrainOptions first, TrainOptions second) {
  if (&variant_of(first) != &variant_of(second)) return false;
  first.choices.clear();
  second.choices.clear();
  return differences(first, second).empty();
}

// As it could be written among --models.
std::string words_of(const TrainOptions& options) {
  std::string words = options.model;
  for (const auto& [name, value] : options.choices)
    if (!value.empty())
      words += fmt::format("{}{}={}", words == options.model ? ':' : '+', name, value);
  return words;
}

void check_one(const Contender& model) {
  check_options(model.options);
  if (model.options.data.empty()) fail_request("name the facts with --data DIR");
  if (model.options.epochs < 1)
    fail_request("--epochs is {} for '{}', but models are compared after at least 1",
                 model.options.epochs, model.name);
  if (model.options.eval_every < 1)
    fail_request(
        "models are compared at their best epoch, and '{}' is not validated: add --eval-every N",
        model.name);
}

void check_pair(const Contender& first, const Contender& second) {
  if (first.options.data != second.options.data)
    fail_request("'{}' names the data {}, and '{}' {}; models are compared on one: add --data DIR",
                 first.name, first.options.data, second.name, second.options.data);
  if (same_model(first.options, second.options))
    fail_request("'{}' is named twice in --models{}", first.name,
                 first.name == second.name ? "" : fmt::format(", once as '{}'", second.name));
  if (run_of(first, 1, {}) == run_of(second, 1, {}))
    fail_request("two of --models are called '{}'; give one config file another name", first.name);
}

}  // namespace

TrainOptions comparison_defaults() {
  TrainOptions options;
  options.eval_every = 5;
  return options;
}

Contender contender_named(const std::string& words, const TrainOptions& base) {
  if (words.ends_with(".toml"))
    return {std::filesystem::path(words).stem().string(), read_options(words, base)};
  const auto colon = words.find(':');
  Contender contender{"", base};
  contender.options.model = words.substr(0, colon);
  contender.options.choices.clear();
  if (colon != std::string::npos)
    contender.options.choices = parse_choices(std::string_view(words).substr(colon + 1), words);
  variant_of(contender.options);  // refuses what there is not
  return contender;
}

std::int64_t parse_parameters(std::string_view text) {
  double count = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, count, std::chars_format::fixed);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  const double scale = unit.empty()                 ? 1
                       : unit == "k" || unit == "K" ? 1e3
                       : unit == "M"                ? 1e6
                       : unit == "G"                ? 1e9
                                                    : 0;
  const double parameters = count * scale;
  if (error != std::errc() || !(parameters >= 1 && parameters <= 1e12))
    fail_request("--budget is '{}', but must be a number of parameters such as 38M, 500k or 20000",
                 text);
  return static_cast<std::int64_t>(parameters);
}

std::int64_t parameters_of(const TrainOptions& options, const TemporalGraph& data) {
  const ModelShape shape = shape_of(options, data);
  return parameter_count(tables_of(variant_of(options), shape, options.without), shape);
}

std::int64_t widest_dim(const TrainOptions& options, const TemporalGraph& data,
                        std::int64_t budget) {
  const std::int64_t step = std::lcm<std::int64_t>(variant_of(options).algebra_size, 8);
  const auto parameters = [&](std::int64_t steps) {
    TrainOptions tried = options;
    tried.dim = steps * step;
    return parameters_of(tried, data);
  };
  if (parameters(1) > budget)
    fail_request(
        "the model '{}' has {} parameters on these facts with rows of {} reals, its "
        "smallest, and the budget is {}; take a larger --budget",
        options.model, parameters(1), step, budget);
  // By doubling, since some counts grow with the cube and must not be asked for far beyond it.
  const std::int64_t most = (variant_of(options).has_core ? widest_core : widest_row) / step;
  std::int64_t fits = 1;
  while (2 * fits <= most && parameters(2 * fits) <= budget) fits *= 2;
  std::int64_t too_wide = std::min(2 * fits, most + 1);
  while (too_wide - fits > 1) {
    const std::int64_t middle = fits + (too_wide - fits) / 2;
    (parameters(middle) <= budget ? fits : too_wide) = middle;
  }
  return fits * step;
}

std::filesystem::path run_of(const Contender& model, std::uint64_t seed,
                             const std::filesystem::path& out) {
  std::string name = model.name;
  for (char& c : name)
    if (c == ':' || c == '=' || c == '+' || c == '/') c = '-';
  return out / fmt::format("{}-seed{}", name, seed);
}

CompareOptions settled(CompareOptions options) {
  if (options.models.empty()) fail_request("name the models to compare with --models a,b,c");
  if (options.seeds < 1 || options.seeds > most_seeds)
    fail_request("--seeds is {}, but must be from 1 to {}", options.seeds, most_seeds);
  for (auto model = options.models.begin(); model != options.models.end(); ++model) {
    if (model->name.empty()) model->name = words_of(model->options);
    model->options.data = absolute_path(model->options.data);
    check_one(*model);
    for (auto other = options.models.begin(); other != model; ++other) check_pair(*other, *model);
  }
  return options;
}

}  // namespace orrery
