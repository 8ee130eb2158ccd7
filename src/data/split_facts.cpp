#include "data/split_facts.h"

#include <span>

#include "data/new_files.h"
#include "data/plain_form.h"

namespace orrery {

std::vector<std::filesystem::path> write_splits(const TemporalGraph& data,
                                                const std::filesystem::path& directory) {
  const bool csv = !fits_tsv(data);
  const auto text = [&](Split split) {
    return facts_text(data, std::span(&split, 1), csv ? PlainForm::csv : PlainForm::tsv, false);
  };
  const NewFile files[] = {{csv ? "train.csv" : "train.txt", text(Split::train)},
                           {csv ? "valid.csv" : "valid.txt", text(Split::valid)},
                           {csv ? "test.csv" : "test.txt", text(Split::test)}};
  return write_new_files(files, directory);
}

}  // namespace orrery
