# Files as text inside the program: no install path to find. One generated source lists them all and
# is made again when one of them changes, comes or goes. It defines FUNCTION, which HEADER declares:
# a span of TYPE, each a name within the folder and a text.
function(orrery_embed target folder)
  cmake_parse_arguments(EMBED "" "HEADER;TYPE;FUNCTION" "PATTERNS" ${ARGN})
  list(TRANSFORM EMBED_PATTERNS PREPEND ${folder}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${patterns})
  list(JOIN EMBED_PATTERNS "," passed)
  set(source ${PROJECT_BINARY_DIR}/generated/${target}_files.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DSOURCE=${source} -DPATTERNS=${passed}
    -DHEADER=${EMBED_HEADER} -DTYPE=${EMBED_TYPE} -DFUNCTION=${EMBED_FUNCTION}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${folder}" VERBATIM)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
