// A user's first program, against the installed package.
#include <orrery/orrery.h>

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int, char** argv) {
  std::filesystem::current_path(std::filesystem::path(argv[0]).parent_path());
  std::ofstream facts("facts.tsv");
  for (int day = 1; day <= 28; ++day)
    facts << "Ada\tmeets\tBen\t2014-02-" << day / 10 << day % 10 << '\n';
  facts.close();
  orrery::TrainOptions options;
  options.data = "facts.tsv";
  options.split = "80/10/10";
  options.dim = 16;
  const auto summary = orrery::train(options, "run");
  const auto judged = orrery::evaluate("run");
  const auto answers = orrery::Predictor("run").predict({"Ada", "meets", "", "2014-02-14"}, 1);
  std::cout << orrery::version() << ": " << summary.epochs_done << " epochs, MRR "
            << judged.pessimistic.mrr << ", Ada meets " << answers.at(0).name << '\n';
  return answers.at(0).name == "Ben" ? 0 : 1;
}
