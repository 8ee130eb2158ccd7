// Loops over plain rows of floats, 16 at a time whatever the instruction set, so that sums are
// added in one order everywhere. Included only by kernels_impl.h, inside the namespace of an
// instruction set.

using Floats [[gnu::vector_size(64)]] = float;
using Ints [[gnu::vector_size(64)]] = std::int32_t;
inline constexpr std::size_t step = 16;

[[gnu::always_inline]] inline Floats load(const float* from) {
  Floats x;
  __builtin_memcpy(&x, from, sizeof(x));
  return x;
}
[[gnu::always_inline]] inline void store(float* to, const Floats& x) {
  __builtin_memcpy(to, &x, sizeof(x));
}

// exp for x ≤ 0: 2^n · p(r), |r| ≤ ln 2 / 2, p of degree 6 (relative error below 2e-7).
[[gnu::always_inline]] inline Floats exp_of_negative(Floats x) {
  const Floats smallest = Floats{} - 87.0F;
  x = x < smallest ? smallest : x;
  const Floats magic = Floats{} + 12582912.0F;  // adding 1.5 · 2^23 rounds to an integer
  const Floats n = (x * 1.44269504F + magic) - magic;
  const Floats r = (x - n * 0.693359375F) + n * 2.12194440e-4F;
  Floats p = Floats{} + 1.3888889e-3F;
  p = p * r + 8.3333333e-3F;
  p = p * r + 4.1666667e-2F;
  p = p * r + 1.6666667e-1F;
  p = p * r + 0.5F;
  p = p * r + 1.0F;
  p = p * r + 1.0F;
  const Ints exponent = (__builtin_convertvector(n, Ints) + 127) << 23;
  return p * __builtin_bit_cast(Floats, exponent);
}

[[gnu::always_inline]] inline float sum_of(const Floats& x) {
  float sum = 0;
  for (std::size_t i = 0; i < step; ++i) sum += x[i];
  return sum;
}

// Round to nearest even; a NaN stays one.
[[gnu::always_inline]] inline std::uint16_t round_to_bf16(float x) {
  const auto bits = __builtin_bit_cast(std::uint32_t, x);
  const std::uint32_t nearest = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const std::uint32_t quiet = (bits >> 16) | 0x40U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? quiet : nearest);
}

void to_bf16(const float* from, std::uint16_t* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = round_to_bf16(from[i]);
}

float largest(const float* x, std::size_t count) {
  float top = x[0];
  std::size_t i = 0;
  if (count >= step) {
    Floats most = load(x);
    for (i = step; i + step <= count; i += step) {
      const Floats v = load(x + i);
      most = v > most ? v : most;
    }
    for (std::size_t k = 0; k < step; ++k) top = most[k] > top ? most[k] : top;
  }
  for (; i < count; ++i) top = x[i] > top ? x[i] : top;
  return top;
}

// The tail of a row as a full vector, filled up with `filler`.
[[gnu::always_inline]] inline Floats load_tail(const float* from, std::size_t count, float filler) {
  Floats x = Floats{} + filler;
  for (std::size_t i = 0; i < count; ++i) x[i] = from[i];
  return x;
}

// In place, and gives the sum.
float exponentials(float* scores, std::size_t count, float top) {
  const std::size_t whole = count / step * step;
  Floats sums = {};
  for (std::size_t i = 0; i < whole; i += step) {
    const Floats e = exp_of_negative(load(scores + i) - top);
    store(scores + i, e);
    sums += e;
  }
  if (whole < count) {
    const Floats e = exp_of_negative(load_tail(scores + whole, count - whole, top) - top);
    for (std::size_t i = whole; i < count; ++i) {
      scores[i] = e[i - whole];
      sums[i - whole] += e[i - whole];
    }
  }
  return sum_of(sums);
}

// A teacher's scores into the targets of a row, where they lie.
void mix_targets(const Lesson& lesson, std::size_t count) {
  float* taught = lesson.taught;
  const float factor = lesson.teacher_share / exponentials(taught, count, largest(taught, count));
  for (std::size_t i = 0; i < count; ++i) taught[i] *= factor;
  taught[lesson.target] += 1 - lesson.teacher_share;
}

// Σ targets · (score − top)
double expected_score(const float* scores, const float* targets, std::size_t count, float top) {
  const std::size_t whole = count / step * step;
  Floats sums = {};
  for (std::size_t i = 0; i < whole; i += step)
    sums += load(targets + i) * (load(scores + i) - top);
  double sum = sum_of(sums);
  for (std::size_t i = whole; i < count; ++i) sum += targets[i] * (scores[i] - top);
  return sum;
}

// From scores to share · (softmax − targets), where they lie; gives Σ exp(score − top) of them.
// `whole_sum`: that of the row they are a part of, or null where they are the whole of it.
float softmax_gradient(float* scores, std::size_t count, const Lesson& lesson, float top,
                       const float* whole_sum, float share, bool rooted, std::uint16_t* bf16) {
  const std::vector<float> kept(scores, scores + (rooted ? count : 0));
  const float sum = exponentials(scores, count, top);
  const float factor = share / (whole_sum != nullptr ? *whole_sum : sum);
  for (std::size_t i = 0; i < count; ++i) scores[i] *= factor;
  if (lesson.taught != nullptr)
    for (std::size_t i = 0; i < count; ++i) scores[i] -= share * lesson.taught[i];
  else if (lesson.target < count)
    scores[lesson.target] -= share;
  for (std::size_t i = 0; i < kept.size(); ++i) scores[i] *= root_slope(kept[i]);
  if (bf16 != nullptr) to_bf16(scores, bf16, count);
  return sum;
}

double softmax_back(float* scores, std::size_t count, const Lesson& lesson, float share,
                    bool rooted, std::uint16_t* bf16) {
  const bool taught = lesson.taught != nullptr;
  if (taught) mix_targets(lesson, count);
  const float top = largest(scores, count);
  const double expected =
      taught ? expected_score(scores, lesson.taught, count, top)
             : static_cast<double>(scores[lesson.target]) - static_cast<double>(top);
  const float sum = softmax_gradient(scores, count, lesson, top, nullptr, share, rooted, bf16);
  return std::log(static_cast<double>(sum)) - expected;
}

double softmax_part_back(float* scores, std::size_t count, const Lesson& lesson,
                         const RowPeak& peak, const RowPeak& taught_peak, float share, bool rooted,
                         std::uint16_t* bf16) {
  const bool here = lesson.target < count;
  double expected = 0;
  if (lesson.taught != nullptr) {
    exponentials(lesson.taught, count, taught_peak.highest);
    const float factor = lesson.teacher_share / taught_peak.sum;
    for (std::size_t i = 0; i < count; ++i) lesson.taught[i] *= factor;
    if (here) lesson.taught[lesson.target] += 1 - lesson.teacher_share;
    expected = expected_score(scores, lesson.taught, count, peak.highest);
  } else if (here) {
    expected = static_cast<double>(scores[lesson.target]) - static_cast<double>(peak.highest);
  }
  softmax_gradient(scores, count, lesson, peak.highest, &peak.sum, share, rooted, bf16);
  return expected;
}

template <class Optimizer>
void update(const UpdateJob& job) {
  constexpr std::size_t state_count = Optimizer::states.size();
  float* const values = job.values;
  float* const gradients = job.gradients;
  float* states[state_count];
  for (std::size_t s = 0; s < state_count; ++s) states[s] = job.states[s];
  const StepSize<float> size = job.step;
  const std::size_t count = job.count;
  for (std::size_t i = 0; i < count; ++i) {
    float own[state_count];
    for (std::size_t s = 0; s < state_count; ++s) own[s] = states[s][i];
    float value = values[i];
    Optimizer::update(value, own, gradients[i], size);
    for (std::size_t s = 0; s < state_count; ++s) states[s][i] = own[s];
    values[i] = value;
    gradients[i] = 0;
  }
  if (job.rounded != nullptr) to_bf16(values, job.rounded, count);
}

template <class List>
struct UpdatesBy;
template <class... Optimizers>
struct UpdatesBy<OptimizerList<Optimizers...>> {
  static constexpr void (*all[])(const UpdateJob&) = {update<Optimizers>...};
};

void add_row(float* sum, const float* row, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] += row[i];
}

void average(float* averages, const float* values, std::size_t count, float decay) {
  for (std::size_t i = 0; i < count; ++i)
    averages[i] = decay * averages[i] + (1 - decay) * values[i];
}

bool count_above(const float* scores, std::size_t count, float score, std::int32_t& above,
                 std::int32_t& equal) {
  std::int32_t higher = 0, same = 0, finite = 0;
  for (std::size_t i = 0; i < count; ++i) {
    higher += scores[i] > score;
    same += scores[i] == score;
    finite += std::abs(scores[i]) <= std::numeric_limits<float>::max();
  }
  above = higher;
  equal = same;
  return finite == static_cast<std::int32_t>(count);
}

bool peak(const float* scores, std::size_t count, float& highest, float& sum) {
  std::int32_t finite = 0;
  for (std::size_t i = 0; i < count; ++i)
    finite += std::abs(scores[i]) <= std::numeric_limits<float>::max();
  if (finite != static_cast<std::int32_t>(count)) return false;
  highest = largest(scores, count);
  const std::size_t whole = count / step * step;
  Floats sums = {};
  for (std::size_t i = 0; i < whole; i += step) sums += exp_of_negative(load(scores + i) - highest);
  const Floats tail = exp_of_negative(load_tail(scores + whole, count - whole, highest) - highest);
  for (std::size_t i = whole; i < count; ++i) sums[i - whole] += tail[i - whole];
  sum = sum_of(sums);
  return true;
}

// Pairs first: short chains of additions, of which several rows' overlap.
[[gnu::always_inline]] inline float pairwise_sum(const Floats& x) {
  float parts[step];
  store(parts, x);
  for (std::size_t width = step / 2; width > 0; width /= 2)
    for (std::size_t i = 0; i < width; ++i) parts[i] += parts[i + width];
  return parts[0];
}

// Rows one after the other, as memory is read fastest; four sums, so that none waits for another.
void dots(const float* query, const float* rows, std::size_t stride, std::size_t width,
          std::size_t count, float* scores) {
  constexpr std::size_t sums_of_row = 4, block = sums_of_row * step;
  const std::size_t whole_blocks = width / block * block, whole = width / step * step;
  for (std::size_t r = 0; r < count; ++r) {
    const float* const row = rows + r * stride;
    Floats sums[sums_of_row] = {};
    for (std::size_t i = 0; i < whole_blocks; i += block)
      for (std::size_t s = 0; s < sums_of_row; ++s)
        sums[s] += load(query + i + s * step) * load(row + i + s * step);
    for (std::size_t i = whole_blocks; i < whole; i += step)
      sums[0] += load(query + i) * load(row + i);
    float sum = pairwise_sum((sums[0] + sums[1]) + (sums[2] + sums[3]));
    for (std::size_t i = whole; i < width; ++i) sum += query[i] * row[i];
    scores[r] = sum;
  }
}
