#include "engine/ranking.h"

#include "base/error.h"

namespace orrery {

void fail_unrankable(std::size_t question) {
  fail_broken(
      "a score is not a finite number (question {}): the model has diverged; train again "
      "with a smaller --lr or a larger --lambda-n3",
      question);
}

}  // namespace orrery
