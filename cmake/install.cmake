# The CMake package: find_package(orrery) brings orrery::orrery and what it links.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)

install(TARGETS orrery EXPORT orrery-targets)
install(EXPORT orrery-targets NAMESPACE orrery:: DESTINATION ${package_dir})
install(DIRECTORY include/orrery TYPE INCLUDE)

# The same package of the build folder, uninstalled, for what is built beside it (python/).
set(package ${PROJECT_BINARY_DIR}/package)
configure_package_config_file(cmake/orrery-config.cmake.in
  ${package}/orrery-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${package}/orrery-config-version.cmake COMPATIBILITY SameMinorVersion)
set(find_files cmake/find_zstd.cmake cmake/find_dnnl.cmake cmake/find_simdjson.cmake
  cmake/find_serd.cmake cmake/find_sqlite.cmake cmake/find_httplib.cmake)
export(EXPORT orrery-targets NAMESPACE orrery:: FILE ${package}/orrery-targets.cmake)
file(COPY ${find_files} DESTINATION ${package})
install(FILES
  ${package}/orrery-config.cmake ${package}/orrery-config-version.cmake ${find_files}
  DESTINATION ${package_dir})

# What the program says of itself: completion of three shells, and the man page.
set(shell_files)
function(orrery_printed file destination)
  set(path ${PROJECT_BINARY_DIR}/generated/${file})
  add_custom_command(OUTPUT ${path} COMMAND orrery_program ${ARGN} > ${path} VERBATIM)
  install(FILES ${path} DESTINATION ${destination})
  set(shell_files ${shell_files} ${path} PARENT_SCOPE)
endfunction()
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/generated)
orrery_printed(orrery ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
orrery_printed(_orrery ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
orrery_printed(orrery.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
orrery_printed(orrery.1 ${CMAKE_INSTALL_MANDIR}/man1 help --man)
add_custom_target(orrery_shell_files ALL DEPENDS ${shell_files})
