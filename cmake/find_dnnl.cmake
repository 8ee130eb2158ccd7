# dnnl::dnnl where oneDNN is installed. Its own CMake package also demands OpenCL headers, which we do not use.
find_path(DNNL_INCLUDE oneapi/dnnl/dnnl_version.h)
find_library(DNNL_LIBRARY dnnl)
set(dnnl_FOUND FALSE)
if(DNNL_INCLUDE AND DNNL_LIBRARY)
  set(dnnl_FOUND TRUE)
  file(STRINGS ${DNNL_INCLUDE}/oneapi/dnnl/dnnl_version.h dnnl_VERSION
    REGEX "define DNNL_VERSION_(MAJOR|MINOR|PATCH) +[0-9]+")
  list(TRANSFORM dnnl_VERSION REPLACE "[^0-9]" "")
  list(JOIN dnnl_VERSION "." dnnl_VERSION)
  if(NOT TARGET dnnl::dnnl)
    add_library(dnnl::dnnl UNKNOWN IMPORTED)
    set_target_properties(dnnl::dnnl PROPERTIES
      IMPORTED_LOCATION ${DNNL_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${DNNL_INCLUDE})
  endif()
endif()
