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
  ModelHeader header;
  std::unique_ptr<Engine> engine;

  explicit SmallModel(const std::string& model = "bsca", bool intervals = false)
      : data(random_graph(5, intervals, 60)) {
    header.options.model = model;
    header.options.dim = 16;
    header.options.threads = 1;
    header.entities = data.entities;
    header.relations = data.relations;
    header.times = data.times;
    header.times.moments.clear();
    header.times.moment_names.clear();
    header.data_fingerprint = fingerprint(data);
    header.epoch = 3;
    engine = make_engine(plan_of(header.options, header.shape()), {.threads = 1});
    start_randomly(*engine, 11, 0.1);
  }

  void write_to(const std::filesystem::path& path) const {
    const TableRows rows = read_rows(*engine, State::value);
    write_model(path, header, engine->tables(),
                [&](std::size_t t) { return std::span<const float>(rows[t]); });
  }
};

}  // namespace orrery::testing
