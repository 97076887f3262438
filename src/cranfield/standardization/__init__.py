"""Scores on a scale that topics share: schemes, factors that are learnt once, and a study of what they do."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "StandardizationFactors": "factors",
        "StandardizationStudy": "study",
        "fit_standardization": "factors",
        "read_factors": "factors",
        "standardize": "factors",
        "study_standardization": "study",
    },
)
