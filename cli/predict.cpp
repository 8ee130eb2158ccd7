// orrery predict
#include "orrery/predict.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "help_format.h"
#include "json_output.h"
#include "option_adder.h"
#include "orrery/model.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* question_device = "cpu";

struct PredictCall {
  OptionChanges typed;
  std::string run;
  Question question;
  std::size_t top = PredictOptions().top;
  bool json = false, verify = true;
};

void print_answers_json(const Question& question, const Answers& answers) {
  const bool asks_subject = question.subject.empty();
  nlohmann::ordered_json json = {
      {"asked", answers.asked},
      {"relation", question.relation},
      {asks_subject ? "object" : "subject", asks_subject ? question.object : question.subject}};
  if (!question.time.empty()) {
    json["time"] = question.time;
    json["time_row"] = answers.time;
    if (!answers.note.empty()) json["note"] = answers.note;
  }
  json["answers"] = nlohmann::json::array();
  for (const Answer& answer : answers)
    json["answers"].push_back(
        {{"name", answer.name}, {"score", answer.score}, {"probability", answer.probability}});
  print_json(json);
}

void print_answers(const Question& question, const Answers& answers) {
  TextTable table({answers.asked, "score", "probability"});
  for (const Answer& answer : answers)
    table.add({printable(answer.name), fmt::format("{:.3f}", answer.score),
               fmt::format("{:.1f} %", 100 * answer.probability)});
  const auto asked = [](const std::string& given) { return given.empty() ? "?" : given; };
  to_stdout("({}, {}, {}, {})\n{}", asked(question.subject), question.relation,
            asked(question.object), answers.time.empty() ? "any time" : answers.time, table.text());
  if (!answers.note.empty()) to_stdout("\nnote: {}\n", printable(answers.note));
}

void run_predict(const PredictCall& call) {
  const Model model =
      Model::open(call.run, machine_options(call.typed, question_device), call.verify);
  const Answers answers = model.predict(call.question, {.top = call.top});
  (call.json ? print_answers_json : print_answers)(call.question, answers);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* verb = app.add_subcommand(
      "predict", "Rank answers for (subject, relation, ?, time) or (?, relation, object, time)");
  const auto call = std::make_shared<PredictCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  auto* subject = verb->add_option("--subject", call->question.subject,
                                   "subject of the question; objects are ranked")
                      ->type_name("NAME");
  verb->add_option("--object", call->question.object, "object of the question; subjects are ranked")
      ->type_name("NAME")
      ->excludes(subject);
  verb->add_option("--relation", call->question.relation, "relation of the question")
      ->type_name("NAME")
      ->required();
  verb->add_option("--time", call->question.time, "a date; the model uses its nearest time")
      ->type_name("DATE");
  verb->add_option("--top", call->top, "number of answers")
      ->capture_default_str()
      ->check(whole_number());
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  add_machine_options(*verb, call->typed, question_device);
  end_help(*verb,
           "The default device is the CPU, since starting a GPU takes longer than one question.",
           {"orrery predict runs/a --subject Taresse --relation threatens --time 2022-01-03"});
  verb->callback([call] { run_predict(*call); });
}

}  // namespace orrery
