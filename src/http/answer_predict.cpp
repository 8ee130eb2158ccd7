// Questions to a model.
#include <algorithm>

#include "http/answers.h"
#include "http/service.h"
#include "report/answers.h"

namespace orrery {

Question question_of(const FieldValues& given) {
  return {.subject = given.text("subject"),
          .relation = given.text("relation"),
          .object = given.text("object"),
          .time = given.text("time"),
          .place = {}};
}

namespace {

PredictOptions options_of(const FieldValues& given) {
  return {.top = static_cast<std::size_t>(given.whole("top")),
          .known = known_answers_named(given.text("known")),
          .seen_only = given.text("type") == "seen",
          .only = given.texts("only"),
          .without = given.texts("without"),
          .untrained = given.flag("untrained")};
}

nlohmann::ordered_json json_of_outcome(const std::string& model, const Question& question,
                                       const Outcome& outcome) {
  nlohmann::ordered_json json = {{"model", model}};
  json.update(json_of(question, outcome.answers));
  return json;
}

// Those of a list that ask the same model in the same way, by their places.
struct Group {
  ServedModel* model;
  PredictOptions options;
  std::vector<std::size_t> places;
  std::vector<Question> questions;
};

std::vector<Group> groups_of(const Service& service, Given given) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < given.size(); ++i) {
    ServedModel& model = service.model_named(given[i].text("model"));
    const PredictOptions options = options_of(given[i]);
    auto group = std::ranges::find_if(groups, [&](const Group& one) {
      return one.model == &model && one.options.top == options.top &&
             asked_alike(one.options, options);
    });
    if (group == groups.end()) group = groups.insert(group, {&model, options, {}, {}});
    group->places.push_back(i);
    group->questions.push_back(question_of(given[i]));
  }
  return groups;
}

}  // namespace

HttpResponse answer_predict(const Service& service, Given given, bool is_list,
                            RequestNotes& notes) {
  std::vector<nlohmann::ordered_json> answered(given.size());
  notes.questions = given.size();
  for (const Group& group : groups_of(service, given)) {
    const std::string& name = group.model->name();
    notes.model = notes.model.empty() || notes.model == name ? name : "several";
    const auto version = group.model->lend();
    const auto outcomes = version->batcher.ask(group.questions, group.options);
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const auto& error = outcomes[i].error;
      if (error && error->kind() != Error::Kind::request) service.tell_fault(error->what());
      if (error && !is_list) throw problem_of(*error);
      answered[group.places[i]] = error ? json_of(problem_of(*error))
                                        : json_of_outcome(name, group.questions[i], outcomes[i]);
    }
  }
  return json_response(is_list ? nlohmann::ordered_json(std::move(answered))
                               : std::move(answered.front()));
}

}  // namespace orrery
