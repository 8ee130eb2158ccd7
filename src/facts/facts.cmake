# Formats that need a library; in absent/ are the same readers for a build without it.
set(format_libraries)
set(format_names)
function(orrery_format library absent)
  if(${library}_FOUND)
    target_sources(orrery_facts PRIVATE ${ARGN})
    target_link_libraries(orrery_facts PUBLIC ${library}::${library})
    set(format_libraries ${format_libraries} ${library}::${library} PARENT_SCOPE)
    set(format_names ${format_names} ${library} PARENT_SCOPE)
  else()
    target_sources(orrery_facts PRIVATE ${absent})
  endif()
endfunction()

set(facts ${PROJECT_SOURCE_DIR}/src/facts)
orrery_format(simdjson ${facts}/absent/json_reader.cpp
  ${facts}/simdjson/json_reader.cpp ${facts}/simdjson/wikidata_reader.cpp)
orrery_format(serd ${facts}/absent/rdf_reader.cpp ${facts}/serd/rdf_reader.cpp)
orrery_format(sqlite ${facts}/absent/sqlite_reader.cpp
  ${facts}/sqlite/sqlite_reader.cpp)
