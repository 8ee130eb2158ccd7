#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "facts/formats.h"
#include "facts/json_objects.h"
#include "facts/json_paths.h"
#include "facts/memory_source.h"

namespace orrery {
namespace {

namespace json = simdjson::ondemand;
static_assert(JsonObjects::padding >= simdjson::SIMDJSON_PADDING);

constexpr std::size_t sampled_objects = 1000;
constexpr std::size_t sampled_bytes = std::size_t{16} << 20;
constexpr std::size_t deepest = 64;  // what lies deeper is no column
constexpr std::size_t most_titles = 10'000;

bool is_number(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t from = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at > from;
  };
  if (text.starts_with('-')) ++at;
  const std::size_t first = at;
  if (!digits() || (text[first] == '0' && at > first + 1)) return false;
  if (at < text.size() && text[at] == '.' && (++at, !digits())) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

// A value that is neither object nor array, as text; numbers as they are written.
simdjson::error_code scalar_text(json::value value, json::json_type type, std::string_view& text) {
  if (type == json::json_type::string) return value.get_string().get(text);
  text = value.raw_json_token();
  while (!text.empty() && is_json_space(text.back())) text.remove_suffix(1);
  const bool known = type == json::json_type::number ? is_number(text)
                     : type == json::json_type::null ? text == "null"
                                                     : text == "true" || text == "false";
  if (!known) return simdjson::TAPE_ERROR;
  if (type == json::json_type::null) text = {};
  return simdjson::SUCCESS;
}

class JsonReader final : public RecordReader {
 public:
  JsonReader(std::unique_ptr<ByteSource> bytes, std::string name)
      : objects_(std::move(bytes), std::move(name), JsonObjects::Inside::search) {
    sample();
    join_node("source_node");
    join_node("target_node");
    selected_.resize(paths_.titles().size());
    std::iota(selected_.begin(), selected_.end(), std::size_t{0});
    want();
  }

  std::span<const std::string> titles() const override { return paths_.titles(); }

  void select(std::span<const std::size_t> columns) override {
    selected_.assign(columns.begin(), columns.end());
    want();
  }

  bool next(Record& record) override {
    if (next_held_ < held_.size()) {
      if (next_held_ > 0) held_[next_held_ - 1].text = {};
      const Held& held = held_[next_held_++];
      deliver({held.text.data(), held.text.size() - JsonObjects::padding}, held, record);
      return true;
    }
    if (!objects_.next()) return tells_of_open_array(record);
    deliver(objects_.text(), {{}, objects_.number(), objects_.line(), objects_.cut_off()}, record);
    return true;
  }

 private:
  struct Held {
    std::string text;  // and padding
    std::uint64_t number = 0, line = 0;
    bool cut_off = false;
  };
  // A column whose text is another column's, looked up among the nodes.
  struct Joined {
    std::size_t column = 0, uuid_column = 0;
  };

  // The first objects say which columns there are, and are delivered later.
  void sample() {
    std::size_t bytes = 0;
    simdjson::error_code first_error = simdjson::SUCCESS;
    while (held_.size() < sampled_objects && bytes < sampled_bytes && objects_.next()) {
      held_.push_back(
          {std::string(objects_.text()), objects_.number(), objects_.line(), objects_.cut_off()});
      std::string& text = held_.back().text;
      bytes += text.size();
      text.append(JsonObjects::padding, '\0');
      json::document document;
      json::object object;
      // A damaged object is reported when its turn comes.
      if (open({text.data(), text.size() - JsonObjects::padding}, document, object)) {
        error_ = learn(object, paths_.root(), "", 0);
      }
      if (first_error == simdjson::SUCCESS) first_error = error_;
    }
    if (held_.empty() || !paths_.titles().empty()) return;
    const std::string why = first_error == simdjson::SUCCESS
                                ? ""
                                : fmt::format(" ({})", simdjson::error_message(first_error));
    fail_request(About{.place = {objects_.name(), held_.front().line},
                       .advice = "write each fact as an object, {\"subject\": \"Ada\", …}"},
                 "the JSON holds no objects with texts or numbers{}", why);
  }

  // The error is kept in error_.
  bool open(std::string_view text, json::document& document, json::object& object) {
    error_ =
        parser_.iterate(text.data(), text.size(), text.size() + JsonObjects::padding).get(document);
    if (error_ == simdjson::SUCCESS) error_ = document.get_object().get(object);
    return error_ == simdjson::SUCCESS;
  }

  simdjson::error_code learn(json::object object, std::size_t node, const std::string& path,
                             std::size_t depth) {
    for (auto each : object) {
      json::field field;
      std::string_view key;
      json::json_type type{};
      if (const auto error = std::move(each).get(field)) return error;
      if (const auto error = field.unescaped_key().get(key)) return error;
      json::value value = field.value();
      if (const auto error = value.type().get(type)) return error;
      if (type == json::json_type::array || paths_.titles().size() >= most_titles) continue;
      std::string child_path = path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
      const std::size_t child = paths_.add(node, key);
      if (type == json::json_type::object) {
        json::object inner;
        if (depth == deepest) continue;
        if (const auto error = value.get_object().get(inner)) return error;
        if (const auto error = learn(inner, child, child_path, depth + 1)) return error;
      } else {
        paths_.make_leaf(child, child_path);
      }
    }
    return simdjson::SUCCESS;
  }

  // Graphiti's edges name their nodes by uuid only; the nodes stand beside them.
  void join_node(const std::string& end) {
    const std::size_t uuid = paths_.column_titled(end + "_uuid");
    if (objects_.nodes().empty() || uuid == JsonPaths::none ||
        paths_.column_titled(end + "_name") != JsonPaths::none) {
      return;
    }
    if (name_of_node_.empty()) read_nodes();
    joined_.push_back({paths_.add_title(end + "_name"), uuid});
  }

  void read_nodes() {
    JsonReader nodes(std::make_unique<MemorySource>(objects_.nodes()), objects_.name());
    const std::size_t uuid = nodes.paths_.column_titled("uuid");
    const std::size_t name = nodes.paths_.column_titled("name");
    if (uuid == JsonPaths::none || name == JsonPaths::none) return;
    nodes.select(std::array{uuid, name});
    Record record;
    while (nodes.next(record)) {
      if (record.problem == nullptr && !record.fields[1].empty()) {
        name_of_node_.insert_or_assign(std::string(record.fields[0]), record.fields[1]);
      }
    }
  }

  void want() {
    wanted_.assign(paths_.titles().size(), false);
    for (const std::size_t column : selected_) wanted_[column] = true;
    for (const Joined& joined : joined_) {
      if (wanted_[joined.column]) wanted_[joined.uuid_column] = true;
    }
    values_.resize(paths_.titles().size());
  }

  void deliver(std::string_view text, const Held& about, Record& record) {
    record.line = about.number;
    record.problem = nullptr;
    record.fields.assign(selected_.size(), {});
    record.count = selected_.size();
    values_.assign(values_.size(), {});
    if (about.cut_off) return refuse("the file ends inside it", about, record);
    if (!text.starts_with('{')) return refuse("it is not an object", about, record);
    json::document document;
    json::object object;
    if (open(text, document, object)) error_ = read(object, paths_.root());
    if (error_ == simdjson::SUCCESS &&
        document.current_location().error() != simdjson::OUT_OF_BOUNDS) {
      error_ = simdjson::TRAILING_CONTENT;
    }
    if (error_ != simdjson::SUCCESS) {
      return refuse(simdjson::error_message(error_), about, record);
    }
    for (const Joined& joined : joined_) {
      if (!wanted_[joined.column]) continue;
      const auto found = name_of_node_.find(std::string(values_[joined.uuid_column]));
      values_[joined.column] = found != name_of_node_.end() ? std::string_view(found->second)
                                                            : values_[joined.uuid_column];
    }
    for (std::size_t i = 0; i < selected_.size(); ++i) record.fields[i] = values_[selected_[i]];
  }

  simdjson::error_code read(json::object object, std::size_t node) {
    std::size_t hint = 0;
    for (auto each : object) {
      json::field field;
      std::string_view key;
      json::json_type type{};
      if (const auto error = std::move(each).get(field)) return error;
      if (const auto error = field.unescaped_key().get(key)) return error;
      const std::size_t child = paths_.find(node, key, hint);
      if (child == JsonPaths::none) continue;
      json::value value = field.value();
      if (const auto error = value.type().get(type)) return error;
      const JsonPaths::Node& about = paths_.node(child);
      if (type == json::json_type::object) {
        json::object inner;
        if (about.keys.empty()) continue;
        if (const auto error = value.get_object().get(inner)) return error;
        if (const auto error = read(inner, child)) return error;
      } else if (type != json::json_type::array && about.column != JsonPaths::none &&
                 wanted_[about.column]) {
        if (const auto error = scalar_text(value, type, values_[about.column])) return error;
      }
    }
    return simdjson::SUCCESS;
  }

  // A bad line of its own, once: further facts may be lost.
  bool tells_of_open_array(Record& record) {
    if (!objects_.array_is_open() || std::exchange(told_, true)) return false;
    problem_ = "the file ends too early: its array is not closed";
    record.line = objects_.number() + 1;
    record.problem = problem_.c_str();
    record.count = 0;
    return true;
  }

  void refuse(std::string_view why, const Held& about, Record& record) {
    problem_ = objects_.by_lines()
                   ? fmt::format("the line is no JSON object ({})", why)
                   : fmt::format(
                         "the JSON value that begins in line {} is no object that can be "
                         "read ({})",
                         about.line, why);
    record.problem = problem_.c_str();
  }

  JsonObjects objects_;
  json::parser parser_;
  JsonPaths paths_;
  std::vector<Held> held_;
  std::size_t next_held_ = 0;
  bool told_ = false;  // that the array is not closed
  std::vector<Joined> joined_;
  std::unordered_map<std::string, std::string> name_of_node_;
  std::vector<std::size_t> selected_;
  std::vector<bool> wanted_;
  std::vector<std::string_view> values_;  // of the current object, by column
  std::string problem_;
  simdjson::error_code error_ = simdjson::SUCCESS;
};

}  // namespace

bool reads_json() { return true; }

std::unique_ptr<RecordReader> read_json(std::unique_ptr<ByteSource> bytes, std::string name) {
  return std::make_unique<JsonReader>(std::move(bytes), std::move(name));
}

}  // namespace orrery
