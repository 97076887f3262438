"""The information framework: the information of rankings about relevance, alone, jointly and beyond each other."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Evidence": "judgment_sources",
        "Experiment": "experiment",
        "InformationDifference": "difference",
        "InformationTau": "tau",
        "InformationTauNull": "tau",
        "InformationTaus": "tau",
        "JointRIC": "joint",
        "Selection": "system_selection",
        "compute_information_difference": "difference",
        "compute_information_tau": "tau",
        "compute_information_taus": "tau",
        "compute_joint_ric": "joint",
        "compute_ric": "ric",
        "estimate_information_tau_null": "tau",
        "prepare_experiment": "experiment",
        "select_systems": "system_selection",
    },
)
