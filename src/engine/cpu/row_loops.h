// The row loops, for whatever vector width the including file is compiled for.
// Included only by kernels_impl.h, inside the namespace of an instruction set.

using Vector = std::experimental::native_simd<float>;
inline constexpr int width = static_cast<int>(Vector::size());
static_assert(block_lanes % width == 0);

template <class M>
using VectorElement = LaneElement<M, Vector>;

// A formula's rows for one example, loaded a vector of lanes at a time.
template <class M>
struct ExampleRows {
  const float* from[row_count<M>];

  ORRERY_INLINE ExampleRows(const RowJob& job, const Query& q, std::int32_t entity) {
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      const RowOf of = M::rows[r].of;
      const std::int32_t id = of == RowOf::entity     ? entity
                              : of == RowOf::relation ? q.relation
                                                      : q.time;
      from[r] = job.sources[r].data + static_cast<std::size_t>(id) * job.sources[r].stride;
    }
  }
  ORRERY_INLINE void load(std::size_t at, VectorElement<M>* x) const {
    for (std::size_t r = 0; r < row_count<M>; ++r) load_element<M>(from[r] + at, x[r]);
  }

  template <class Model>
  ORRERY_INLINE static void load_element(const float* source, VectorElement<Model>& e) {
    for (int c = 0; c < Model::Algebra::size; ++c)
      e.c[c].copy_from(source + c * block_lanes, std::experimental::element_aligned);
  }
};

template <class M>
ORRERY_INLINE void store_element(const VectorElement<M>& e, float* to) {
  for (int c = 0; c < M::Algebra::size; ++c)
    e.c[c].copy_to(to + c * block_lanes, std::experimental::element_aligned);
}

// Calls body(offset in the row, first lane) for every vector of lanes.
template <class Body>
ORRERY_INLINE void for_each_vector(const RowLayout& layout, const Body& body) {
  const int blocks = layout.blocks();
  for (int b = 0; b < blocks; ++b)
    for (int l = 0; l < block_lanes; l += width)
      body(static_cast<std::size_t>(b) * layout.block_floats() + static_cast<std::size_t>(l),
           b * block_lanes + l);
}

template <class M>
ORRERY_INLINE RowGates<M, float> row_gates(const RowJob& job, const ExampleRows<M>& rows) {
  Vector sums[vote_count<M>()];
  for (auto& sum : sums) sum = 0;
  for_each_vector(job.layout, [&](std::size_t at, int) ORRERY_INLINE_LAMBDA {
    VectorElement<M> x[row_count<M>];
    rows.load(at, x);
    add_votes<M, Vector>(x, sums);
  });
  float totals[vote_count<M>()];
  for (int i = 0; i < vote_count<M>(); ++i) totals[i] = std::experimental::reduce(sums[i]);
  return RowGates<M, float>(totals, job.vote_scale);
}

template <class M>
ORRERY_INLINE void set_gates(const RowJob& job, const ExampleRows<M>& rows,
                             LaneOf<M, Vector>& lane) {
  if constexpr (vote_count<M>() > 0) {
    const auto gates = row_gates<M>(job, rows);
    for (int i = 0; i < gate_count<M>(); ++i) lane.gates[i] = gates.value[i];
  }
}

inline FactorRule<Vector> factor_rule(const RowJob& job, std::size_t example) {
  return {Vector(job.penalty_weight), job.norm, job.drop_rate,
          random_bits(job.drop_key, job.first_position + example)};
}

template <class M>
void forward(const RowJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Query& q = job.examples[i].query;
    const ExampleRows<M> rows(job, q, q.subject);
    const auto rule = factor_rule(job, i);
    LaneOf<M, Vector> lane(rule);
    set_gates<M>(job, rows, lane);
    float* query = job.queries + i * job.layout.floats();
    for_each_vector(job.layout, [&](std::size_t at, int first_lane) ORRERY_INLINE_LAMBDA {
      VectorElement<M> x[row_count<M>];
      rows.load(at, x);
      lane.move_to(static_cast<std::uint32_t>(first_lane));
      store_element<M>(query_value<M, Vector>(lane, x), query + at);
    });
  }
}

enum class Side { query, answer };

// One sweep over a row. The query's sweep overwrites the gradient buffers, the answer's adds to
// them, except for its own entity row, which it overwrites.
template <class M, Side side>
ORRERY_INLINE double sweep(const RowJob& job, std::size_t i) {
  const Query& q = job.examples[i].query;
  const ExampleRows<M> rows(job, q, side == Side::query ? q.subject : job.examples[i].object);
  auto rule = factor_rule(job, i);
  if (side == Side::answer) rule.drop_rate = 0;
  LaneOf<M, Vector> lane(rule);
  set_gates<M>(job, rows, lane);
  const std::size_t row_at = i * job.layout.floats();
  float* to[row_count<M>];
  for (std::size_t r = 0; r < row_count<M>; ++r)
    to[r] = (side == Side::answer && r == 0 ? job.answer_gradients : job.gradients[r]) + row_at;

  for_each_vector(job.layout, [&](std::size_t at, int first_lane) ORRERY_INLINE_LAMBDA {
    VectorElement<M> x[row_count<M>], g[row_count<M>];
    rows.load(at, x);
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      if (side == Side::query || r == 0)
        g[r] = zero_element<Vector, typename M::Algebra>();
      else
        ExampleRows<M>::template load_element<M>(to[r] + at, g[r]);
    }
    lane.move_to(static_cast<std::uint32_t>(first_lane));
    if constexpr (side == Side::query) {
      VectorElement<M> d;
      ExampleRows<M>::template load_element<M>(job.query_gradients + row_at + at, d);
      query_back<M, Vector>(lane, x, d, g);
    } else {
      answer_back<M, Vector>(lane, x, g);
    }
    for (std::size_t r = 0; r < row_count<M>; ++r) store_element<M>(g[r], to[r] + at);
  });

  if constexpr (vote_count<M>() > 0) {
    const auto gates = row_gates<M>(job, rows);
    float gate_gradients[gate_count<M>()];
    for (int k = 0; k < gate_count<M>(); ++k)
      gate_gradients[k] = std::experimental::reduce(lane.gate_gradients[k]);
    Vector vote_gradients[vote_count<M>()];
    for (int v = 0; v < vote_count<M>(); ++v)
      vote_gradients[v] = gates.vote_gradient(v, gate_gradients);
    for_each_vector(job.layout, [&](std::size_t at, int) ORRERY_INLINE_LAMBDA {
      VectorElement<M> x[row_count<M>], g[row_count<M>];
      rows.load(at, x);
      for (std::size_t r = 0; r < row_count<M>; ++r)
        ExampleRows<M>::template load_element<M>(to[r] + at, g[r]);
      votes_back<M, Vector>(x, vote_gradients, g);
      for (std::size_t r = 0; r < row_count<M>; ++r) store_element<M>(g[r], to[r] + at);
    });
  }
  return std::experimental::reduce(lane.penalty);
}

template <class M>
void backward(const RowJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    job.penalties[i] = sweep<M, Side::query>(job, i);
    if (job.penalty_weight > 0) job.penalties[i] += sweep<M, Side::answer>(job, i);
  }
}

template <class M>
void smooth(const RowLayout& layout, const float* table, float* gradient, std::int32_t rows,
            float weight, NormRule norm, double* values, std::size_t begin, std::size_t end) {
  const std::size_t stride = layout.floats();
  for (std::size_t t = begin; t < end; ++t) {
    Vector value = 0;
    for_each_vector(layout, [&](std::size_t at, int) ORRERY_INLINE_LAMBDA {
      VectorElement<M> here, there, g;
      const float* row = table + t * stride + at;
      ExampleRows<M>::template load_element<M>(row, here);
      ExampleRows<M>::template load_element<M>(gradient + t * stride + at, g);
      if (t > 0) {
        ExampleRows<M>::template load_element<M>(row - stride, there);
        norm_back(add(here, scale(Vector(-1), there)), Vector(weight), norm, g);
      }
      if (t + 1 < static_cast<std::size_t>(rows)) {
        ExampleRows<M>::template load_element<M>(row + stride, there);
        value += norm_back(add(there, scale(Vector(-1), here)), Vector(-weight), norm, g);
      }
      store_element<M>(g, gradient + t * stride + at);
    });
    values[t] = std::experimental::reduce(value);
  }
}

template <class... Models>
struct RowKernelTable {
  static constexpr RowKernels all[] = {{forward<Models>, backward<Models>, smooth<Models>}...};
};
template <class List>
struct TableFor;
template <class... Models>
struct TableFor<ModelList<Models...>> : RowKernelTable<Models...> {};
