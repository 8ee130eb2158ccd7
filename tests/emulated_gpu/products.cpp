// Column-major products d = α · op(a) · op(b) + β · c in double, of fp32 or bf16, or of fp32 with
// the short fractions of tf32; and where their rows must begin.
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "cublasLt.h"
#include "cuda_bf16.h"
#include "engine/cuda/cublas_lt.h"

struct cublasLtMatmulDesc {
  cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
  cublasOperation_t a = CUBLAS_OP_N, b = CUBLAS_OP_N;
};
struct cublasLtMatrixLayout {
  cudaDataType_t type = CUDA_R_32F;
  std::size_t rows = 0, columns = 0, stride = 0;
};
struct cublasLtMatmulPreference {};

namespace {

constexpr std::size_t alignment = 16;

float shortened(float value) {  // to the ten bits of a tf32 fraction
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0xfffU + ((bits >> 13) & 1U)) & ~0x1fffU);
}

// op(matrix), column by column.
std::vector<double> columns_of(const void* data, const cublasLtMatrixLayout& layout,
                               cublasOperation_t operation, cublasComputeType_t compute) {
  const bool bf16 = layout.type == CUDA_R_16BF;
  const std::size_t size = bf16 ? sizeof(__nv_bfloat16) : sizeof(float);
  if (reinterpret_cast<std::uintptr_t>(data) % alignment != 0 ||
      layout.stride * size % alignment != 0) {
    std::fprintf(stderr, "the emulated GPU: a matrix's rows do not begin at 16 bytes\n");
    std::abort();
  }
  std::vector<double> values(layout.rows * layout.columns);
  for (std::size_t column = 0; column < layout.columns; ++column)
    for (std::size_t row = 0; row < layout.rows; ++row) {
      const std::size_t at = column * layout.stride + row;
      float value = bf16 ? __bfloat162float(static_cast<const __nv_bfloat16*>(data)[at])
                         : static_cast<const float*>(data)[at];
      if (compute == CUBLAS_COMPUTE_32F_FAST_TF32) value = shortened(value);
      values[operation == CUBLAS_OP_T ? row * layout.columns + column
                                      : column * layout.rows + row] = value;
    }
  return values;
}

}  // namespace

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = nullptr;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t) { return CUBLAS_STATUS_SUCCESS; }
const char* cublasLtGetStatusString(cublasStatus_t) { return "an error of the emulated GPU"; }
std::size_t cublasLtGetVersion() { return 0; }

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t operation, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t c_layout, void* d,
                              cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                              std::size_t, cudaStream_t) {
  const std::size_t rows = d_layout->rows, columns = d_layout->columns;
  const std::size_t inner = operation->a == CUBLAS_OP_T ? a_layout->rows : a_layout->columns;
  if ((operation->b == CUBLAS_OP_T ? b_layout->columns : b_layout->rows) != inner)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  // Row by row of op(a), column by column of op(b).
  const auto turned = operation->a == CUBLAS_OP_T ? CUBLAS_OP_N : CUBLAS_OP_T;
  const auto left = columns_of(a, *a_layout, turned, operation->compute);
  const auto right = columns_of(b, *b_layout, operation->b, operation->compute);
  const double scale = *static_cast<const float*>(alpha), kept = *static_cast<const float*>(beta);
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < inner; ++k)
        sum += left[row * inner + k] * right[column * inner + k];
      sum *= scale;
      if (kept != 0) sum += kept * static_cast<const float*>(c)[column * c_layout->stride + row];
      static_cast<float*>(d)[column * d_layout->stride + row] = static_cast<float>(sum);
    }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int,
                                              cublasLtMatmulHeuristicResult_t*, int* count) {
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t) {
  *made = std::make_unique<cublasLtMatmulDesc>(cublasLtMatmulDesc{.compute = compute}).release();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t operation) {
  const std::unique_ptr<cublasLtMatmulDesc> owned(operation);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t operation,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t) {
  (attribute == CUBLASLT_MATMUL_DESC_TRANSA ? operation->a : operation->b) =
      *static_cast<const cublasOperation_t*>(value);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made) {
  *made = std::make_unique<cublasLtMatmulPreference>().release();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  const std::unique_ptr<cublasLtMatmulPreference> owned(preference);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t) {
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t stride) {
  *made = std::make_unique<cublasLtMatrixLayout>(
              cublasLtMatrixLayout{type, rows, columns, static_cast<std::size_t>(stride)})
              .release();
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  const std::unique_ptr<cublasLtMatrixLayout> owned(layout);
  return CUBLAS_STATUS_SUCCESS;
}

namespace orrery::cuda {

const CublasLt& cublas_lt() {
  static constexpr CublasLt emulated{cublasLtCreate,
                                     cublasLtDestroy,
                                     cublasLtGetStatusString,
                                     cublasLtGetVersion,
                                     cublasLtMatmul,
                                     cublasLtMatmulAlgoGetHeuristic,
                                     cublasLtMatmulDescCreate,
                                     cublasLtMatmulDescDestroy,
                                     cublasLtMatmulDescSetAttribute,
                                     cublasLtMatmulPreferenceCreate,
                                     cublasLtMatmulPreferenceDestroy,
                                     cublasLtMatmulPreferenceSetAttribute,
                                     cublasLtMatrixLayoutCreate,
                                     cublasLtMatrixLayoutDestroy};
  return emulated;
}

}  // namespace orrery::cuda
