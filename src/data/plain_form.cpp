#include "data/plain_form.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "data/csv_field.h"
#include "data/new_files.h"
#include "data/split_files.h"
#include "facts/packed_bytes.h"

namespace orrery {
namespace {

namespace fs = std::filesystem;

bool has_breaks(const Vocabulary& names) {
  return std::ranges::any_of(names.names(), [](const std::string& name) {
    return name.find_first_of("\t\n\r") != std::string::npos;
  });
}

class Writer {
 public:
  explicit Writer(PlainForm form) : csv_(form == PlainForm::csv) {}

  void name(std::string_view field) {
    if (csv_)
      append_csv_field(text_, field);
    else
      text_ += field;
    text_ += csv_ ? ',' : '\t';
  }
  void last(std::string_view field) {
    text_ += field;
    text_ += '\n';
  }
  // "start\tend" of an interval
  void when(std::string_view dates) {
    const std::size_t tab = dates.find('\t');
    if (tab != std::string_view::npos) {
      text_ += dates.substr(0, tab);
      text_ += csv_ ? ',' : '\t';
      dates.remove_prefix(tab + 1);
    }
    last(dates);
  }
  std::string take() { return std::move(text_); }

 private:
  bool csv_;
  std::string text_;
};

void require_one_split(const TemporalGraph& data) {
  if (!data.split(Split::valid).empty() || !data.split(Split::test).empty())
    fail_request(About{.advice = "name a directory for the result"},
                 "one file cannot hold train, valid and test");
}

PlainForm form_of(const TemporalGraph& data, const fs::path& file) {
  const std::string ending = unpacked_name(file).extension().string();
  if (ending == ".csv") return PlainForm::csv;
  if (ending != ".tsv" && ending != ".txt" && !ending.empty())
    fail_request(
        About{.place = {file.string()},
              .advice = "name a file that ends in .csv, .tsv or .txt, and in .gz or .zst after it"},
        "facts are not written as {}", ending);
  if (!fits_tsv(data))
    fail_request(About{.place = {file.string()}, .advice = "name a file that ends in .csv"},
                 "a name holds a TAB or the end of a line, which only CSV can keep");
  return PlainForm::tsv;
}

// A second file for a split would leave nobody sure which of them is meant.
void refuse_other_files(const fs::path& directory, std::span<const NewFile> files) {
  std::error_code error;
  if (!fs::exists(directory, error) || fs::is_empty(directory, error)) return;
  std::array<std::optional<fs::path>, 3> found;
  try {
    found = find_split_files(directory);
  } catch (const Error&) {
    return;  // there is no train: write_new_files sees to the rest
  }
  for (const auto& file : found) {
    if (!file) continue;
    const std::string name = file->filename().string();
    if (std::ranges::none_of(files, [&](const NewFile& one) { return one.name == name; }))
      fail_request(About{.place = {file->string()}, .advice = "name another directory"},
                   "is a split already, and another file beside it would be one too");
  }
}

}  // namespace

bool fits_tsv(const TemporalGraph& data) {
  return !has_breaks(data.entities) && !has_breaks(data.relations);
}

std::string facts_text(const TemporalGraph& data, std::span<const Split> splits, PlainForm form,
                       bool header) {
  Writer writer(form);
  if (header) {
    for (const char* title : {"subject", "relation", "object"}) writer.name(title);
    writer.when(data.times.intervals ? "start\tend" : "time");
  }
  for (const Split split : splits) {
    for (const Fact& fact : data.split(split)) {
      writer.name(data.entities.name(fact.subject));
      writer.name(data.relations.name(fact.relation));
      writer.name(data.entities.name(fact.object));
      writer.when(data.times.moment_names.at(static_cast<std::size_t>(fact.when)));
    }
  }
  return writer.take();
}

std::string facts_text(const TemporalGraph& data) {
  require_one_split(data);
  return facts_text(data, all_splits, fits_tsv(data) ? PlainForm::tsv : PlainForm::csv, true);
}

fs::path write_facts(const TemporalGraph& data, const fs::path& file) {
  require_one_split(data);
  const std::string name = file.filename().string();
  const NewFile files[] = {
      {name, packed_for(file, facts_text(data, all_splits, form_of(data, file), true))}};
  return write_new_files(files, file.has_parent_path() ? file.parent_path() : ".").front();
}

std::vector<fs::path> write_titled_splits(const TemporalGraph& data, const fs::path& directory) {
  const PlainForm form = fits_tsv(data) ? PlainForm::tsv : PlainForm::csv;
  std::vector<std::string> names;
  for (const Split split : all_splits)
    names.push_back(std::string(name_of(split)) + (form == PlainForm::csv ? ".csv" : ".tsv"));
  std::vector<NewFile> files;
  for (const Split split : all_splits)
    if (!data.split(split).empty())
      files.push_back({names[static_cast<std::size_t>(split)],
                       facts_text(data, std::span(&split, 1), form, true)});
  refuse_other_files(directory, files);
  return write_new_files(files, directory);
}

}  // namespace orrery
