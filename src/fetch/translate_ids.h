// Facts written with numbers, as some homes keep them, to facts written with names.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orrery/error.h"

namespace orrery {

// A list of "name TAB id" lines, in either order; further columns are ignored. The ids are
// 0 … n − 1, each once, in any line order; anything else is a request Error.
class IdNames {
 public:
  // `label` is what Errors call the file.
  IdNames(const std::filesystem::path& path, const std::string& label);

  const std::string& name(std::string_view id, const Place& where) const;

 private:
  std::string label_;
  std::vector<std::string> names_;
};

// Lines "subject relation object start end", TAB between: the first three become names, the rest
// is kept as it is.
std::string translate_ids(const std::filesystem::path& path, const std::string& label,
                          const IdNames& entities, const IdNames& relations);

}  // namespace orrery
