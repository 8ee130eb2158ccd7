#include <nanobind/ndarray.h>

#include <cmath>

#include "bindings.h"

namespace orrery::python {
namespace {

// Many questions, and their answers.
struct AnswersBatch {
  std::vector<Answers> answers;
};

struct Asking {
  PredictOptions options;

  Asking(std::size_t top, const std::string& known, bool seen_only, std::vector<std::string> only,
         std::vector<std::string> without, bool untrained) {
    options.top = top;
    options.known = known_answers_named(known);
    options.seen_only = seen_only;
    options.only = std::move(only);
    options.without = std::move(without);
    options.untrained = untrained;
  }
};

nb::object known_of(const Answers& answers, const Answer& answer) {
  if (!answers.looked_up || !answer.known) return nb::none();
  nb::dict known;
  known["split"] = std::string(name_of(answer.known->split));
  known["now"] = answer.known->now;
  known["time"] = answer.known->time;
  return known;
}

nb::object calibrated_of(const Answer& answer) {
  return std::isnan(answer.calibrated) ? nb::none() : nb::object(nb::float_(answer.calibrated));
}

// (name, score, probability, calibrated, known, seen)
nb::list rows_of(const Answers& answers) {
  nb::list rows;
  for (const Answer& answer : answers)
    rows.append(
        nb::make_tuple(answer.name, answer.score, answer.probability, calibrated_of(answer),
                       known_of(answers, answer),
                       answers.looked_up ? nb::object(nb::bool_(answer.seen)) : nb::none()));
  return rows;
}

nb::list curve_of(const Answers& answers) {
  nb::list curve;
  for (const TimeScore& point : answers.curve)
    curve.append(nb::make_tuple(point.time, point.score, point.probability));
  return curve;
}

nb::object interval_of(const Answers& answers) {
  if (!answers.interval) return nb::none();
  return nb::make_tuple(answers.interval->start, answers.interval->end);
}

const Answers& at(const AnswersBatch& batch, std::size_t i) {
  if (i >= batch.answers.size()) throw nb::index_error();
  return batch.answers[i];
}

// One row an answer, as columns.
nb::dict columns_of(const AnswersBatch& batch) {
  nb::list question, rank, name, score, probability, calibrated, known;
  for (std::size_t i = 0; i < batch.answers.size(); ++i) {
    std::size_t place = 0;
    for (const Answer& answer : batch.answers[i]) {
      question.append(i);
      rank.append(++place);
      name.append(answer.name);
      score.append(answer.score);
      probability.append(answer.probability);
      calibrated.append(calibrated_of(answer));
      known.append(batch.answers[i].looked_up && answer.known
                       ? nb::object(nb::cast(std::string(name_of(answer.known->split))))
                       : nb::none());
    }
  }
  nb::dict columns;
  columns["question"] = question;
  columns["rank"] = rank;
  columns["name"] = name;
  columns["score"] = score;
  columns["probability"] = probability;
  columns["calibrated"] = calibrated;
  columns["known"] = known;
  return columns;
}

std::string part_at(const nb::object& column, std::size_t i) {
  if (column.is_none()) return {};
  const nb::object value = column[i];
  return value.is_none() ? std::string() : nb::cast<std::string>(value);
}

AnswersBatch predict_many(const Model& model, std::size_t count, const nb::object& subjects,
                          const nb::object& relations, const nb::object& objects,
                          const nb::object& times, const Asking& asking) {
  std::vector<Question> questions(count);
  for (std::size_t i = 0; i < count; ++i) {
    questions[i].subject = part_at(subjects, i);
    questions[i].relation = part_at(relations, i);
    questions[i].object = part_at(objects, i);
    questions[i].time = part_at(times, i);
    questions[i].place = {"question", i + 1};
  }
  const nb::gil_scoped_release no_gil;
  return {model.predict(questions, asking.options)};
}

}  // namespace

void bind_answers(nb::module_& module) {
  nb::class_<Asking>(module, "Asking")
      .def(nb::init<std::size_t, const std::string&, bool, std::vector<std::string>,
                    std::vector<std::string>, bool>(),
           nb::arg("top"), nb::arg("known"), nb::arg("seen_only"), nb::arg("only"),
           nb::arg("without"), nb::arg("untrained"));
  nb::class_<Answers>(module, "Answers")
      .def("__len__", &Answers::size)
      .def_ro("asked", &Answers::asked)
      .def_ro("time", &Answers::time)
      .def_ro("note", &Answers::note)
      .def_ro("looked_up", &Answers::looked_up)
      .def("rows", &rows_of)
      .def("curve", &curve_of)
      .def("interval", &interval_of);
  nb::class_<AnswersBatch>(module, "AnswersBatch")
      .def("__len__", [](const AnswersBatch& batch) { return batch.answers.size(); })
      .def("at", &at, nb::arg("i"), nb::rv_policy::reference_internal)
      .def("columns", &columns_of);
  module.def(
      "predict",
      [](const Model& model, const std::string& subject, const std::string& relation,
         const std::string& object, const std::string& time, const Asking& asking) {
        return model.predict(Question{subject, relation, object, time, {}}, asking.options);
      },
      nb::arg("model"), nb::arg("subject"), nb::arg("relation"), nb::arg("object"), nb::arg("time"),
      nb::arg("asking"), nb::call_guard<nb::gil_scoped_release>());
  module.def("predict_many", &predict_many, nb::arg("model"), nb::arg("count"),
             nb::arg("subjects").none(), nb::arg("relations").none(), nb::arg("objects").none(),
             nb::arg("times").none(), nb::arg("asking"));
  module.def(
      "answers_json",
      [](const std::string& subject, const std::string& relation, const std::string& object,
         const std::string& time, const Answers& answers) {
        const Question question{subject, relation, object, time, {}};
        return answers_json(std::span(&question, 1), std::span(&answers, 1));
      },
      nb::arg("subject"), nb::arg("relation"), nb::arg("object"), nb::arg("time"),
      nb::arg("answers"));
}

}  // namespace orrery::python
