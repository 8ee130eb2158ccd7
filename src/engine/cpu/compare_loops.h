// Comparisons other than the inner product, for whatever vector width the including file is
// compiled for. Included only by kernels_impl.h, inside the namespace of an instruction set.

inline constexpr std::size_t tile = 4;                // rows that are held in registers together
inline constexpr std::size_t cached_candidates = 64;  // that stay close while queries pass by

template <class A>
using LanesOf = Element<Vector, A>;

// Calls body(first lane) for every vector that holds a lane.
template <class Body>
ORRERY_INLINE void for_each_vector_of(int lanes, const Body& body) {
  for (int l = 0; l < lanes; l += width) body(l);
}

// Scores of up to `tile` candidates, which lie one after the other.
template <class Comparator, class Q, class C>
ORRERY_INLINE void compare_tile(const CompareJob& job, const float* query, const float* candidates,
                                std::size_t count, float* scores) {
  Vector sums[tile] = {};
  const auto add_vector = [&](int l, const auto& keep) ORRERY_INLINE_LAMBDA {
    LanesOf<Q> q, unused_q;
    load_element(query + vector_at<Q>(l), q);
    for (std::size_t k = 0; k < tile; ++k) {
      LanesOf<C> c, unused_c;
      load_element(candidates + std::min(k, count - 1) * job.candidate_floats + vector_at<C>(l), c);
      sums[k] += keep(
          Comparator::compare(Leaf<LanesOf<Q>>{q, &unused_q}, Leaf<LanesOf<C>>{c, &unused_c}).v);
    }
  };
  const int whole = job.lanes / width * width;
  for_each_vector_of(whole, [&](int l) ORRERY_INLINE_LAMBDA {
    add_vector(l, [](const Vector& v) ORRERY_INLINE_LAMBDA { return v; });
  });
  if (whole < job.lanes)
    add_vector(whole, [&](const Vector& v) ORRERY_INLINE_LAMBDA {
      return Vector([&](auto i) { return whole + static_cast<int>(i) < job.lanes ? v[i] : 0.0F; });
    });
  for (std::size_t k = 0; k < count; ++k) {
    const float sum = std::experimental::reduce(sums[k]);
    scores[k] = Comparator::rooted ? -std::sqrt(sum) : sum;
  }
}

template <class Comparator, class Q, class C>
void compare(const CompareJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t near = 0; near < job.candidate_count; near += cached_candidates) {
    const std::size_t stop = std::min(near + cached_candidates, job.candidate_count);
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = near; j < stop; j += tile)
        compare_tile<Comparator, Q, C>(
            job, job.queries + i * job.query_floats, job.candidates + j * job.candidate_floats,
            std::min(tile, stop - j), job.scores + i * job.score_stride + j);
  }
}

// Adds to one row's gradient what up to `tile` of the rows it was held against send back. `compare`
// makes the expression of a lane from the row's leaf and the other's.
template <class Own, class Other, class Compare>
ORRERY_INLINE void add_back(int lanes, const float* own, float* own_gradient, const float* others,
                            std::size_t other_floats, std::size_t count, const float* gradients,
                            const Compare& compare) {
  for_each_vector_of(lanes, [&](int l) ORRERY_INLINE_LAMBDA {
    LanesOf<Own> x, g;
    load_element(own + vector_at<Own>(l), x);
    load_element(own_gradient + vector_at<Own>(l), g);
    for (std::size_t k = 0; k < count; ++k) {
      LanesOf<Other> y, unused;
      load_element(others + k * other_floats + vector_at<Other>(l), y);
      compare(Leaf<LanesOf<Own>>{x, &g}, Leaf<LanesOf<Other>>{y, &unused})
          .back(Vector(gradients[k]));
    }
    store_element(g, own_gradient + vector_at<Own>(l));
  });
}

template <class Comparator, class Q, class C>
void compare_back_to_queries(const CompareJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i)
    std::fill_n(job.query_gradients + i * job.query_floats, job.query_floats, 0.0F);
  for (std::size_t near = 0; near < job.candidate_count; near += cached_candidates)
    for (std::size_t i = begin; i < end; ++i)
      for (std::size_t j = near; j < std::min(near + cached_candidates, job.candidate_count);
           j += tile)
        add_back<Q, C>(job.lanes, job.queries + i * job.query_floats,
                       job.query_gradients + i * job.query_floats,
                       job.candidates + j * job.candidate_floats, job.candidate_floats,
                       std::min(tile, job.candidate_count - j),
                       job.scores + i * job.score_stride + j,
                       [](const auto& own, const auto& other)
                           ORRERY_INLINE_LAMBDA { return Comparator::compare(own, other); });
  for (std::size_t i = begin; i < end; ++i)
    clear_padding<Q>(job.query_gradients + i * job.query_floats, job.lanes);
}

template <class Comparator, class Q, class C>
void compare_back_to_candidates(const CompareJob& job, std::size_t begin, std::size_t end) {
  for (std::size_t j = begin; j < end; ++j) {
    float* gradient = job.candidate_gradients + j * job.candidate_floats;
    for (std::size_t i = 0; i < job.query_count; i += tile) {
      const std::size_t count = std::min(tile, job.query_count - i);
      float gradients[tile];
      for (std::size_t k = 0; k < count; ++k)
        gradients[k] = job.scores[(i + k) * job.score_stride + j];
      add_back<C, Q>(job.lanes, job.candidates + j * job.candidate_floats, gradient,
                     job.queries + i * job.query_floats, job.query_floats, count, gradients,
                     [](const auto& own, const auto& other)
                         ORRERY_INLINE_LAMBDA { return Comparator::compare(other, own); });
    }
    clear_padding<C>(gradient, job.lanes);
  }
}
