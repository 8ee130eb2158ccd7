#include "page/report_plain.h"

#include <algorithm>
#include <numeric>

#include "page/plot.h"
#include "page/report_check.h"
#include "page/report_text.h"
#include "page/text_table.h"
#include "page/text_width.h"

namespace orrery {
namespace {

constexpr std::size_t narrowest_cell = 8;

std::string clean(std::string_view text) {
  std::string line = valid_utf8(text);
  std::ranges::replace(line, '\t', ' ');
  return printable(line);
}

class PlainPage {
 public:
  explicit PlainPage(const TextForm& form) : form_(form) {}

  void add(const Heading& heading) {
    text_ += (text_.empty() ? "" : "\n") + clean(heading.text) + "\n";
  }

  void add(const Paragraph& paragraph) {
    std::string words = clean(paragraph.text);
    std::erase(words, '`');
    text_ += wrapped(words);
  }

  void add(const Table& table) {
    if (!table.caption.empty()) text_ += wrapped(clean(table.caption));
    Rows rows = {table.columns};
    rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    for (auto& row : rows)
      for (auto& cell : row) cell = clean(cell);
    narrow(rows);
    TextTable shown(rows.front());
    for (std::size_t r = 1; r < rows.size(); ++r) shown.add(rows[r]);
    text_ += shown.text();
  }

  void add(const Plot& plot) {
    const bool drawn = plot.kind == Plot::Kind::bars && plot.series.size() == 1;
    if (!drawn) {
      Table points = points_table(plot);
      points.caption = plot.caption;
      return add(points);
    }
    if (!plot.caption.empty()) text_ += wrapped(clean(plot.caption));
    const auto mark = [&](std::size_t i) {
      return i < plot.x.marks.size() ? clean(plot.x.marks[i].text) : std::string();
    };
    const std::vector<double>& values = plot.series.front().y;
    if (!values.empty()) text_ += bar_plot(values, mark(0), mark(values.size() - 1), form_);
  }

  std::string take() { return std::move(text_); }

 private:
  using Rows = std::vector<std::vector<std::string>>;

  // Words are never broken: a path or a command stays whole.
  std::string wrapped(std::string_view words) const {
    if (!form_.wraps) return std::string(words) + '\n';
    std::string text, line;
    while (!words.empty()) {
      const std::size_t end = std::min(words.find(' '), words.size());
      const std::string_view word = words.substr(0, end);
      words.remove_prefix(std::min(end + 1, words.size()));
      if (!line.empty() && columns_of(line) + 1 + columns_of(word) > form_.columns) {
        text += line + '\n';
        line.clear();
      }
      line += (line.empty() ? "" : " ") + std::string(word);
    }
    return text + line + '\n';
  }

  static std::vector<std::size_t> widths_of(const Rows& rows) {
    std::vector<std::size_t> widths(rows.front().size());
    for (const auto& row : rows)
      for (std::size_t c = 0; c < row.size(); ++c)
        widths[c] = std::max(widths[c], columns_of(row[c]));
    return widths;
  }

  std::size_t too_wide_by(const std::vector<std::size_t>& widths) const {
    const std::size_t all = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
    return all > form_.columns ? all - form_.columns : 0;
  }

  // Titles go on two lines first; then the names of the first column and the words of the last are
  // cut. Numbers stay whole.
  void narrow(Rows& rows) const {
    if (!form_.wraps || too_wide_by(widths_of(rows)) == 0) return;
    std::vector<std::string> below = rows.front();
    for (std::size_t c = 0; c < below.size(); ++c) {
      const std::size_t space = below[c].rfind(' ');
      if (space == std::string::npos) {
        rows.front()[c].clear();
      } else {
        rows.front()[c].resize(space);
        below[c].erase(0, space + 1);
      }
    }
    rows.insert(rows.begin() + 1, std::move(below));
    auto widths = widths_of(rows);
    for (std::size_t over = too_wide_by(widths); over > 0; --over) {
      std::size_t& widest = widths.front() >= widths.back() ? widths.front() : widths.back();
      if (widest <= narrowest_cell) break;
      --widest;
    }
    for (auto& row : rows)
      for (std::size_t c = 0; c < row.size(); ++c) row[c] = fitted_text(row[c], widths[c]);
  }

  TextForm form_;
  std::string text_;
};

}  // namespace

std::string report_plain(const Report& report, const TextForm& form) {
  check_report(report);
  PlainPage page(form);
  if (!report.title.empty()) page.add(Heading{report.title});
  for (const Block& block : report.blocks)
    std::visit([&](const auto& one) { page.add(one); }, block);
  return page.take();
}

}  // namespace orrery
