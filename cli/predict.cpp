// orrery predict
#include "orrery/predict.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "option_adder.h"
#include "output.h"
#include "page/text_table.h"
#include "verbs.h"

namespace orrery {
namespace {

struct PredictCall {
  std::string run;
  Question question;
  std::size_t top = 10;
  std::string device = "cpu";
  int threads = 0;
  bool json = false, verify = true;
};

void run_predict(const PredictCall& call) {
  Predictor predictor(call.run, call.threads, call.device, call.verify);
  const auto answers = predictor.predict(call.question, call.top);
  const bool asks_subject = call.question.subject.empty();
  if (call.json) {
    nlohmann::ordered_json json = {{"asked", asks_subject ? "subject" : "object"},
                                   {"relation", call.question.relation},
                                   {asks_subject ? "object" : "subject",
                                    asks_subject ? call.question.object : call.question.subject}};
    if (!call.question.time.empty()) {
      json["time"] = call.question.time;
      json["time_row"] = predictor.time_label(call.question.time);
    }
    json["answers"] = nlohmann::json::array();
    for (const auto& answer : answers)
      json["answers"].push_back(
          {{"name", answer.name}, {"score", answer.score}, {"probability", answer.probability}});
    to_stdout("{}\n", json.dump(2));
    return;
  }
  TextTable table({asks_subject ? "subject" : "object", "score", "probability"});
  for (const auto& answer : answers)
    table.add({printable(answer.name), fmt::format("{:.3f}", answer.score),
               fmt::format("{:.1f} %", 100 * answer.probability)});
  to_stdout("({}, {}, {}, {})\n{}", asks_subject ? "?" : call.question.subject,
            call.question.relation, asks_subject ? call.question.object : "?",
            call.question.time.empty() ? "any time" : predictor.time_label(call.question.time),
            table.text());
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* verb = app.add_subcommand("predict", "Ask a trained model: who, or whom, and when given");
  const auto call = std::make_shared<PredictCall>();
  verb->add_option("run", call->run, "run directory, or a model.safetensors")->required();
  auto* subject = verb->add_option("--subject", call->question.subject, "asks for the object");
  verb->add_option("--object", call->question.object, "asks for the subject")->excludes(subject);
  verb->add_option("--relation", call->question.relation, "which relation")->required();
  verb->add_option("--time", call->question.time, "a date; the model's nearest time is taken");
  verb->add_option("--top", call->top, "how many answers")
      ->capture_default_str()
      ->check(whole_number<std::size_t>());
  verb->add_option("--device", call->device,
                   "cpu, cuda, cuda:N or auto; one question is not worth a GPU's start-up")
      ->capture_default_str();
  add_run_option(*verb, "threads", call->threads);
  add_no_verify(*verb, call->verify);
  verb->add_flag("--json", call->json, "Print JSON");
  verb->callback([call] { run_predict(*call); });
}

}  // namespace orrery
