// The loops of every model of the list. Included only by kernels_impl.h, inside the namespace of an
// instruction set.

template <class M>
inline constexpr std::array<bool, row_count<M>> rows_with_gradients = [] {
  constexpr RowsUsed<M> used = ExampleGradients<M>::used;
  std::array<bool, row_count<M>> any{};
  for (std::size_t r = 0; r < row_count<M>; ++r) any[r] = used.by_factors[r] || used.by_votes[r];
  return any;
}();

template <class M>
inline constexpr bool has_shared_row = [] {
  bool any = false;
  for (const RowSpec& row : M::rows) any = any || row.of == RowOf::shared;
  return any;
}();

template <class M>
constexpr FormulaKernels formula_kernels() {
  return {forward<M>, backward<M>, rows_with_gradients<M>};
}

template <class M>
constexpr RowKernels kernels_of() {
  using Timeline = typename TimelineOf<M>::type;
  RowKernels kernels = {formula_kernels<M>(), {},     {}, nullptr, nullptr, nullptr,
                        smooth<Timeline>,     nullptr};
  for_each_side<M>([&]<AuxiliaryLoss Question>() {
    kernels.auxiliary[static_cast<std::size_t>(Question)] =
        formula_kernels<SideFormulaOf<M, Question>>();
  });
  if constexpr (has_shared_row<M>) kernels.smooth_shared = smooth_shared<Timeline>;
  if constexpr (derives_candidates<M>) kernels.candidate = formula_kernels<CandidateOf<M>>();
  if constexpr (!Comparator<M>::product) {
    using Q = QueryAlgebra<M>;
    using C = CandidateAlgebra<M>;
    kernels.compare = compare<Comparator<M>, Q, C>;
    kernels.compare_back_to_queries = compare_back_to_queries<Comparator<M>, Q, C>;
    kernels.compare_back_to_candidates = compare_back_to_candidates<Comparator<M>, Q, C>;
  }
  return kernels;
}

template <class List>
struct TableFor;
template <class... Models>
struct TableFor<ModelList<Models...>> {
  static constexpr RowKernels all[] = {kernels_of<Models>()...};
};
