#include "engine/cuda/products.h"

#include "base/error.h"

namespace orrery::cuda {
namespace {

void check_product(cublasStatus_t status, const char* doing) {
  if (status != CUBLAS_STATUS_SUCCESS)
    fail_broken("the GPU's matrix library failed while {}: {}", doing,
                cublas_lt().status_string(status));
}

cublasComputeType_t compute_type(Precision precision) {
  return precision == Precision::tf32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
}

template <class Value>
void set(cublasLtMatmulDesc_t operation, cublasLtMatmulDescAttributes_t attribute, Value value) {
  check_product(cublas_lt().desc_set(operation, attribute, &value, sizeof(value)),
                "planning a product");
}

cublasLtMatrixLayout_t layout(cudaDataType_t type, std::int64_t rows, std::int64_t columns,
                              std::int64_t stride) {
  cublasLtMatrixLayout_t made = nullptr;
  check_product(cublas_lt().layout_create(&made, type, static_cast<std::uint64_t>(rows),
                                          static_cast<std::uint64_t>(columns), stride),
                "planning a product");
  return made;
}

}  // namespace

Products::Products() : workspace_(workspace_bytes) {
  check_product(cublas_lt().create(&handle_), "starting");
}

Products::~Products() {
  for (auto& [key, plan] : plans_) {
    cublas_lt().layout_destroy(plan.a);
    cublas_lt().layout_destroy(plan.b);
    cublas_lt().layout_destroy(plan.result);
    cublas_lt().desc_destroy(plan.operation);
  }
  cublas_lt().destroy(handle_);
}

// The library's matrices are column-major: it sees every matrix transposed, and computes
// resultᵀ = bᵀ aᵀ.
const Products::Plan& Products::plan_for(const ProductShape& shape, const Operand& a,
                                         const Operand& b, std::int64_t result_stride, bool add) {
  const Key key = {static_cast<std::int64_t>(shape.precision),
                   shape.rows,
                   shape.columns,
                   shape.inner,
                   a.stride,
                   a.transposed,
                   b.stride,
                   b.transposed,
                   result_stride,
                   add};
  const auto found = plans_.find(key);
  if (found != plans_.end()) return found->second;

  const cudaDataType_t type = shape.precision == Precision::bf16 ? CUDA_R_16BF : CUDA_R_32F;
  Plan plan;
  check_product(cublas_lt().desc_create(&plan.operation, compute_type(shape.precision), CUDA_R_32F),
                "planning a product");
  set(plan.operation, CUBLASLT_MATMUL_DESC_TRANSA, b.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  set(plan.operation, CUBLASLT_MATMUL_DESC_TRANSB, a.transposed ? CUBLAS_OP_T : CUBLAS_OP_N);
  plan.b = b.transposed ? layout(type, shape.inner, shape.columns, b.stride)
                        : layout(type, shape.columns, shape.inner, b.stride);
  plan.a = a.transposed ? layout(type, shape.rows, shape.inner, a.stride)
                        : layout(type, shape.inner, shape.rows, a.stride);
  plan.result = layout(CUDA_R_32F, shape.columns, shape.rows, result_stride);

  cublasLtMatmulPreference_t preference = nullptr;
  check_product(cublas_lt().preference_create(&preference), "planning a product");
  const std::size_t space = workspace_bytes;
  check_product(cublas_lt().preference_set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                           &space, sizeof(space)),
                "planning a product");
  // Rows begin at multiples of 16 bytes, not of the library's usual 256.
  const std::uint32_t alignment = 16;
  for (const auto attribute :
       {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES,
        CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES})
    check_product(cublas_lt().preference_set(preference, attribute, &alignment, sizeof(alignment)),
                  "planning a product");
  cublasLtMatmulHeuristicResult_t best{};
  int count = 0;
  const cublasStatus_t status =
      cublas_lt().heuristic(handle_, plan.operation, plan.b, plan.a, plan.result, plan.result,
                            preference, 1, &best, &count);
  cublas_lt().preference_destroy(preference);
  check_product(status, "choosing an algorithm");
  if (count == 0)
    fail_broken("the GPU's matrix library has no product of {} × {} × {}", shape.rows,
                shape.columns, shape.inner);
  plan.algorithm = best.algo;
  return plans_.emplace(key, plan).first->second;
}

void Products::multiply(const ProductShape& shape, const Operand& a, const Operand& b,
                        float* result, std::int64_t result_stride, bool add, cudaStream_t stream) {
  const Plan& plan = plan_for(shape, a, b, result_stride, add);
  const float one = 1, kept = add ? 1.0F : 0.0F;
  check_product(cublas_lt().matmul(handle_, plan.operation, &one, b.data, plan.b, a.data, plan.a,
                                   &kept, result, plan.result, result, plan.result, &plan.algorithm,
                                   workspace_.data(), workspace_.size(), stream),
                "multiplying");
}

}  // namespace orrery::cuda
