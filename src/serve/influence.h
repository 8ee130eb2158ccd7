// What training facts did to a fact's score, to first order.
//
// The fact's standing is Σ log p/(1 − p), summed over its two questions: its score, less what all
// answers gain alike. The influence of a training fact is −∇loss · ∇standing: how fast a step of
// training on that fact alone would raise it. The loss is the cross-entropy of both of the fact's
// questions, each divided by the root of its 1 − p; both gradients are taken at the trained rows,
// and only rows that they share count.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/asker.h"
#include "engine/probe.h"
#include "learn/stored_model.h"
#include "serve/asked_fact.h"
#include "serve/related_facts.h"

namespace orrery {

// As many facts as can be looked at in about a second: a core tensor makes each of them expensive.
std::size_t most_influences(const StoredModel& model, std::size_t wanted);

// One number a fact. `threads` as in EngineOptions; their number does not change a result.
std::vector<double> influences(const StoredModel& model, Asker& asker, const AskedFact& asked,
                               std::span<const RelatedFact> facts, int threads);

// A probe of the model's rows.
std::unique_ptr<Probe> probe_of(const StoredModel& model);

}  // namespace orrery
