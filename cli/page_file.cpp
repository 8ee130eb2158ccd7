#include "page_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "refuse.h"

namespace orrery {
namespace {

constexpr std::string_view first_word = "<!DOCTYPE html>";

bool is_page(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string word(first_word.size(), '\0');
  file.read(word.data(), static_cast<std::streamsize>(word.size()));
  return file.gcount() == 0 || word == first_word;
}

}  // namespace

void write_html_page(const std::string& file, std::string_view page) {
  std::error_code unknown;
  const auto kind = std::filesystem::status(file, unknown).type();
  if (kind == std::filesystem::file_type::directory)
    refuse("{} is a directory; name a file for the page", file);
  if (kind == std::filesystem::file_type::regular && !is_page(file))
    refuse("{} exists and is no HTML page; name another file", file);
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out << page;
  out.close();
  if (!out) refuse("{} cannot be written ({})", file, std::strerror(errno));
}

}  // namespace orrery
