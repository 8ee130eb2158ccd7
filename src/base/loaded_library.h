// Functions of a library that was loaded by dlopen.
#pragma once

#include <dlfcn.h>

namespace orrery {

// False where the library has none of that name.
template <class Function>
bool find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace orrery
