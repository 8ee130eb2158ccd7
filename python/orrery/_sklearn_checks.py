"""What of scikit-learn's check_estimator cannot apply to facts."""

from __future__ import annotations

_COLUMNS = "its X has 2 or 10 columns; a fact has 4 or 5, or without a time 3"
_NAMES = "it subtracts predictions, and those are names"

# Each with its reason, as check_estimator takes them; all others pass.
EXPECTED_FAILED_CHECKS: dict[str, str] = {
    "check_dtype_object": _COLUMNS,
    "check_estimators_fit_returns_self": _COLUMNS,
    "check_estimators_overwrite_params": _COLUMNS,
    "check_estimators_pickle": "it empties cells anywhere; of a fact only a date may be missing",
    "check_fit2d_1sample": _COLUMNS,
    "check_fit_check_is_fitted": _COLUMNS,
    "check_fit_idempotent": _COLUMNS,
    "check_methods_sample_order_invariance": _NAMES,
    "check_methods_subset_invariance": _NAMES,
    "check_n_features_in": _COLUMNS,
    "check_positive_only_tag_during_fit": "its names are fractions such as -1.7",
    "check_readonly_memmap_input": _COLUMNS,
}
