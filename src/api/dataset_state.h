// What a Dataset shares between its copies.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "data/filter_index.h"
#include "data/load.h"
#include "data/temporal_graph.h"
#include "demo/world.h"
#include "orrery/dataset.h"

namespace orrery {

struct ModelHeader;

struct DatasetState {
  TemporalGraph graph;
  std::string source = {};  // as a run's config names it
  DataOptions options = {};
  LoadReport report = {};
  std::vector<TestLabel> labels = {};  // of the demo world's test facts

  DatasetState(TemporalGraph facts, std::string from, DataOptions how, LoadReport loaded = {});

  // Made when they are first asked for.
  const std::string& fingerprint() const;
  const FilterIndex& filter() const;

  std::vector<std::string> time_names;

 private:
  mutable std::once_flag fingerprint_once_, filter_once_;
  mutable std::string fingerprint_;
  mutable std::optional<FilterIndex> filter_;
};

// Facts in a model's ids; the same ones, where they have them already.
Dataset aligned(const ModelHeader& header, const Dataset& data);

// What is recorded says how intervals were read: `auto` becomes what it means for this source.
DataOptions resolved(DataOptions options, const std::string& source);

}  // namespace orrery
