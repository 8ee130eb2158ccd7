# What speaks HTTP needs a library; in absent/ is the same listener for a build without it.
set(http_libraries)
set(http_names)
set(http ${PROJECT_SOURCE_DIR}/src/http)
if(httplib_FOUND)
  target_sources(orrery_http PRIVATE ${http}/httplib/listener.cpp)
  target_link_libraries(orrery_http PRIVATE httplib::httplib)
  # Its header takes longer to read than all files of the layer.
  set_source_files_properties(${http}/httplib/listener.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set(http_libraries httplib::httplib)
  set(http_names httplib)
else()
  target_sources(orrery_http PRIVATE ${http}/absent/listener.cpp)
endif()
orrery_embed(orrery_http ${http}/page PATTERNS *.html *.css *.js *.svg
  HEADER http/page_files.h TYPE PageFile FUNCTION built_in_page_files)
