// The option table with what it describes: where a value lies in TrainOptions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "orrery/options.h"

namespace orrery {

// A choice of the models has no member of its own: it lies in TrainOptions::choices.
struct InChoices {};
// A member of DataOptions lies in TrainOptions::reading.
using OptionMember =
    std::variant<InChoices, bool TrainOptions::*, std::int64_t TrainOptions::*,
                 std::uint64_t TrainOptions::*, double TrainOptions::*, std::string TrainOptions::*,
                 std::vector<std::string> TrainOptions::*, bool DataOptions::*,
                 std::int64_t DataOptions::*, double DataOptions::*, std::string DataOptions::*,
                 std::vector<std::string> DataOptions::*>;

struct OptionEntry {
  OptionInfo info;
  OptionMember member;
};

std::span<const OptionEntry> option_entries();

OptionValue value_of(const TrainOptions& options, const OptionEntry& entry);
// The value must be of the option's type.
void set_value(TrainOptions& options, const OptionEntry& entry, OptionValue value);

}  // namespace orrery
