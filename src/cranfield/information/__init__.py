"""The information framework: the information of rankings about relevance, alone, jointly and beyond each other."""

from cranfield._lazy import exported

__getattr__, __dir__ = exported(
    __name__,
    {
        "Evidence": "evidence",
        "Experiment": "experiment",
        "InformationDifference": "difference",
        "InformationTau": "tau",
        "InformationTauNull": "tau_null",
        "InformationTaus": "taus",
        "JointRIC": "joint",
        "Selection": "selection",
        "compute_information_difference": "difference",
        "compute_information_tau": "tau",
        "compute_information_taus": "taus",
        "compute_joint_ric": "joint",
        "compute_ric": "relevance",
        "estimate_information_tau_null": "tau_null",
        "prepare_experiment": "experiment",
        "select_systems": "selection",
    },
)
