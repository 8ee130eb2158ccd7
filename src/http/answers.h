// What each endpoint of the table answers.
#pragma once

#include <span>

#include "http/endpoints.h"
#include "orrery/predict.h"

namespace orrery {

using Given = std::span<const FieldValues>;

// The parts of a fact among the fields.
Question question_of(const FieldValues& given);

HttpResponse answer_health(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_ready(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_metrics(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_openapi(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_info(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_entities(const Service& service, Given given, bool is_list,
                             RequestNotes& notes);
HttpResponse answer_relations(const Service& service, Given given, bool is_list,
                              RequestNotes& notes);
HttpResponse answer_times(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_neighbours(const Service& service, Given given, bool is_list,
                               RequestNotes& notes);
HttpResponse answer_explain(const Service& service, Given given, bool is_list, RequestNotes& notes);
HttpResponse answer_geometry(const Service& service, Given given, bool is_list,
                             RequestNotes& notes);
HttpResponse answer_predict(const Service& service, Given given, bool is_list, RequestNotes& notes);

}  // namespace orrery
