// Facts as sentences, for people who look their data over.
#pragma once

#include <string>
#include <vector>

#include "data/temporal_graph.h"

namespace orrery {

// "Ada works for Acme, from 2016 to 2019"; "…, on 2014-04-25"; "…, from 2016 on"; "…, until 2019".
std::string fact_sentence(const TemporalGraph& data, const Fact& fact);

// Facts of as many relations as there are, those with the most facts first; from train.
std::vector<std::string> example_sentences(const TemporalGraph& data, std::size_t most);

}  // namespace orrery
