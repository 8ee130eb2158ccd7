#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "math/lane.h"
#include "models/attention.h"
#include "models/model.h"

namespace orrery {

template <class Attention, class Product>
struct Bsca {
  static constexpr std::string_view name = "bsca";
  static constexpr std::string_view title =
      "BSCA: biquaternion embeddings with complex-valued attention";
  static constexpr std::string_view paper =
      "Geng, Luo: Biquaternionic Space with Complex-valued Attention for Temporal Knowledge Graph "
      "Completion";
  static constexpr std::string_view formula =
      "attend(attention; entity + time_add, entity + relation_add) · "
      "((relation_mul + time_joint) · time_mul)";
  using Algebra = Product;
  static constexpr std::array choices = {
      Choice{"attention", Attention::name, "how its two views are weighed"},
      Choice{"product", std::is_same_v<Product, Biquaternion> ? "hamilton" : "componentwise",
             "its product; `componentwise` is the paper's ablation"},
  };
  static constexpr std::array rows = {
      RowSpec{"entity", RowOf::entity},
      RowSpec{"relation_mul", RowOf::relation},
      RowSpec{"relation_add", RowOf::relation, Without::zero},
      RowSpec{"attention", RowOf::relation, Without::impossible, Attention::votes != 0},
      RowSpec{"time_mul", RowOf::time, Without::one},
      RowSpec{"time_add", RowOf::time, Without::zero},
      RowSpec{"time_joint", RowOf::time, Without::zero},
  };

  // R(r, t), what a relation does to an entity at a time.
  ORRERY_INLINE static auto transform(const auto& relation_mul, const auto& time_joint,
                                      const auto& time_mul) {
    return (relation_mul + time_joint) * time_mul;
  }

  ORRERY_INLINE static auto query(auto& lane, const auto& entity, const auto& relation_mul,
                                  const auto& relation_add, const auto&, const auto& time_mul,
                                  const auto& time_add, const auto& time_joint) {
    const auto fused = lane.factor(Attention::fuse(lane, entity + time_add, entity + relation_add));
    const auto transformed = lane.factor(transform(relation_mul, time_joint, time_mul));
    return fused * transformed;
  }

  // The answer is regularised as it would be fused in the same context.
  ORRERY_INLINE static auto answer(auto& lane, const auto& entity, const auto&,
                                   const auto& relation_add, const auto&, const auto&,
                                   const auto& time_add, const auto&) {
    return lane.factor(Attention::fuse(lane, entity + time_add, entity + relation_add));
  }

  // The product without its shifts, ⟨entity · relation_mul · time_mul, answer⟩, as a function of
  // its relation and of its time.
  using AsksAs = Bsca<NoAttention, Product>;
  static constexpr int relation_answers = 1, time_answers = 4;
  ORRERY_INLINE static auto which_relation(const auto& entity, const auto&, const auto&,
                                           const auto&, const auto& time_mul, const auto&,
                                           const auto&, const auto& answer) {
    return times_adjoint(adjoint_times(entity, answer), time_mul);
  }
  ORRERY_INLINE static auto which_time(const auto& entity, const auto& relation_mul, const auto&,
                                       const auto&, const auto&, const auto&, const auto&,
                                       const auto& answer) {
    return adjoint_times(entity * relation_mul, answer);
  }

  static constexpr int vote_count = Attention::votes;
  static constexpr int gate_count = Attention::gates;
  ORRERY_INLINE static auto votes(const auto& entity, const auto&, const auto& relation_add,
                                  const auto& attention, const auto&, const auto& time_add,
                                  const auto&) {
    return Attention::vote(attention, entity + time_add, entity + relation_add);
  }
  static double vote_scale(int lanes) { return 1.0 / std::sqrt(4.0 * lanes); }
  template <class T>
  ORRERY_INLINE static auto gates(const std::array<T, vote_count>& z) {
    return Attention::gate(z);
  }
};

}  // namespace orrery
