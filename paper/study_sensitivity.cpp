// How much the weights and the dimension matter: one option varied, all others as in the paper.
#include <fmt/format.h>

#include <algorithm>

#include "page/text_table.h"
#include "page/ticks.h"
#include "paper/studies.h"
#include "paper/study_report.h"

namespace orrery {
namespace {

struct Point {
  double x = 0;
  const CompareRow* row = nullptr;
  Statistics valid;
};

struct Panel {
  std::string title;   // "ICEWS14, lambda-n3"
  std::string option;  // which is varied
  double chosen = 0;   // by the paper, whatever the runs were changed to
  std::vector<Point> points;
};

std::vector<Panel> panels_of(const StudyRuns& runs) {
  std::vector<Panel> panels;
  for (std::size_t i = 0; i < runs.plan.sets.size(); ++i)
    for (const StudyRow& row : runs.plan.sets[i].rows) {
      const std::string title = fmt::format("{}, {}", runs.plan.sets[i].title, row.name);
      auto panel = std::ranges::find(panels, title, &Panel::title);
      if (panel == panels.end())
        panel = panels.insert(panels.end(),
                              {title, row.name, number_of_option(row.published, row.name), {}});
      const double x = number_of_option(row.options, row.name);
      const CompareRow* measured = runs.measured(i, row);
      if (measured != nullptr &&
          std::ranges::find(panel->points, x, &Point::x) == panel->points.end())
        panel->points.push_back({x, measured, statistics_of(valid_mrrs(*measured))});
    }
  for (Panel& panel : panels) std::ranges::sort(panel.points, {}, &Point::x);
  std::erase_if(panels, [](const Panel& panel) { return panel.points.empty(); });
  return panels;
}

Table summary(const std::vector<Panel>& panels, std::int64_t seeds) {
  Table table{"What the paper chose and what validation chooses here, with their test MRR",
              {"set and option", "paper's choice", "its test MRR", "best on validation",
               "its test MRR", "lowest and highest test MRR"},
              {}};
  for (const Panel& panel : panels) {
    const auto test = [](const Point& point) { return point.row->mean.mrr; };
    const auto best = std::ranges::max_element(panel.points, {},
                                               [](const Point& point) { return point.valid.mean; });
    const auto chosen = std::ranges::find(panel.points, panel.chosen, &Point::x);
    const auto [low, high] = std::ranges::minmax(panel.points, {}, test);
    table.rows.push_back(
        {panel.title, fmt::format("{}", panel.chosen),
         chosen == panel.points.end() ? no_figure : score_cell(*chosen->row, &Scores::mrr, seeds),
         fmt::format("{}", best->x), score_cell(*best->row, &Scores::mrr, seeds),
         fmt::format("{:.2f} … {:.2f}", 100 * test(low), 100 * test(high))});
  }
  return table;
}

Plot plot_of(const Panel& panel) {
  std::vector<double> values;
  for (const Point& point : panel.points) values.push_back(point.x);
  Plot plot{
      panel.title, Plot::Kind::line, {panel.option, grow_by_factors(values)}, {"MRR, percent"}, {}};
  Series valid{"validation", {}, {}}, test{"test", {}, {}};
  for (const Point& point : panel.points) {
    for (Series* series : {&valid, &test}) series->x.push_back(point.x);
    valid.y.push_back(100 * point.valid.mean);
    test.y.push_back(100 * point.row->mean.mrr);
    if (point.row->runs.size() < 2) continue;
    valid.deviation.push_back(100 * point.valid.deviation);
    test.deviation.push_back(100 * point.row->deviation.mrr);
  }
  // While a study goes on some points have a seed more than others.
  for (Series* series : {&valid, &test})
    if (series->deviation.size() < series->y.size()) series->deviation.clear();
  plot.series = {std::move(valid), std::move(test)};
  return plot;
}

}  // namespace

StudyOutcome sensitivity_study(const StudyRuns& runs, const StudyContext&) {
  Report report = opened_report("Sensitivity: weights and dimension", runs);
  report.blocks.emplace_back(Paragraph{
      "`dim` counts the real numbers of an embedding; the paper's dimension of 2,000 is 4,000 of "
      "them, and whether the 500 to 8,000 of its figure are counted so, it does not say. The "
      "curves of the paper are published without figures."});
  const auto panels = panels_of(runs);
  report.blocks.emplace_back(summary(panels, runs.seeds));
  for (const Panel& panel : panels) report.blocks.emplace_back(plot_of(panel));
  return {std::move(report), {}};
}

}  // namespace orrery
