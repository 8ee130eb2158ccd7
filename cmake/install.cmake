# The CMake package: find_package(orrery) brings orrery::orrery and what it links.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/orrery)

install(TARGETS orrery EXPORT orrery-targets)
install(EXPORT orrery-targets NAMESPACE orrery:: DESTINATION ${package_dir})
install(DIRECTORY include/orrery TYPE INCLUDE)

configure_package_config_file(cmake/orrery-config.cmake.in
  ${PROJECT_BINARY_DIR}/orrery-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/orrery-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/orrery-config.cmake ${PROJECT_BINARY_DIR}/orrery-config-version.cmake
  cmake/find_zstd.cmake cmake/find_dnnl.cmake DESTINATION ${package_dir})
