#include "data/relation_profile.h"

#include <algorithm>
#include <functional>
#include <span>
#include <tuple>

#include "data/moment_spans.h"

namespace orrery {
namespace {

// A fact as seen from one of its sides: who has which others, and when.
struct Link {
  std::int32_t relation, one, other;
  TimePoint start, end;

  bool same_one(const Link& link) const { return relation == link.relation && one == link.one; }
};

struct Means {
  std::uint64_t ones = 0;      // distinct
  std::uint64_t pairs = 0;     // distinct (one, other)
  std::uint64_t begins = 0;    // of links, after links of one pair that touch were joined
  std::uint64_t at_begin = 0;  // links that hold at these, in all
};

std::vector<Link> links_of(const TemporalGraph& data, bool from_subject) {
  const std::vector<Span> spans = moment_spans(data.times);
  std::vector<Link> links;
  links.reserve(data.facts[0].size() + data.facts[1].size() + data.facts[2].size());
  for (const Split split : all_splits) {
    for (const Fact& fact : data.split(split)) {
      const Span& valid = spans[static_cast<std::size_t>(fact.when)];
      links.push_back({fact.relation, from_subject ? fact.subject : fact.object,
                       from_subject ? fact.object : fact.subject, valid.start,
                       std::max(valid.start, valid.end)});
    }
  }
  std::ranges::sort(links, {}, [](const Link& l) {
    return std::tuple(l.relation, l.one, l.other, l.start, l.end);
  });
  return links;
}

// Links of one pair that overlap become one.
void join_links(std::span<const Link> links, std::vector<Link>& joined) {
  joined.clear();
  for (const Link& link : links) {
    if (!joined.empty() && joined.back().other == link.other && link.start <= joined.back().end)
      joined.back().end = std::max(joined.back().end, link.end);
    else
      joined.push_back(link);
  }
}

// What ends at a point and began before it no longer holds there.
std::uint64_t holding_at_begins(const std::vector<Link>& links, std::vector<TimePoint>& starts,
                                std::vector<TimePoint>& ends) {
  starts.clear();
  ends.clear();
  for (const Link& link : links) {
    starts.push_back(link.start);
    ends.push_back(link.start == link.end ? link.end + 1 : link.end);
  }
  std::ranges::sort(starts);
  std::ranges::sort(ends);
  std::uint64_t holding = 0;
  for (const TimePoint start : starts) {
    const auto begun = std::ranges::upper_bound(starts, start) - starts.begin();
    const auto over = std::ranges::upper_bound(ends, start) - ends.begin();
    holding += static_cast<std::uint64_t>(begun - over);
  }
  return holding;
}

std::vector<Means> means_of(const TemporalGraph& data, bool from_subject) {
  std::vector<Means> means(static_cast<std::size_t>(data.relations.size()));
  const std::vector<Link> links = links_of(data, from_subject);
  std::vector<Link> joined;
  std::vector<TimePoint> starts, ends;
  for (std::size_t begin = 0, end = 0; begin < links.size(); begin = end) {
    while (end < links.size() && links[end].same_one(links[begin])) ++end;
    join_links(std::span(links).subspan(begin, end - begin), joined);
    Means& of = means[static_cast<std::size_t>(links[begin].relation)];
    ++of.ones;
    for (std::size_t i = 0; i < joined.size(); ++i)
      if (i == 0 || joined[i].other != joined[i - 1].other) ++of.pairs;
    of.begins += joined.size();
    of.at_begin += holding_at_begins(joined, starts, ends);
  }
  return means;
}

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::string Cardinality::name() const {
  constexpr double many = 1.5;
  return std::string(subjects < many ? "one" : "many") + "-to-" + (objects < many ? "one" : "many");
}

std::vector<RelationProfile> profile_relations(const TemporalGraph& data) {
  const std::vector<Means> of_subjects = means_of(data, true), of_objects = means_of(data, false);
  std::vector<RelationProfile> profiles(of_subjects.size());
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    const Means &subject = of_subjects[i], &object = of_objects[i];
    profiles[i] = {
        .relation = static_cast<std::int32_t>(i),
        .subjects = static_cast<std::int32_t>(subject.ones),
        .objects = static_cast<std::int32_t>(object.ones),
        .at_one_time = {ratio(subject.at_begin, subject.begins),
                        ratio(object.at_begin, object.begins)},
        .over_all_time = {ratio(subject.pairs, subject.ones), ratio(object.pairs, object.ones)}};
  }
  for (const Split split : all_splits)
    for (const Fact& fact : data.split(split))
      ++profiles[static_cast<std::size_t>(fact.relation)].facts;
  std::ranges::stable_sort(profiles, std::greater(), &RelationProfile::facts);
  return profiles;
}

}  // namespace orrery
