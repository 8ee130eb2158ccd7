// orrery predict
#include "orrery/predict.h"

#include <fmt/format.h>

#include <memory>

#include "help_format.h"
#include "option_adder.h"
#include "orrery/model.h"
#include "orrery/report.h"
#include "output.h"
#include "refuse.h"
#include "verbs.h"

namespace orrery {
namespace {

constexpr const char* question_device = "cpu";

struct PredictCall {
  OptionChanges typed;
  std::string run, data, questions, known = "mark", type = "any";
  Question question;
  PredictOptions options;
  bool json = false, csv = false, verify = true;
};

// The facts that answers are compared with: those of --data, else the run's own where they are
// still there. Without them answers cannot be hidden or held to a type, but shown.
Model with_facts(const PredictCall& call, const Model& model) {
  if (call.options.known == KnownAnswers::show && !call.options.seen_only) return model;
  if (!call.data.empty()) return model.with_facts(model.read_data(call.data));
  try {
    return model.with_facts(model.training_data());
  } catch (const Error& error) {
    if (call.options.known == KnownAnswers::hide || call.options.seen_only) throw;
    to_stderr("note: known answers are not marked: {}\n", error.what());
    return model;
  }
}

void check_type(const std::string& type) {
  if (type != "any" && type != "seen") refuse("--type is any or seen, not '{}'", type);
}

void check_parts(const PredictCall& call) {
  const Question& one = call.question;
  if (call.questions.empty()) return;
  if (!one.subject.empty() || !one.relation.empty() || !one.object.empty() || !one.time.empty())
    refuse("--questions and the parts of one question cannot both be given");
}

void run_predict(PredictCall call) {
  check_parts(call);
  check_type(call.type);
  call.options.seen_only = call.type == "seen";
  call.options.known = known_answers_named(call.known);
  const std::vector<Question> questions = call.questions.empty()
                                              ? std::vector<Question>{call.question}
                                              : read_questions(call.questions);
  const Model model = with_facts(
      call, Model::open(call.run, machine_options(call.typed, question_device), call.verify));
  const std::vector<Answers> answers = model.predict(questions, call.options);
  if (call.json) {
    to_stdout("{}\n", answers_json(questions, answers));
  } else if (call.csv) {
    to_stdout("{}", answers_csv(questions, answers));
  } else {
    for (std::size_t i = 0; i < answers.size(); ++i)
      to_stdout("{}{}", i > 0 ? "\n" : "", answers_text(questions[i], answers[i]));
  }
}

void add_question_parts(CLI::App& verb, PredictCall& call) {
  verb.add_option("--subject", call.question.subject, "subject of the question")->type_name("NAME");
  verb.add_option("--relation", call.question.relation, "relation of the question")
      ->type_name("NAME");
  verb.add_option("--object", call.question.object, "object of the question")->type_name("NAME");
  verb.add_option("--time", call.question.time, "time of the question")->type_name("DATE");
  verb.add_option("--questions", call.questions,
                  "many questions: a TSV, CSV or JSON file, or - for standard input")
      ->type_name("FILE");
}

void add_answer_limits(CLI::App& verb, PredictCall& call) {
  verb.add_option("--top", call.options.top, "number of answers")
      ->capture_default_str()
      ->check(whole_number());
  verb.add_option("--known", call.known,
                  "answers that are facts already: mark them, hide those of this very time, or "
                  "show all without looking them up")
      ->type_name("mark|hide|show")
      ->capture_default_str();
  verb.add_option(
          "--type", call.type,
          "any answer, or only entities that train has seen with this relation on this side")
      ->type_name("any|seen")
      ->capture_default_str();
  verb.add_option("--only", call.options.only, "answer with one of these")->type_name("NAME");
  verb.add_option("--without", call.options.without, "answer with none of these")
      ->type_name("NAME");
  verb.add_flag("--untrained", call.options.untrained,
                "ask about names that no training fact has, too");
  verb.add_option("--data", call.data, "facts to compare answers with, if not the run's own")
      ->type_name("PATH");
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* verb =
      app.add_subcommand("predict", "Answer who, what and when: rank what a question leaves out");
  const auto call = std::make_shared<PredictCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")
      ->type_name("PATH")
      ->required();
  add_question_parts(*verb, *call);
  add_answer_limits(*verb, *call);
  add_no_verify(*verb, call->verify);
  add_json(*verb, call->json);
  verb->add_flag("--csv", call->csv, "print answers as CSV, one row each");
  add_machine_options(*verb, call->typed, question_device);
  end_help(
      *verb,
      "Leave out one of subject, relation, object and time, and it is predicted; give all four, "
      "and the fact itself is scored. The default device is the CPU, since starting a GPU takes "
      "longer than one question.",
      {"orrery predict runs/a --subject Taresse --relation threatens --time 2022-01-03",
       "orrery predict runs/a --subject Taresse --relation threatens --object Quororia",
       "orrery predict runs/a --questions questions.csv --csv"});
  verb->callback([call] { run_predict(*call); });
}

}  // namespace orrery
