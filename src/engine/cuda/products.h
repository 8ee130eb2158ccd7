// Matrix products through cuBLASLt. All matrices are row-major.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "engine/cuda/cublas_lt.h"
#include "engine/cuda/device.h"
#include "engine/engine.h"

namespace orrery::cuda {

struct Operand {
  const void* data = nullptr;  // bf16 for Precision::bf16, else fp32
  std::int64_t stride = 0;     // elements from row to row, as it lies in memory
  bool transposed = false;     // the factor is the transpose of what lies in memory
};

struct ProductShape {
  Precision precision = Precision::fp32;
  std::int64_t rows = 0, columns = 0, inner = 0;
};

class Products {
 public:
  Products();
  ~Products();
  Products(const Products&) = delete;
  Products& operator=(const Products&) = delete;

  // result = a · b, or with `add` result += a · b. The same shape always takes the same algorithm,
  // so the same bytes come out.
  void multiply(const ProductShape& shape, const Operand& a, const Operand& b, float* result,
                std::int64_t result_stride, bool add, cudaStream_t stream);

  // Others may use it too, on the stream of the products.
  const DeviceBuffer<std::uint8_t>& workspace() const { return workspace_; }
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

 private:
  struct Plan {
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, result = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
  };
  using Key = std::array<std::int64_t, 10>;
  const Plan& plan_for(const ProductShape& shape, const Operand& a, const Operand& b,
                       std::int64_t result_stride, bool add);

  cublasLtHandle_t handle_ = nullptr;
  DeviceBuffer<std::uint8_t> workspace_;
  std::map<Key, Plan> plans_;
};

}  // namespace orrery::cuda
