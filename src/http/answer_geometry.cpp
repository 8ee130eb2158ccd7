// What a relation does to the embeddings of entities.
#include "http/answers.h"
#include "http/service.h"
#include "orrery/geometry.h"
#include "report/geometry.h"

namespace orrery {

HttpResponse answer_geometry(const Service& service, Given given, bool, RequestNotes& notes) {
  const FieldValues& one = given.front();
  ServedModel& served = service.model_named(one.text("model"));
  notes.model = served.name();
  const auto version = served.lend();
  const std::string time = one.text("time");
  nlohmann::ordered_json json = {{"model", served.name()}};
  if (!time.empty()) json["time"] = time;
  json.update(json_of(relation_geometry(version->model, one.text("relation"),
                                        {.time = time,
                                         .end = one.text("event") == "end",
                                         .top = static_cast<std::size_t>(one.whole("top")),
                                         .untrained = one.flag("untrained")})));
  return json_response(json);
}

}  // namespace orrery
