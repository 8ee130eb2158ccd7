#include "data/activity.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace orrery {
namespace {

enum Kind : std::size_t {
  same_two,
  same_two_reversed,
  same_fact,
  same_fact_reversed,
  subject_with_relation,
  object_with_relation,
  subject_as_subject,
  object_as_object,
  object_as_subject,
  subject_as_object,
  relation_of_anyone
};
constexpr std::array<std::string_view, Activity::kinds> names = {
    "subject to object, by any relation",
    "object to subject, by any relation",
    "the fact itself",
    "the fact reversed",
    "the subject with the relation",
    "the object with the relation",
    "the subject, as a subject",
    "the object, as an object",
    "the object, as a subject",
    "the subject, as an object",
    "the relation, of anyone"};
constexpr std::array<ActivityWindow, Activity::windows> distances = {
    {{0, 0}, {1, 1}, {2, 3}, {4, 7}, {8, 15}, {16, 31}}};
// What is added to counts, so that no fact is not infinitely less than one.
constexpr double smoothing = 0.05;

}  // namespace

std::string_view activity_name(std::size_t kind) { return names.at(kind); }
ActivityWindow activity_window(std::size_t window) { return distances.at(window); }

Activity::Activity(const FactIndex& index, std::int32_t times, std::int32_t subject,
                   std::int32_t relation, std::int32_t object)
    : times_(times) {
  for (auto& before : before_) before.assign(static_cast<std::size_t>(times) + 1, 0);
  const auto of_train = [&](std::int32_t entity, Side side, const auto& note) {
    for (const FactIndex::Entry& entry : index.facts_of(entity, side))
      if (entry.split == Split::train) note(entry, entry.relation == relation);
  };
  of_train(subject, Side::subject, [&](const FactIndex::Entry& entry, bool related) {
    count(subject_as_subject, entry.when);
    if (related) count(subject_with_relation, entry.when);
    if (entry.other != object) return;
    count(same_two, entry.when);
    if (related) count(same_fact, entry.when);
  });
  of_train(subject, Side::object, [&](const FactIndex::Entry& entry, bool related) {
    count(subject_as_object, entry.when);
    if (entry.other != object) return;
    count(same_two_reversed, entry.when);
    if (related) count(same_fact_reversed, entry.when);
  });
  of_train(object, Side::object, [&](const FactIndex::Entry& entry, bool related) {
    count(object_as_object, entry.when);
    if (related) count(object_with_relation, entry.when);
  });
  of_train(object, Side::subject,
           [&](const FactIndex::Entry& entry, bool) { count(object_as_subject, entry.when); });
  for (const std::int32_t when : index.moments_of(relation)) count(relation_of_anyone, when);
  for (auto& before : before_) std::partial_sum(before.begin(), before.end(), before.begin());
}

void Activity::count(std::size_t kind, std::int32_t time) {
  ++before_[kind][static_cast<std::size_t>(time) + 1];
}

std::int32_t Activity::facts_in(std::size_t kind, std::int32_t first, std::int32_t last) const {
  const auto place = [&](std::int32_t time) {
    return static_cast<std::size_t>(std::clamp(time, 0, times_));
  };
  return before_[kind][place(last + 1)] - before_[kind][place(first)];
}

Activity::Features Activity::at(std::int32_t time) const {
  Features found;
  for (std::size_t w = 0; w < windows; ++w) {
    const auto [nearest, farthest] = distances[w];
    const auto width = [&](std::int32_t first, std::int32_t last) {
      return std::clamp(last + 1, 0, times_) - std::clamp(first, 0, times_);
    };
    std::int32_t wide = width(time + nearest, time + farthest);
    if (nearest > 0) wide += width(time - farthest, time - nearest);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      std::int32_t facts = facts_in(kind, time + nearest, time + farthest);
      if (nearest > 0) facts += facts_in(kind, time - farthest, time - nearest);
      const double usual = static_cast<double>(before_[kind].back()) * wide / times_;
      found[kind * windows + w] = std::log((facts + smoothing) / (usual + smoothing));
    }
  }
  return found;
}

}  // namespace orrery
