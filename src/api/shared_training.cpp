#include "api/shared_training.h"

#include <gnu/libc-version.h>

#include "api/dataset_state.h"
#include "base/agreement.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "orrery/version.h"

namespace orrery {
namespace {

const std::string own_name = "an option of a process";  // in errors of reading what one was told

void require_same_options(Communicator& processes, const TrainOptions& options) {
  const std::vector<std::string> all = processes.texts(config_text(options));
  const TrainOptions leader = read_config_text(all[0], own_name);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    for (const OptionDifference& found :
         differences(leader, read_config_text(all[rank], own_name))) {
      // The data are compared by what is in them. The leader alone reads a model to start from, but
      // all must know that there is one.
      if (found.decides == Decides::place) continue;
      if (found.decides == Decides::start && !found.first.empty() && !found.second.empty())
        continue;
      fail_request(About{.option = found.name, .advice = "start all with the same options"},
                   "{} was started with {} = {}, and the leader with {}",
                   name_of_rank(static_cast<int>(rank), processes.size()), option_mark(found.name),
                   found.second, found.first);
    }
}

// Of what is asked in the order of the files.
std::string order_of_facts(const Dataset& data) {
  std::uint32_t sum = 0;
  for (const auto& facts : data.state().graph.facts)
    sum = crc32c(std::as_bytes(std::span(facts)), sum);
  return fmt::format("{:08x}", sum);
}

}  // namespace

void require_same_call(Communicator* processes, std::string_view call) {
  require_same(processes, "call", call, "make the same calls in all processes");
}

void require_same_call(Communicator* processes, std::string_view call,
                       const TrainOptions& options) {
  if (processes == nullptr) return;
  require_same_call(processes, call);
  require_same(processes, "version of Orrery", version(), "install the same everywhere");
  require_same_options(*processes, options);
}

TrainOptions told_options(Communicator* processes, const TrainOptions& options) {
  if (processes == nullptr) return options;
  require_same(processes, "version of Orrery", version(), "install the same everywhere");
  return read_config_text(processes->told_by_leader(config_text(options)), own_name);
}

void require_same_facts(Communicator* processes, const Dataset& data) {
  if (processes == nullptr) return;
  require_same(processes, "data set", data.state().fingerprint(),
               "give all processes the same facts");
  require_same(processes, "order of facts", order_of_facts(data),
               "give all processes the same facts in the same order");
}

std::unique_ptr<Training> make_training(const Dataset& data, const TrainOptions& options,
                                        TrainObserver& observer, RunSaver* saver,
                                        Communicator* processes) {
  require_same_facts(processes, data);
  std::unique_ptr<Training> training;
  together(processes, [&] {
    training = std::make_unique<Training>(data, options, observer, saver, processes);
  });
  // Each fits history by itself, with the C library's functions.
  require_same(processes, "arithmetic",
               fmt::format("{}, glibc {}", training->trainer().engine().arithmetic(),
                           gnu_get_libc_version()),
               worded("start all on the same kind of processor with the same libraries, or set "
                      "$precision"));
  return training;
}

}  // namespace orrery
