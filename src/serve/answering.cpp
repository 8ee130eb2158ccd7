#include "serve/answering.h"

#include <cmath>

#include "base/error.h"
#include "judge/calibration.h"
#include "serve/asked_scores.h"
#include "serve/when.h"
#include "serve/who.h"

namespace orrery {
namespace {

// What facts say of each answer.
class Marker {
 public:
  Marker(const StoredModel& model, const FactsAtHand* facts, const PredictOptions& options)
      : header_(model.header()),
        facts_(options.known == KnownAnswers::show ? nullptr : facts),
        timed_(knows_time(model)) {}

  void mark(const QuestionIds& question, Answers& answers) const {
    if (facts_ == nullptr) return;
    answers.looked_up = true;
    for (Answer& answer : answers.best) mark(question, answer);
  }

 private:
  void mark(const QuestionIds& question, Answer& answer) const {
    FactIds fact{question.subject, question.relation, question.object, question.time};
    switch (question.asked) {
      case AskedPart::subject:
        fact.subject = header_.entities.find(answer.name).value();
        break;
      case AskedPart::object:
        fact.object = header_.entities.find(answer.name).value();
        break;
      case AskedPart::relation:
        fact.relation = header_.relations.find(answer.name).value();
        break;
      case AskedPart::time:
        fact.time = {header_.times.find_row(answer.name).value()};
        break;
      case AskedPart::fact:
        break;
    }
    answer.known = known_fact(*facts_, fact.subject, fact.relation, fact.object, fact.time, timed_);
    const bool subject_seen =
        facts_->index.is_seen_with(fact.relation, Side::subject, fact.subject);
    const bool object_seen = facts_->index.is_seen_with(fact.relation, Side::object, fact.object);
    answer.seen = question.asked == AskedPart::subject  ? subject_seen
                  : question.asked == AskedPart::object ? object_seen
                                                        : subject_seen && object_seen;
  }

  const ModelHeader& header_;
  const FactsAtHand* facts_;
  bool timed_;
};

Answers named(const ModelHeader& header, const Calibration* calibration,
              const QuestionIds& question, const BestEntities& found) {
  Answers answers{
      .asked = std::string(name_of(question.asked)), .time = {}, .note = {}, .best = {}};
  const Direction direction =
      question.asked == AskedPart::subject ? Direction::subject : Direction::object;
  for (const ScoredEntity& one : found.best) {
    answers.best.push_back(
        {header.entities.name(one.entity), one.score, std::exp(one.score - found.log_sum)});
    if (calibration != nullptr)
      answers.best.back().calibrated =
          answer_probability(*calibration, direction, found.log_probability(one));
  }
  return answers;
}

Answers of_whole_facts(const StoredModel& model, Asker& asker, const AnswerAids& aids,
                       const QuestionIds& question, const AnswerLimits& limits, std::size_t top) {
  if (question.asked == AskedPart::time)
    return best_times(model, asker, aids, question, limits, top);
  if (question.asked == AskedPart::relation)
    return best_relations(model, asker, aids.facts, question, limits, top);
  return rated_fact(model, asker, aids.facts, aids.calibration, question);
}

}  // namespace

std::vector<Answers> answer(const StoredModel& model, Asker& asker, const AnswerAids& aids,
                            std::span<const Question> questions, const PredictOptions& options) {
  std::vector<QuestionIds> ids, who;
  std::vector<AnswerLimits> limits, limits_of_who;
  for (const Question& question : questions) {
    try {
      ids.push_back(ids_of(model, question, options.untrained));
      limits.emplace_back(model, aids.facts, ids.back(), options);
    } catch (const Error& error) {
      throw error.at(question.place);
    }
    if (!ids.back().asks_who()) continue;
    who.push_back(ids.back());
    limits_of_who.push_back(limits.back());
  }
  const auto entities = best_entities(model, asker, aids.facts, who, limits_of_who, options.top);
  const Marker marker(model, aids.facts, options);
  std::vector<Answers> answers;
  answers.reserve(questions.size());
  std::size_t next_who = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    answers.push_back(ids[i].asks_who()
                          ? named(model.header(), aids.calibration, ids[i], entities[next_who++])
                          : of_whole_facts(model, asker, aids, ids[i], limits[i], options.top));
    answers.back().time = ids[i].time_name;
    answers.back().note = ids[i].note;
    marker.mark(ids[i], answers.back());
  }
  return answers;
}

}  // namespace orrery
