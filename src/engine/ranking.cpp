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

std::vector<std::size_t> ranking_order(std::span<const RankQuestion> questions,
                                       Candidates candidates) {
  std::vector<std::size_t> order(questions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (candidates == Candidates::each_time)
    std::ranges::stable_sort(order, {},
                             [&](std::size_t i) { return questions[i].queries.first.time; });
  return order;
}

}  // namespace orrery
