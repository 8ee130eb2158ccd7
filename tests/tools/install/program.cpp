// A user's first program, against the installed package.
#include <orrery/error.h>
#include <orrery/version.h>

#include <iostream>

int main() {
  try {
    throw orrery::Error(orrery::Error::Kind::request, "no such file");
  } catch (const orrery::Error& error) {
    std::cout << orrery::version() << '\n';
    return error.kind() == orrery::Error::Kind::request ? 0 : 1;
  }
}
