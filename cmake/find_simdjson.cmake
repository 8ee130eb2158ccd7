# simdjson::simdjson where it is installed.
find_path(SIMDJSON_INCLUDE simdjson.h)
find_library(SIMDJSON_LIBRARY simdjson)
set(simdjson_FOUND FALSE)
if(SIMDJSON_INCLUDE AND SIMDJSON_LIBRARY)
  set(simdjson_FOUND TRUE)
  if(NOT TARGET simdjson::simdjson)
    add_library(simdjson::simdjson UNKNOWN IMPORTED)
    set_target_properties(simdjson::simdjson PROPERTIES
      IMPORTED_LOCATION ${SIMDJSON_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SIMDJSON_INCLUDE})
  endif()
endif()
