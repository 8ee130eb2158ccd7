#include "option_adder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <variant>

namespace orrery {
namespace {

bool is_in(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool is_among(const ShownOptions& shown, const OptionInfo& info) {
  if (is_in(shown.left_out, info.name)) return false;
  return (shown.about.empty() && shown.names.empty()) || is_in(shown.names, info.name) ||
         std::ranges::find(shown.about, info.about) != shown.about.end();
}

std::string group_of(OptionAbout about) {
  std::string name(name_of(about));
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return name;
}

struct TypeName {
  const char* operator()(bool) const { return ""; }
  const char* operator()(std::int64_t) const { return "INT"; }
  const char* operator()(std::uint64_t) const { return "UINT"; }
  const char* operator()(double) const { return "FLOAT"; }
  const char* operator()(const std::string&) const { return "TEXT"; }
  const char* operator()(const std::vector<std::string>&) const { return "NAME,NAME…"; }
};

std::string type_name_of(const OptionInfo& info) {
  if (info.name == "data") return "PATH";
  if (info.name == "model") return "MODEL";
  std::vector<std::string> values = info.values;
  std::erase(values, "");
  return values.empty() ? std::visit(TypeName(), info.default_value)
                        : fmt::format("{}", fmt::join(values, "|"));
}

// What is no value of the option is refused here, whatever the verb does with it.
void keep(OptionChanges& typed, const std::string& name, const std::string& text) {
  TrainOptions tried;
  set_option(tried, name, text);
  typed.emplace_back(name, text);
}

CLI::Option* add_option(CLI::App& verb, OptionChanges& typed, const OptionInfo& info) {
  const std::string flag = "--" + info.name, &name = info.name;
  if (std::holds_alternative<bool>(info.default_value))
    return verb.add_flag_function(
        flag,
        [&typed, name](std::int64_t count) { keep(typed, name, count > 0 ? "true" : "false"); },
        info.sentence);
  if (std::holds_alternative<std::vector<std::string>>(info.default_value))
    return verb
        .add_option_function<std::vector<std::string>>(
            flag,
            [&typed, name](const std::vector<std::string>& values) {
              keep(typed, name, fmt::format("{}", fmt::join(values, ",")));
            },
            info.sentence)
        ->delimiter(',');
  return verb.add_option_function<std::string>(
      flag, [&typed, name](const std::string& text) { keep(typed, name, text); }, info.sentence);
}

}  // namespace

void add_options(CLI::App& verb, OptionChanges& typed, const ShownOptions& shown) {
  for (const OptionInfo& info : option_table()) {
    if (!is_among(shown, info)) continue;
    CLI::Option* option = add_option(verb, typed, info)->group(group_of(info.about));
    if (std::holds_alternative<bool>(info.default_value)) continue;
    option->type_name(type_name_of(info));
    if (shown.defaults_shown) option->default_str(option_text(shown.defaults, info.name));
  }
}

void add_machine_options(CLI::App& verb, OptionChanges& typed, const std::string& device) {
  add_options(verb, typed,
              {.names = {"device", "threads", "memory"}, .defaults = {.device = device}});
}

MachineOptions machine_options(const OptionChanges& typed, const std::string& device) {
  TrainOptions options{.device = device};
  set_options(options, typed);
  check_options(options);
  return {.device = options.device, .threads = options.threads, .memory = options.memory};
}

CLI::Option* add_no_verify(CLI::App& verb, bool& verify) {
  return verb.add_flag_callback(
      "--no-verify", [&verify] { verify = false; },
      "do not compare the file's checksums: for huge models on trusted disks");
}

void add_json(CLI::App& verb, bool& json) { verb.add_flag("--json", json, "print JSON"); }

CLI::Validator whole_number() {
  return {[](const std::string& text) {
            std::uint64_t number = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            return error == std::errc() && stop == end
                       ? std::string()
                       : fmt::format("'{}' is not a whole number from 0 to {}", text,
                                     std::numeric_limits<std::uint64_t>::max());
          },
          ""};
}

}  // namespace orrery
