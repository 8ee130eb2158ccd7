// The pull between neighbouring times, for whatever vector width the including file is compiled
// for. Included only by kernels_impl.h, inside the namespace of an instruction set.

// Whether a row takes the step from `time` to the next.
template <class M, std::size_t R>
ORRERY_INLINE bool takes_step(const SmoothJob& job, std::int32_t time) {
  constexpr RowOf of = M::rows[R].of;
  if (job.tables[R] == nullptr) return false;
  if constexpr (of == RowOf::window) return time + 1 < job.windows;
  return of == RowOf::time || of == RowOf::shared;
}

// One vector of lanes of the step from `time` to the next: adds its gradients to `g`.
template <class M>
ORRERY_INLINE Vector step_back(const SmoothJob& job, std::int32_t time, const Place& place,
                               const Vector& weight, VectorElement<M>* g) {
  using A = typename M::Algebra;
  VectorElement<M> steps[row_count<M>];
  [&]<std::size_t... R>(std::index_sequence<R...>) ORRERY_INLINE_LAMBDA {
    (
        [&]() ORRERY_INLINE_LAMBDA {
          steps[R] = zero_element<Vector, A>();
          if (!takes_step<M, R>(job, time)) return;
          if constexpr (M::rows[R].of == RowOf::shared) {
            load_element(job.tables[R], place, steps[R]);
          } else {
            const float* row = job.tables[R] + static_cast<std::size_t>(time) * job.layout.floats();
            VectorElement<M> here;
            load_element(row, place, here);
            load_element(row + job.layout.floats(), place, steps[R]);
            steps[R] = subtract(steps[R], here);
          }
        }(),
        ...);
  }
  (std::make_index_sequence<row_count<M>>{});
  return timeline_back<M, Vector>(steps, weight, job.norm, g);
}

template <class M>
ORRERY_INLINE void clear(VectorElement<M>* g) {
  for (std::size_t r = 0; r < row_count<M>; ++r) g[r] = zero_element<Vector, typename M::Algebra>();
}

template <class M>
void smooth(const SmoothJob& job, std::size_t begin, std::size_t end) {
  const std::size_t stride = job.layout.floats();
  for (std::size_t t = begin; t < end; ++t) {
    const auto time = static_cast<std::int32_t>(t);
    Vector value = 0;
    for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
      VectorElement<M> before[row_count<M>], after[row_count<M>];
      clear<M>(before);
      clear<M>(after);
      if (time > 0) step_back<M>(job, time - 1, place, Vector(job.weight), before);
      if (time + 1 < job.times) value += step_back<M>(job, time, place, Vector(job.weight), after);
      [&]<std::size_t... R>(std::index_sequence<R...>) ORRERY_INLINE_LAMBDA {
        (
            [&]() ORRERY_INLINE_LAMBDA {
              if constexpr (is_timed<M, R>) {
                if (job.tables[R] == nullptr) return;
                if (M::rows[R].of == RowOf::window && time >= job.windows) return;
                float* to = job.gradients[R] + t * stride;
                VectorElement<M> g;
                load_element(to, place, g);
                store_element(add(g, subtract(before[R], after[R])), to, place);
              }
            }(),
            ...);
      }
      (std::make_index_sequence<row_count<M>>{});
    });
    job.values[t] = std::experimental::reduce(value);
  }
}

template <class M>
void smooth_shared(const SmoothJob& job) {
  for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
    VectorElement<M> g[row_count<M>];
    clear<M>(g);
    for (std::int32_t time = 0; time + 1 < job.times; ++time)
      step_back<M>(job, time, place, Vector(job.weight), g);
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (M::rows[r].of == RowOf::shared && job.tables[r] != nullptr) {
        VectorElement<M> sum;
        load_element(job.gradients[r], place, sum);
        store_element(add(sum, g[r]), job.gradients[r], place);
      }
  });
}

// Most models leave the timeline as it is: those of one algebra and the same kinds of rows share
// these loops.
template <class A, auto Kinds>
struct PlainTimeline {
  using Algebra = A;
  static constexpr auto rows = [] {
    std::array<RowSpec, Kinds.size()> specs;
    for (std::size_t r = 0; r < specs.size(); ++r) specs[r].of = Kinds[r];
    return specs;
  }();
};
template <class M>
inline constexpr auto row_kinds = [] {
  std::array<RowOf, row_count<M>> kinds{};
  for (std::size_t r = 0; r < kinds.size(); ++r) kinds[r] = M::rows[r].of;
  return kinds;
}();
template <class M>
struct TimelineOf {
  using type = PlainTimeline<typename M::Algebra, row_kinds<M>>;
};
template <class M>
requires has_timeline<M>
struct TimelineOf<M> {
  using type = M;
};
