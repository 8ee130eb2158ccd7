# The CPU backend: one compilation an instruction set, and one of two matrix libraries.
set(cpu ${PROJECT_SOURCE_DIR}/src/engine/cpu)
set(kernel_sources ${cpu}/kernels_baseline.cpp)
set(kernel_flags -O3 -ffp-contract=fast -fno-math-errno -fno-trapping-math -Wno-maybe-uninitialized -Wno-uninitialized)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Expressions are large values: without this their copies stay in memory, at twice the time.
  list(APPEND kernel_flags --param=sra-max-scalarization-size-Ospeed=65536)
endif()
set_source_files_properties(${cpu}/kernels_baseline.cpp PROPERTIES COMPILE_OPTIONS "${kernel_flags}")
# A sanitizer does not look into the kernels (below), so there one set will do.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  list(APPEND kernel_sources ${cpu}/kernels_avx2.cpp ${cpu}/kernels_avx512.cpp)
  set_source_files_properties(${cpu}/kernels_avx2.cpp
    PROPERTIES COMPILE_OPTIONS "${kernel_flags};-march=x86-64-v3")
  set_source_files_properties(${cpu}/kernels_avx512.cpp
    PROPERTIES COMPILE_OPTIONS "${kernel_flags};-march=x86-64-v4;-mprefer-vector-width=512")
  set_source_files_properties(${cpu}/kernels.cpp PROPERTIES COMPILE_DEFINITIONS ORRERY_X86_KERNELS)
  # Here the baseline is for processors of before 2013: not worth ten more seconds of every build.
  set_source_files_properties(${cpu}/kernels_baseline.cpp
    PROPERTIES COMPILE_OPTIONS "${kernel_flags};$<$<CONFIG:Release>:-O1>")
endif()
# All models once more, in double: half the time to build, and it works on a few rows at a time.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/engine/probe.cpp
  PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)

set_source_files_properties(${kernel_sources} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)  # other flags

file(GLOB cpu_sources CONFIGURE_DEPENDS ${cpu}/cpu_*.cpp)
target_sources(orrery_engine PRIVATE ${kernel_sources} ${cpu_sources} ${cpu}/kernels.cpp)
if(dnnl_FOUND)
  target_sources(orrery_engine PRIVATE ${cpu}/gemm_dnnl.cpp)
  # Its threads are only counted: no file of ours is compiled with OpenMP.
  target_link_libraries(orrery_engine PUBLIC dnnl::dnnl $<LINK_ONLY:OpenMP::OpenMP_CXX>)
  target_link_libraries(orrery PRIVATE dnnl::dnnl OpenMP::OpenMP_CXX)
else()
  target_sources(orrery_engine PRIVATE ${cpu}/gemm_blas.cpp)
  target_link_libraries(orrery_engine PUBLIC BLAS::BLAS)
  target_link_libraries(orrery PRIVATE BLAS::BLAS)
endif()
# Over the kernels' straight-line code a sanitizer compiles for minutes; all around them it is quick.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
  set_property(SOURCE ${kernel_sources} APPEND PROPERTY COMPILE_OPTIONS -fno-sanitize=all -g0)
endif()

# The CUDA backend, or the folder that says there is none.
if(cuda_FOUND)
  set(cuda ${PROJECT_SOURCE_DIR}/src/engine/cuda)
  file(GLOB cuda_sources CONFIGURE_DEPENDS ${cuda}/*.cpp ${cuda}/*.cu)
  target_sources(orrery_engine PRIVATE ${cuda_sources})
  set_property(SOURCE ${cuda_sources} APPEND PROPERTY COMPILE_OPTIONS
    "$<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr;--prec-sqrt=false;--prec-div=false>")
  # The matrix library is loaded when it is needed, not linked.
  cmake_path(GET CUDA_cublasLt_LIBRARY PARENT_PATH cublas_folder)
  set_source_files_properties(${cuda}/cublas_lt.cpp PROPERTIES COMPILE_DEFINITIONS
    "ORRERY_CUBLAS_LT=\"libcublasLt.so.${CUDAToolkit_VERSION_MAJOR}\";ORRERY_CUBLAS_FOLDER=\"${cublas_folder}\"")
  target_include_directories(orrery_engine PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
  target_link_libraries(orrery_engine PUBLIC CUDA::cudart_static)
  target_link_libraries(orrery PRIVATE CUDA::cudart_static)
else()
  target_sources(orrery_engine PRIVATE ${PROJECT_SOURCE_DIR}/src/engine/no_cuda/backend.cpp)
endif()
