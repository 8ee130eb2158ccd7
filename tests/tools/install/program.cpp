// A user's program against the installed package: facts in memory, a model, scores, answers and
// embeddings, and eight threads that ask one model at once.
#include <orrery/orrery.h>

#include <cstdio>
#include <thread>

int main() try {
  orrery::FactColumns facts;
  for (int day = 1; day <= 28; ++day)
    for (int person = 0; person < 10; ++person) {
      facts.subject.push_back("person " + std::to_string(person));
      facts.relation.push_back(day % 2 == 0 ? "meets" : "calls");
      facts.object.push_back("person " + std::to_string((person + day % 4 + 1) % 10));
      facts.time.push_back("2014-02-" + std::string(day < 10 ? "0" : "") + std::to_string(day));
    }
  const auto data = orrery::Dataset::from_columns(facts, {}, {}, {.split = "80/10/10"});

  const orrery::Model model = orrery::train(
      data, {.model = "bsca", .dim = 32, .epochs = 40, .batch = 200, .eval_every = 10});
  const orrery::Evaluation test = orrery::evaluate(model, data);
  std::printf("%zu test facts, MRR %.3f\n", data.facts(orrery::Split::test).size(),
              test.pessimistic.mrr);
  for (const auto& row : test.by(orrery::By::relation))
    std::printf("  %s: MRR %.3f\n", row.name.c_str(), row.scores.mrr);

  const orrery::Question question{.subject = "person 3", .relation = "meets", .time = "2014-02-10"};
  for (const auto& answer : model.predict(question, {.top = 3}))
    std::printf("  %s %.2f\n", answer.name.c_str(), answer.probability);

  const orrery::Embeddings people = model.embeddings("entity");
  std::printf("%lld embeddings of %lld dimensions, the first is of %s\n",
              static_cast<long long>(people.info.rows), static_cast<long long>(people.info.dim),
              people.names[0].c_str());

  std::vector<std::jthread> threads;
  std::vector<std::string> first(8);
  for (std::string& name : first)
    threads.emplace_back([&] { name = model.predict(question)[0].name; });
  threads.clear();
  return test.pessimistic.mrr > 0.5 && first == std::vector<std::string>(8, first[0]) ? 0 : 1;
} catch (const orrery::Error& error) {
  std::printf("%s\n", error.what());
  return 1;
}
