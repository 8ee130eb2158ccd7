#include "compare/compared_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "orrery/models.h"

namespace orrery {
namespace {

// "attention=none+product=componentwise"
std::map<std::string, std::string> parse_choices(std::string_view text, const std::string& words) {
  std::map<std::string, std::string> choices;
  while (true) {
    const auto end = std::min(text.find('+'), text.size());
    const std::string_view choice = text.substr(0, end);
    const auto equals = choice.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == choice.size())
      fail_request(About{.option = "models",
                         .advice = "write such as bsca:attention=none, and several as "
                                   "bsca:attention=none+product=componentwise"},
                   "'{}' is not a choice in the model '{}'", choice, words);
    const std::string name(choice.substr(0, equals));
    if (!choices.emplace(name, choice.substr(equals + 1)).second)
      fail_request(About{.option = "models"}, "the choice '{}' is given twice in the model '{}'",
                   name, words);
    if (end == text.size()) return choices;
    text.remove_prefix(end + 1);
  }
}

// As it could be written among --models.
std::string words_of(const TrainOptions& options) {
  std::string words = options.model;
  for (const auto& [name, value] : options.choices)
    if (!value.empty())
      words += fmt::format("{}{}={}", words == options.model ? ':' : '+', name, value);
  return words;
}

TrainOptions on_facts(const CompareOptions& compared, TrainOptions options) {
  if (compared.data) return options_on(*compared.data, std::move(options));
  if (options.data.empty()) fail_request(About{.option = "data"}, "name the facts with $data DIR");
  options.data = source_named(options.data);
  return options;
}

void check_one(const ComparedModel& model) {
  check_options(model.options);
  if (model.options.epochs < 1)
    fail_request(About{.option = "epochs"},
                 "$epochs is {} for '{}', but models are compared after at least 1",
                 model.options.epochs, model.name);
  if (model.options.eval_every < 1)
    fail_request(About{.option = "eval-every", .advice = worded("add $eval-every N")},
                 "models are compared at their best epoch, and '{}' is not validated", model.name);
}

void check_pair(const ComparedModel& first, const ComparedModel& second) {
  if (first.options.data != second.options.data)
    fail_request(About{.option = "data", .advice = worded("add $data DIR")},
                 "'{}' names the data {}, and '{}' {}; models are compared on one", first.name,
                 first.options.data, second.name, second.options.data);
  const std::string &one = first.options.reading.intervals,
                    &other = second.options.reading.intervals;
  if (one != other)
    fail_request(About{.option = "intervals", .advice = worded("add $intervals {}", one)},
                 "'{}' reads intervals as '{}', and '{}' as '{}'; their scores cannot be compared",
                 first.name, one, second.name, other);
  if (same_model(first.options, second.options))
    fail_request(About{.option = "models"}, "'{}' is named twice in $models{}", first.name,
                 first.name == second.name ? "" : fmt::format(", once as '{}'", second.name));
  if (run_of(first, 1, {}) == run_of(second, 1, {}))
    fail_request(About{.option = "models", .advice = "give one config file another name"},
                 "two of $models are called '{}'", first.name);
}

}  // namespace

TrainOptions comparison_defaults() {
  TrainOptions options;
  options.eval_every = 5;
  return options;
}

ComparedModel compared_model(const std::string& words, const TrainOptions& base) {
  if (words.ends_with(".toml"))
    return {std::filesystem::path(words).stem().string(), read_config(words, base)};
  const auto colon = words.find(':');
  ComparedModel model{"", base};
  model.options.model = words.substr(0, colon);
  model.options.choices.clear();
  if (colon != std::string::npos)
    model.options.choices = parse_choices(std::string_view(words).substr(colon + 1), words);
  dim_unit(model.options);  // refuses what there is not
  return model;
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
    fail_request(About{.option = "budget"},
                 "$budget is '{}', but must be a number of parameters such as 38M, 500k or 20000",
                 text);
  return static_cast<std::int64_t>(parameters);
}

std::filesystem::path run_of(const ComparedModel& model, std::uint64_t seed,
                             const std::filesystem::path& out) {
  std::string name = model.name;
  for (char& c : name)
    if (c == ':' || c == '=' || c == '+' || c == '/') c = '-';
  return out / fmt::format("{}-seed{}", name, seed);
}

CompareOptions settled(CompareOptions options) {
  if (options.models.empty())
    fail_request(About{.option = "models"}, "name the models to compare with $models a,b,c");
  if (options.seeds < 1 || options.seeds > most_seeds)
    fail_request(About{.option = "seeds"}, "$seeds is {}, but must be from 1 to {}", options.seeds,
                 most_seeds);
  for (auto model = options.models.begin(); model != options.models.end(); ++model) {
    if (model->name.empty()) model->name = words_of(model->options);
    model->options = on_facts(options, model->options);
    check_one(*model);
    for (auto other = options.models.begin(); other != model; ++other) check_pair(*other, *model);
  }
  return options;
}

}  // namespace orrery
