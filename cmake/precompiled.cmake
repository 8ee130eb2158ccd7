# Headers of libraries that most files read, parsed once for all targets of the same flags. Never one
# of our own: nothing is built anew for them. They could hide an #include that is missing, so the
# sanitizers' presets and clang-tidy do without (CMAKE_DISABLE_PRECOMPILE_HEADERS).
set(ORRERY_COMMON_HEADERS <fmt/format.h> <algorithm> <array> <charconv> <cmath> <filesystem> <fstream>
  <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <unordered_map> <vector>)

# orrery_precompile(GROUP TARGET HEADER...): the first target of a group makes it, others use it.
function(orrery_precompile group target)
  get_property(first GLOBAL PROPERTY orrery_precompiled_${group})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    target_precompile_headers(${target} PRIVATE ${ORRERY_COMMON_HEADERS} ${ARGN})
    set_property(GLOBAL PROPERTY orrery_precompiled_${group} ${target})
  endif()
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)  # g++ 12 forgets that they are a system's, and cries wolf
    target_compile_options(${target} PRIVATE
      "$<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
  endif()
endfunction()
