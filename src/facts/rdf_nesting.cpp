#include "facts/rdf_nesting.h"

namespace orrery {

bool RdfNesting::pass(std::string_view bytes) {
  for (const char c : bytes) pass(c);
  return !too_deep_;
}

void RdfNesting::pass(char c) {
  if (escaped_) {
    escaped_ = false;
    return;
  }
  switch (inside_) {
    case Inside::nothing:
      pass_outside(c);
      break;
    case Inside::iri:
      if (c == '>' || c == '\n') inside_ = Inside::nothing;
      break;
    case Inside::comment:
      if (c == '\n' || c == '\r') inside_ = Inside::nothing;
      break;
    case Inside::first_quotes:
      if (c == quote_) {
        if (++quotes_ < 3) break;
        inside_ = Inside::long_string;
        quotes_ = 0;
      } else if (quotes_ == 2) {  // the empty string
        inside_ = Inside::nothing;
        pass_outside(c);
      } else {
        inside_ = Inside::short_string;
        pass(c);
      }
      break;
    case Inside::short_string:
      escaped_ = c == '\\';
      if (c == quote_ || c == '\n') inside_ = Inside::nothing;
      break;
    case Inside::long_string:
      escaped_ = c == '\\';
      quotes_ = c == quote_ ? quotes_ + 1 : 0;
      if (quotes_ == 3) inside_ = Inside::nothing;
      break;
  }
}

void RdfNesting::pass_outside(char c) {
  switch (c) {
    case '<':
      inside_ = Inside::iri;
      break;
    case '#':
      inside_ = Inside::comment;
      break;
    case '\\':
      escaped_ = true;
      break;
    case '"':
    case '\'':
      inside_ = Inside::first_quotes;
      quote_ = c;
      quotes_ = 1;
      break;
    case '[':
    case '(':
      too_deep_ = ++depth_ > deepest || too_deep_;
      break;
    case ']':
    case ')':
      if (depth_ > 0) --depth_;
      break;
    default:
      break;
  }
}

}  // namespace orrery
