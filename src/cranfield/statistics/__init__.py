"""Statistics on NumPy arrays, which know nothing of retrieval: arrays in, numbers out.

A function is imported from here, or from the module of its subject: ``cranfield.statistics.tau_b`` is in
``rank_correlation``. The documentation describes two of the modules, ``rank_correlation`` and
``indefinite_rankings``; the others serve the analyses.
"""

from importlib import import_module
from typing import Any

from cranfield._lazy import exported

_MODULES = ("indefinite_rankings", "rank_correlation")
"""The modules that the documentation describes."""

_NAMES = {
    "abstention": ["abstention_curve", "nauc"],
    "anova": ["TwoWay", "residual_of", "two_way"],
    "bootstrap": ["paired_bootstrap"],
    "clustered_agreement": ["labels_on_resampled_topics", "systems_on_resampled_topics"],
    "contrasts": ["Contrasts"],
    "copulas": ["copula_sample", "exchangeable_sample"],
    "discriminative_power": ["pair_share", "significant_shares"],
    "ecdf": ["empirical_cdf"],
    "entropy": ["binary_entropy", "conditional_information", "sign_information", "sign_table_information"],
    "error_rates": ["subset_rates", "swap_rates"],
    "generalizability": ["Generalizability", "conditions_within", "resampled_components"],
    "indefinite_rankings": ["rbo_of_rankings"],
    "information_tau": ["order_information"],
    "interrater": ["cohen_kappa", "krippendorff_alpha"],
    "intervals": ["bca_interval", "mean_interval", "percentile_interval", "t_interval"],
    "judge_bias": ["estimate_judge_bias"],
    "list_preference": ["Preference", "preferences"],
    "logistic": ["log_loss", "sign_cross_entropy"],
    "max_t": ["max_t_by_bootstrap", "max_t_by_flips"],
    "monte_carlo": ["samples_needed"],
    "multiple_testing": ["adjust"],
    "paired_differences": ["TableDifferences"],
    "paired_tests": ["margin_power", "moments", "paired_t", "sign_test", "welch", "wilcoxon", "within_margin"],
    "posterior": ["StudentMixture", "paired_posterior", "shared_posterior"],
    "power": ["anova_power", "effect_interval", "interval_width", "smallest_effect", "t_power"],
    "prediction_powered_inference": ["powered_mean", "powered_mean_of_strata", "tuned_lambda"],
    "rank_confidence_sets": ["RankSets", "rank_sets"],
    "rank_correlation": [
        "gamma",
        "kendall_distance",
        "pearson",
        "rbo",
        "rmse",
        "spearman",
        "symmetric_tau_ap",
        "tau_a",
        "tau_ap",
        "tau_ap_a",
        "tau_ap_b",
        "tau_b",
    ],
    "reproducibility": ["effects", "list_agreement", "nrmse", "paired_difference", "unpaired_difference"],
    "resampling": ["Samples", "bootstrap_counts", "permutations"],
    "risk": ["resampled_risk", "risk_against_all", "risk_intervals", "risk_of"],
    "rounding": ["NOISE", "cleared", "exchange_p", "is_noise", "signs_p", "units_needed"],
    "replicated_tests": ["run_spread"],
    "sign_flips": ["sign_flip_test"],
    "simultaneous": [
        "dunnett_quantile",
        "dunnett_survival",
        "null_ranges",
        "randomized_tukey",
        "tukey_quantile",
        "tukey_survival",
    ],
}
"""Module -> what can be imported from here."""

_function, _functions = exported(__name__, {name: module for module, names in _NAMES.items() for name in names})


def __getattr__(name: str) -> Any:
    return import_module(f"{__name__}.{name}") if name in _MODULES else _function(name)


def __dir__() -> list[str]:
    return sorted([*_functions(), *_MODULES])
