// How deep the brackets of Turtle stand inside each other, watched while its bytes pass: the parser
// calls itself for every bracket, and a damaged file could use up its stack.
#pragma once

#include <cstddef>
#include <string_view>

namespace orrery {

class RdfNesting {
 public:
  static constexpr std::size_t deepest = 1000;

  // False once brackets were deeper than that.
  bool pass(std::string_view bytes);

 private:
  enum class Inside { nothing, iri, comment, first_quotes, short_string, long_string };

  void pass(char c);
  void pass_outside(char c);

  Inside inside_ = Inside::nothing;
  char quote_ = '"';
  int quotes_ = 0;  // in a row, where a string begins or may end
  bool escaped_ = false;
  std::size_t depth_ = 0;
  bool too_deep_ = false;
};

}  // namespace orrery
