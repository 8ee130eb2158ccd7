#include "engine/ranking.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"

namespace orrery {

void fail_unrankable(std::size_t question) {
  fail_model(About{.option = "lr",
                   .advice = worded("train again with a smaller $lr or a larger $lambda-n3")},
             "a score is not a finite number (question {}): the model has diverged", question);
}

std::vector<std::size_t> asking_order(std::span<const QueryPair> queries, Candidates candidates) {
  std::vector<std::size_t> order(queries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (candidates == Candidates::each_time)
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return queries[i].first.time; });
  return order;
}

std::vector<QueryPair> queries_of(std::span<const RankQuestion> questions) {
  std::vector<QueryPair> queries;
  queries.reserve(questions.size());
  for (const RankQuestion& question : questions) queries.push_back(question.queries);
  return queries;
}

}  // namespace orrery
