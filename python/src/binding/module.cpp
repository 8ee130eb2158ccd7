#include "bindings.h"

NB_MODULE(_engine, module) {
  using namespace orrery::python;
  module.doc() = "The engine of Orrery. Use the package orrery, which is made of it.";
  bind_errors(module);
  bind_options(module);
  bind_tables(module);
  bind_dataset(module);
  bind_model(module);
  bind_answers(module);
  bind_train(module);
  bind_evaluate(module);
  bind_search(module);
  bind_catalogue(module);
  bind_fetching(module);
  bind_processes(module);
}
