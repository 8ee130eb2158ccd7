# Device code that is no C++ becomes calls of device_code.h.
s/<<</ % ::orrery::emulated_gpu::Launch(/
s/>>>\(/) % std::tuple(/
s/extern __shared__ __align__\([0-9]+\) float ([a-z_]+)\[\];/auto* \1 = static_cast<float*>(::orrery::emulated_gpu::dynamic_shared());/
s/asm\("ex2\.approx\.ftz\.f32 %0, %1;" : "=f"\(y\) : "f"\(x\)\);/y = exp2f(x);/
