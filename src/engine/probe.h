// A trained model looked at in double, a few rows at a time: scores, gates and gradients of single
// questions, by the formulas of the slow truth. Nothing here depends on how many entities there
// are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "data/query.h"
#include "engine/engine.h"

namespace orrery {

// Takes the gradients of single rows, by row of the model's formula and id.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual bool wants(std::size_t row, std::int32_t id) const = 0;
  virtual void add(std::size_t row, std::int32_t id, std::span<const double> gradient) = 0;
  // Of a core tensor: the outer product of the three.
  virtual void add_core(std::span<const double> left, std::span<const double> right,
                        std::span<const double> query) = 0;
};

// See models/gate_names.h.
struct NamedGate {
  std::string_view view, part;
  double weight = 0;
};

struct WeighedEntity {
  std::int32_t entity = 0;
  double weight = 0;
};

// What the regulariser adds to the loss of an example.
struct ExamplePenalty {
  double weight = 0;
  NormRule norm = {};
  std::int32_t answer = 0;
};

// What a question makes of the embedding of the entity it gives, number by number, with its gates
// held as a typical entity opens them: entity · matrix + shift.
struct EntityMap {
  bool product = true;           // scores are inner products; else distances
  std::size_t numbers = 0;       // of an embedding
  std::size_t components = 0;    // of a number
  std::vector<double> matrices;  // number by number; row by row, one for each component of entities
  std::vector<double> shift;     // number by number
};

// One thread at a time uses a probe.
class Probe {
 public:
  virtual ~Probe() = default;
  // Of each entity as an answer, without candidates' features.
  virtual std::vector<double> scores(const Query& query,
                                     std::span<const std::int32_t> entities) = 0;
  // How a question weighs its views; empty where the model has no attention.
  virtual std::vector<NamedGate> attention(const Query& query) = 0;
  // Empty where the formula does not make an embedding like an entity's. The query's subject is
  // not looked at.
  virtual EntityMap entity_map(const Query& query) = 0;
  // The root mean square of the entities' components.
  virtual double entity_size() = 0;
  // The gradient of Σ weight · score over some answers, plus that of the penalty; rows that the
  // sink does not want may be left out.
  virtual void gradient(const Query& query, std::span<const WeighedEntity> answers,
                        const ExamplePenalty& penalty, RowSink& sink) = 0;
};

// `rows`: a span for each row of the model's formula, empty where it is not trained; they must
// outlive the probe.
std::unique_ptr<Probe> make_probe(const ModelPlan& plan, std::vector<std::span<const float>> rows);

}  // namespace orrery
