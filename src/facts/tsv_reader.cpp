#include <utility>

#include "facts/record_reader.h"

namespace orrery {
namespace {

class TsvReader final : public RecordReader {
 public:
  explicit TsvReader(LineReader lines) : lines_(std::move(lines)) {}

  bool next(Record& record) override {
    if (!lines_.next()) return false;
    record.line = lines_.number();
    record.problem = nullptr;
    record.count = 0;
    const std::string_view line = without_line_end(lines_.text());
    std::size_t begin = 0;
    while (true) {
      const std::size_t tab = line.find('\t', begin);
      const std::size_t end = tab == std::string_view::npos ? line.size() : tab;
      if (record.count < Record::most_kept) {
        record.fields[record.count] = line.substr(begin, end - begin);
      }
      ++record.count;
      if (tab == std::string_view::npos) return true;
      begin = tab + 1;
    }
  }

 private:
  LineReader lines_;
};

}  // namespace

std::unique_ptr<RecordReader> read_tsv(LineReader lines) {
  return std::make_unique<TsvReader>(std::move(lines));
}

}  // namespace orrery
