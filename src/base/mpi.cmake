# Several processes talk by MPI, which a module of its own knows: it is loaded where mpirun or srun
# has started them. ORRERY_MPI=OFF builds as if no MPI were installed.
option(ORRERY_MPI "Build the module for several processes where MPI is installed" ON)
include(GNUInstallDirs)
set(MPI_FOUND FALSE)
if(ORRERY_MPI AND NOT ORRERY_FUZZ)
  find_package(MPI QUIET COMPONENTS CXX)
endif()
# Where the module lies beside a program's folder.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/mpi_module.cpp PROPERTIES
  COMPILE_DEFINITIONS "ORRERY_LIBRARY_FOLDER=\"${CMAKE_INSTALL_LIBDIR}\";ORRERY_MODULE_FOLDER=\"${CMAKE_INSTALL_FULL_LIBDIR}/orrery\"")
target_link_libraries(orrery_base PUBLIC ${CMAKE_DL_LIBS})
if(MPI_CXX_FOUND)
  message(STATUS "Several processes: MPI ${MPI_CXX_VERSION}")
  add_library(orrery_mpi MODULE ${PROJECT_SOURCE_DIR}/src/base/mpi/mpi_module.cpp)
  set_target_properties(orrery_mpi PROPERTIES PREFIX "" OUTPUT_NAME orrery_mpi UNITY_BUILD OFF
    CXX_VISIBILITY_PRESET hidden
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/orrery)
  target_include_directories(orrery_mpi PRIVATE ${PROJECT_SOURCE_DIR}/src)
  # Of its C functions alone: the C++ bindings that some versions still have are not wanted.
  target_compile_definitions(orrery_mpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  target_link_libraries(orrery_mpi PRIVATE MPI::MPI_CXX)
  install(TARGETS orrery_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/orrery)
else()
  message(STATUS "Several processes: none (MPI is absent), so they are refused")
endif()
