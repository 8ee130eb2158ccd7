# serd::serd where it is installed.
find_path(SERD_INCLUDE serd/serd.h PATH_SUFFIXES serd-0)
find_library(SERD_LIBRARY serd-0)
set(serd_FOUND FALSE)
if(SERD_INCLUDE AND SERD_LIBRARY)
  set(serd_FOUND TRUE)
  if(NOT TARGET serd::serd)
    add_library(serd::serd UNKNOWN IMPORTED)
    set_target_properties(serd::serd PROPERTIES
      IMPORTED_LOCATION ${SERD_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SERD_INCLUDE})
  endif()
endif()
