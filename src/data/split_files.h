// Which files of a directory are the splits of a data set.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

namespace orrery {

// By Split. A file is a split's when its name, without endings, is train, valid or test, or ends so
// after a sign ("icews_2014_train.txt"); the plain name wins. Where there is none, training,
// validation, val, dev and testing will do. Two of a kind are a request Error, and so is a
// directory without train.
std::array<std::optional<std::filesystem::path>, 3> find_split_files(
    const std::filesystem::path& directory);

}  // namespace orrery
