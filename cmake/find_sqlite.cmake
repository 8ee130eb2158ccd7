# sqlite::sqlite where it is installed.
find_path(SQLITE_INCLUDE sqlite3.h)
find_library(SQLITE_LIBRARY sqlite3)
set(sqlite_FOUND FALSE)
if(SQLITE_INCLUDE AND SQLITE_LIBRARY)
  set(sqlite_FOUND TRUE)
  if(NOT TARGET sqlite::sqlite)
    add_library(sqlite::sqlite UNKNOWN IMPORTED)
    set_target_properties(sqlite::sqlite PROPERTIES
      IMPORTED_LOCATION ${SQLITE_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${SQLITE_INCLUDE})
  endif()
endif()
