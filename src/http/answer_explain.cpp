// Why a model gives a fact its score.
#include "http/answers.h"
#include "http/service.h"
#include "orrery/explain.h"
#include "report/explanation.h"

namespace orrery {

HttpResponse answer_explain(const Service& service, Given given, bool, RequestNotes& notes) {
  const FieldValues& one = given.front();
  ServedModel& served = service.model_named(one.text("model"));
  notes.model = served.name();
  notes.questions = 1;
  const auto version = served.lend();
  if (!version->facts)
    throw Problem{422, "this server does not have the facts that the model was trained on", "model",
                  "start it where they are, and without --no-facts"};
  nlohmann::ordered_json json = {{"model", served.name()}};
  json.update(json_of(explain(version->model, *version->facts, question_of(one),
                              {.top = static_cast<std::size_t>(one.whole("top")),
                               .neighbours = static_cast<std::size_t>(one.whole("neighbours")),
                               .any_link = one.flag("any_link")})));
  return json_response(json);
}

}  // namespace orrery
