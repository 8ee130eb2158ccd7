// Facts as a person names them: of a benchmark set that is not here yet the download is shown.
#pragma once

#include <string>

#include "orrery/dataset.h"
#include "progress_line.h"

namespace orrery {

// On a terminal one line a file that rewrites itself; elsewhere just the file's name.
class FetchDisplay {
 public:
  ~FetchDisplay() { line_.keep(); }
  void operator()(const FetchProgress& progress);

 private:
  ProgressLine line_;
  std::string file_;
};

Dataset open_data(const std::string& source, const DataOptions& options);
// For verbs that leave the reading to the library: the name of a benchmark set is fetched.
void fetch_named_set(const std::string& source);

}  // namespace orrery
