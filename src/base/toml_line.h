// The flat corner of TOML that config files use: `name = value` with texts, numbers, booleans and
// lists of texts, and comments. Anything else is a request Error with file and line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace orrery {

struct TomlLine {
  std::string file;
  std::size_t number = 0;
  std::string name;
  std::string value;  // as written
};

std::vector<TomlLine> toml_lines(std::string_view text, const std::string& file);

std::string toml_value(const std::string& text);
std::string toml_value(bool value);
std::string toml_value(std::int64_t value);
std::string toml_value(std::uint64_t value);
std::string toml_value(double value);
std::string toml_value(const std::vector<std::string>& texts);

void read_toml_value(const TomlLine& line, std::string& value);
void read_toml_value(const TomlLine& line, bool& value);
void read_toml_value(const TomlLine& line, std::int64_t& value);
void read_toml_value(const TomlLine& line, std::uint64_t& value);
void read_toml_value(const TomlLine& line, double& value);
void read_toml_value(const TomlLine& line, std::vector<std::string>& value);

bool is_toml_list(const TomlLine& line);
// The values of a list of any kind, each as written.
std::vector<std::string> toml_elements(const TomlLine& line);

}  // namespace orrery
