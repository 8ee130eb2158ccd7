// A model of a few hundred numbers, and what a run keeps of it.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "data/fingerprint.h"
#include "data/load.h"
#include "data/random_graph.h"
#include "facts/scratch.h"
#include "learn/model_file.h"
#include "learn/setup.h"

namespace orrery::testing {

struct SmallModel {
  TemporalGraph data;
  ModelCard card;
  std::unique_ptr<Engine> engine;

  explicit SmallModel(const std::string& model = "bsca", bool intervals = false)
      : data(random_graph(5, intervals, 60)) {
    card.options.model = model;
    card.options.dim = 16;
    card.options.threads = 1;
    card.entities = data.entities;
    card.relations = data.relations;
    card.times = data.times;
    card.times.moments.clear();
    card.times.moment_names.clear();
    card.data_fingerprint = fingerprint(data);
    card.epoch = 3;
    engine = make_engine(plan_of(card.options, card.shape()), {.threads = 1});
    start_randomly(*engine, 11, 0.1);
  }

  void write_to(const std::filesystem::path& path) const {
    const TableRows rows = read_rows(*engine, State::value);
    write_model(path, card, engine->tables(),
                [&](std::size_t t) { return std::span<const float>(rows[t]); });
  }
};

}  // namespace orrery::testing
