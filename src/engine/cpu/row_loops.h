// The row loops, for whatever vector width the including file is compiled for.
// Included only by kernels_impl.h, inside the namespace of an instruction set.

using Vector = std::experimental::native_simd<float>;
inline constexpr int width = static_cast<int>(Vector::size());
static_assert(block_lanes % width == 0);

template <class M>
using VectorElement = LaneElement<M, Vector>;

template <class A>
ORRERY_INLINE void load_element(const float* from, Element<Vector, A>& e) {
  for (int c = 0; c < A::size; ++c)
    e.c[c].copy_from(from + c * block_lanes, std::experimental::element_aligned);
}
template <class A>
ORRERY_INLINE void store_element(const Element<Vector, A>& e, float* to) {
  for (int c = 0; c < A::size; ++c)
    e.c[c].copy_to(to + c * block_lanes, std::experimental::element_aligned);
}

// A vector of lanes in a row: its first, and the lanes of its block.
struct Place {
  int first_lane, block_width;

  bool whole() const { return block_width == block_lanes; }
  int lanes() const { return std::min(width, block_width - first_lane % block_lanes); }
};

// Where the vector that begins at `first_lane` lies in a row of the algebra A.
template <class A>
ORRERY_INLINE std::size_t vector_at(int first_lane) {
  constexpr std::size_t block = block_lanes;
  const auto lane = static_cast<std::size_t>(first_lane);
  return lane / block * (A::size * block) + lane % block;
}

// A vector of a narrow block as one of a whole block, and back. Out of line: inlined everywhere
// they would make this file slow to compile.
inline Vector::mask_type lanes_of(Place place) {
  return Vector([](auto i) { return static_cast<float>(i); }) <
         Vector(static_cast<float>(place.lanes()));
}
[[gnu::noinline]] void to_whole_block(const float* narrow, Place place, int components,
                                      float* whole) {
  const auto lanes = lanes_of(place);
  for (int c = 0; c < components; ++c) {
    Vector x = 0;
    where(lanes, x).copy_from(narrow + c * place.block_width, std::experimental::element_aligned);
    x.copy_to(whole + c * block_lanes, std::experimental::element_aligned);
  }
}
[[gnu::noinline]] void to_narrow_block(const float* whole, Place place, int components,
                                       float* narrow) {
  const auto lanes = lanes_of(place);
  for (int c = 0; c < components; ++c) {
    Vector x(whole + c * block_lanes, std::experimental::element_aligned);
    where(lanes, x).copy_to(narrow + c * place.block_width, std::experimental::element_aligned);
  }
}

template <class A>
ORRERY_INLINE void load_element(const float* row, const Place& place, Element<Vector, A>& e) {
  const float* from = row + vector_at<A>(place.first_lane);
  float whole[A::size * block_lanes];
  if (!place.whole()) to_whole_block(from, place, A::size, whole);
  load_element(place.whole() ? from : whole, e);
}
template <class A>
ORRERY_INLINE void store_element(const Element<Vector, A>& e, float* row, const Place& place) {
  float* to = row + vector_at<A>(place.first_lane);
  float whole[A::size * block_lanes];
  store_element(e, place.whole() ? to : whole);
  if (!place.whole()) to_narrow_block(whole, place, A::size, to);
}

// A formula's rows for one example, loaded a vector of lanes at a time.
template <class M>
struct ExampleRows {
  const float* from[row_count<M>];

  ORRERY_INLINE ExampleRows(const RowJob& job, const Example& example, std::int32_t entity) {
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      const std::int32_t id = id_for(example, M::rows[r].of, entity, job.window);
      from[r] = job.sources[r].data + static_cast<std::size_t>(id) * job.sources[r].stride;
    }
  }
  ORRERY_INLINE void load(const Place& place, VectorElement<M>* x) const {
    for (std::size_t r = 0; r < row_count<M>; ++r) load_element(from[r], place, x[r]);
  }
};

// Calls body(place) for every vector of lanes.
template <class Body>
ORRERY_INLINE void for_each_vector(const RowLayout& layout, const Body& body) {
  const int lanes = layout.held_lanes();
  for (int l = 0; l < lanes; l += width) body(Place{l, layout.block_width(l)});
}

// Votes are out of line, here and below: they are called for the query and for the answer, and
// inlining them everywhere doubles the time it takes to compile this file.
template <class M>
[[gnu::noinline]] RowGates<M, float> row_gates(const RowJob& job, const ExampleRows<M>& rows) {
  Vector sums[vote_count<M>()] = {};
  for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
    VectorElement<M> x[row_count<M>];
    rows.load(place, x);
    add_votes<M, Vector>(x, sums);
  });
  float totals[vote_count<M>()];
  for (int i = 0; i < vote_count<M>(); ++i) totals[i] = std::experimental::reduce(sums[i]);
  return RowGates<M, float>(totals, job.vote_scale);
}

template <class M>
ORRERY_INLINE void set_gates(const RowGates<M, float>& gates, LaneOf<M, Vector>& lane) {
  for (int i = 0; i < gate_count<M>(); ++i) lane.gates[i] = gates.value[i];
}

inline FactorRule<Vector> factor_rule(const RowJob& job, std::size_t example) {
  const auto time = static_cast<std::size_t>(job.examples[example].query.time);
  return {Vector(job.penalty_weight),
          job.norm,
          job.drop_rate,
          job.drop_lanes,
          random_bits(job.drop_key, job.first_position + example),
          job.layout.lanes,
          job.clock + time * clock_readings};
}

// Formulas may make something of the zeros that a row is padded with; a row never keeps it.
template <class A>
ORRERY_INLINE void clear_padding(float* row, int lanes) {
  constexpr std::size_t block = block_lanes;
  for (int l = lanes; l % block_lanes != 0; ++l)
    for (std::size_t c = 0; c < A::size; ++c) row[vector_at<A>(l) + c * block] = 0;
}

template <class M>
void forward(const RowJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    const Example& example = job.examples[i];
    const ExampleRows<M> rows(job, example, example.query.subject);
    const auto rule = factor_rule(job, i);
    LaneOf<M, Vector> lane(rule);
    if constexpr (vote_count<M>() > 0) set_gates<M>(row_gates<M>(job, rows), lane);
    float* query = job.queries + i * job.query_floats;
    for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
      VectorElement<M> x[row_count<M>];
      rows.load(place, x);
      lane.move_to(static_cast<std::uint32_t>(place.first_lane));
      store_element(query_value<M, Vector>(lane, x), query, place);
    });
    if (job.layout.padded) clear_padding<QueryAlgebra<M>>(query, job.layout.lanes);
  }
}

// Where one example's gradients go, and which rows get any.
template <class M>
struct ExampleGradients {
  static constexpr RowsUsed<M> used = rows_used<M>(std::make_index_sequence<row_count<M>>{});
  float* to[row_count<M>];
  float* answer[row_count<M>];  // of its entity rows

  ORRERY_INLINE ExampleGradients(const RowJob& job, std::size_t row_at) {
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      to[r] = job.gradients[r] + row_at;
      answer[r] = r < entity_row_count<M> ? job.answer_gradients[r] + row_at : to[r];
    }
  }
};

// The factors of the query and, if wanted, the answer, which share all rows but the entity's.
// Overwrites the gradients of the rows that factors use.
template <class M>
ORRERY_INLINE void factors_back(const RowJob& job, const float* query_gradient,
                                const ExampleRows<M>& query, LaneOf<M, Vector>& query_lane,
                                const ExampleRows<M>& answer, LaneOf<M, Vector>& answer_lane,
                                bool answers, const ExampleGradients<M>& gradients) {
  constexpr std::size_t entity_rows = entity_row_count<M>;
  for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
    VectorElement<M> x[row_count<M>], g[row_count<M>];
    QueryElement<M, Vector> d;
    query.load(place, x);
    for (auto& e : g) e = zero_element<Vector, typename M::Algebra>();
    load_element(query_gradient, place, d);
    query_lane.move_to(static_cast<std::uint32_t>(place.first_lane));
    query_back<M, Vector>(query_lane, x, d, g);
    for (std::size_t r = 0; r < entity_rows; ++r) store_element(g[r], gradients.to[r], place);
    if (answers) {
      for (std::size_t r = 0; r < entity_rows; ++r) {
        load_element(answer.from[r], place, x[r]);
        g[r] = zero_element<Vector, typename M::Algebra>();
      }
      answer_lane.move_to(static_cast<std::uint32_t>(place.first_lane));
      answer_back<M, Vector>(answer_lane, x, g);
      for (std::size_t r = 0; r < entity_rows; ++r) store_element(g[r], gradients.answer[r], place);
    }
    for (std::size_t r = entity_rows; r < row_count<M>; ++r)
      if (gradients.used.by_factors[r]) store_element(g[r], gradients.to[r], place);
  });
}

// Adds what flows through the gates; `fresh` overwrites rows that only votes use.
template <class M>
[[gnu::noinline]] void add_votes_back(const RowJob& job, const ExampleRows<M>& rows,
                                      const RowGates<M, float>& gates,
                                      const LaneOf<M, Vector>& lane,
                                      const ExampleGradients<M>& gradients,
                                      float* const* entity_gradients, bool fresh) {
  float gate_gradients[gate_count<M>()];
  for (int k = 0; k < gate_count<M>(); ++k)
    gate_gradients[k] = std::experimental::reduce(lane.gate_gradients[k]);
  Vector vote_gradients[vote_count<M>()];
  for (int v = 0; v < vote_count<M>(); ++v)
    vote_gradients[v] = gates.vote_gradient(v, gate_gradients);
  const auto to = [&](std::size_t r) ORRERY_INLINE_LAMBDA {
    return r < entity_row_count<M> ? entity_gradients[r] : gradients.to[r];
  };
  for_each_vector(job.layout, [&](const Place& place) ORRERY_INLINE_LAMBDA {
    VectorElement<M> x[row_count<M>], g[row_count<M>];
    rows.load(place, x);
    for (std::size_t r = 0; r < row_count<M>; ++r) {
      if (!gradients.used.by_votes[r]) continue;
      if (fresh && r >= entity_row_count<M> && !gradients.used.by_factors[r])
        g[r] = zero_element<Vector, typename M::Algebra>();
      else
        load_element(to(r), place, g[r]);
    }
    votes_back<M, Vector>(x, vote_gradients, g);
    for (std::size_t r = 0; r < row_count<M>; ++r)
      if (gradients.used.by_votes[r]) store_element(g[r], to(r), place);
  });
}

// One example's sweep; returns its summed penalty.
template <class M>
ORRERY_INLINE double sweep(const RowJob& job, std::size_t i) {
  const Example& example = job.examples[i];
  const bool answers = job.penalty_weight > 0;
  const ExampleRows<M> query(job, example, example.query.subject),
      answer(job, example, example.object);
  const std::size_t row_at = i * job.layout.floats();
  const float* query_gradient = job.query_gradients + i * job.query_floats;
  const ExampleGradients<M> gradients(job, row_at);
  const auto query_rule = factor_rule(job, i);
  auto answer_rule = query_rule;
  answer_rule.drop_rate = 0;
  LaneOf<M, Vector> query_lane(query_rule), answer_lane(answer_rule);
  if constexpr (vote_count<M>() > 0) {
    const auto query_gates = row_gates<M>(job, query), answer_gates = row_gates<M>(job, answer);
    set_gates<M>(query_gates, query_lane);
    set_gates<M>(answer_gates, answer_lane);
    factors_back<M>(job, query_gradient, query, query_lane, answer, answer_lane, answers,
                    gradients);
    add_votes_back<M>(job, query, query_gates, query_lane, gradients, gradients.to, true);
    if (answers)
      add_votes_back<M>(job, answer, answer_gates, answer_lane, gradients, gradients.answer, false);
  } else {
    factors_back<M>(job, query_gradient, query, query_lane, answer, answer_lane, answers,
                    gradients);
  }
  return std::experimental::reduce(query_lane.penalty) +
         std::experimental::reduce(answer_lane.penalty);
}

template <class M>
void backward(const RowJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) job.penalties[i] = sweep<M>(job, i);
}
