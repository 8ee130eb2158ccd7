# Files as text inside the program: no install path to find. One generated source lists them all and
# is made again when one of them changes, comes or goes.
function(orrery_embed target folder)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS ${folder}/*.toml ${folder}/*.tsv)
  set(source ${PROJECT_BINARY_DIR}/generated/${target}_files.cpp)
  add_custom_command(OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DSOURCE=${source}
    -P ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake
    COMMENT "Embedding ${folder}" VERBATIM)
  target_sources(${target} PRIVATE ${source})
endfunction()
