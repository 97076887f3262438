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

_function, _functions = exported(
    __name__,
    {
        "Contrasts": "contrasts",
        "Generalizability": "generalizability",
        "Preference": "list_preference",
        "RankSets": "rank_confidence_sets",
        "Samples": "resampling",
        "StudentMixture": "posterior",
        "TableDifferences": "paired_differences",
        "TwoWay": "anova",
        "abstention_curve": "abstention",
        "adjust": "multiple_testing",
        "anova_power": "power",
        "bca_interval": "intervals",
        "binary_entropy": "entropy",
        "bootstrap_counts": "resampling",
        "cohen_kappa": "interrater",
        "conditional_information": "entropy",
        "conditions_within": "generalizability",
        "copula_sample": "copulas",
        "dunnett_quantile": "simultaneous",
        "dunnett_survival": "simultaneous",
        "effect_interval": "power",
        "effects": "reproducibility",
        "empirical_cdf": "ecdf",
        "estimate_judge_bias": "judge_bias",
        "exchangeable_sample": "copulas",
        "gamma": "rank_correlation",
        "interval_width": "power",
        "kendall_distance": "rank_correlation",
        "krippendorff_alpha": "interrater",
        "labels_on_resampled_topics": "clustered_agreement",
        "list_agreement": "reproducibility",
        "log_loss": "logistic",
        "margin_power": "paired_tests",
        "max_t_by_bootstrap": "max_t",
        "max_t_by_flips": "max_t",
        "nauc": "abstention",
        "nrmse": "reproducibility",
        "null_ranges": "simultaneous",
        "order_information": "information_tau",
        "pair_share": "discriminative_power",
        "paired_bootstrap": "bootstrap",
        "paired_difference": "reproducibility",
        "paired_posterior": "posterior",
        "paired_t": "paired_tests",
        "pearson": "rank_correlation",
        "percentile_interval": "intervals",
        "permutations": "resampling",
        "powered_mean": "prediction_powered_inference",
        "powered_mean_of_strata": "prediction_powered_inference",
        "preferences": "list_preference",
        "randomized_tukey": "simultaneous",
        "rank_sets": "rank_confidence_sets",
        "rbo": "rank_correlation",
        "rbo_of_rankings": "indefinite_rankings",
        "resampled_components": "generalizability",
        "resampled_risk": "risk",
        "residual_of": "anova",
        "risk_against_all": "risk",
        "risk_intervals": "risk",
        "risk_of": "risk",
        "rmse": "rank_correlation",
        "samples_needed": "monte_carlo",
        "shared_posterior": "posterior",
        "sign_cross_entropy": "logistic",
        "sign_flip_test": "sign_flips",
        "sign_information": "entropy",
        "sign_table_information": "entropy",
        "sign_test": "paired_tests",
        "significant_shares": "discriminative_power",
        "smallest_effect": "power",
        "spearman": "rank_correlation",
        "subset_rates": "error_rates",
        "swap_rates": "error_rates",
        "symmetric_tau_ap": "rank_correlation",
        "systems_on_resampled_topics": "clustered_agreement",
        "t_interval": "intervals",
        "t_power": "power",
        "tau_a": "rank_correlation",
        "tau_ap": "rank_correlation",
        "tau_ap_a": "rank_correlation",
        "tau_ap_b": "rank_correlation",
        "tau_b": "rank_correlation",
        "tukey_quantile": "simultaneous",
        "tukey_survival": "simultaneous",
        "tuned_lambda": "prediction_powered_inference",
        "two_way": "anova",
        "unpaired_difference": "reproducibility",
        "welch": "paired_tests",
        "wilcoxon": "paired_tests",
        "within_margin": "paired_tests",
    },
)


def __getattr__(name: str) -> Any:
    return import_module(f"{__name__}.{name}") if name in _MODULES else _function(name)


def __dir__() -> list[str]:
    return sorted([*_functions(), *_MODULES])
