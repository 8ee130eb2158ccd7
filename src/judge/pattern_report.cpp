#include "judge/pattern_report.h"

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "judge/report.h"
#include "page/text_table.h"

namespace orrery {

std::vector<PatternScore> score_patterns(std::span<const TestLabel> labels,
                                         const Judgement& judgement) {
  if (judgement.counts.size() != 2 * labels.size())
    fail_request(About{.advice = "are they of this data?"},
                 "the labels are of {} test facts, and {} were judged", labels.size(),
                 judgement.counts.size() / 2);
  std::vector<PatternScore> scores;
  for (const Pattern pattern : all_patterns) {
    MetricsSum sum;
    double reachable = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      if (labels[i].pattern != pattern) continue;
      sum.add(rank_of(judgement.counts[2 * i], TieRule::pessimistic));
      sum.add(rank_of(judgement.counts[2 * i + 1], TieRule::pessimistic));
      reachable += labels[i].reachable_object + labels[i].reachable_subject;
    }
    const Metrics metrics = sum.mean();
    if (metrics.count > 0)
      scores.push_back({pattern, metrics, reachable / static_cast<double>(metrics.count)});
  }
  return scores;
}

std::string pattern_table(std::span<const PatternScore> scores) {
  TextTable table({"pattern", "queries", "MRR", "reachable", "reached"});
  for (const PatternScore& score : scores)
    table.add({std::string(name_of(score.pattern)), grouped(score.metrics.count),
               percent(score.metrics.mrr), percent(score.reachable),
               percent(score.share()) + " %"});
  return table.text();
}

nlohmann::ordered_json patterns_json(std::span<const PatternScore> scores) {
  auto list = nlohmann::ordered_json::array();
  for (const PatternScore& score : scores) {
    nlohmann::ordered_json row = {{"pattern", name_of(score.pattern)}};
    row.update(metrics_json(score.metrics));
    row["reachable_mrr"] = score.reachable;
    list.push_back(row);
  }
  return list;
}

}  // namespace orrery
