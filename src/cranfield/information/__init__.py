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
        "InformationTauPairs": "order_pairs",
        "InformationTaus": "tau",
        "JointRIC": "joint",
        "RICSummary": "ric",
        "Selection": "system_selection",
        "compare_orders": "order_pairs",
        "compute_information_difference": "difference",
        "compute_information_tau": "tau",
        "compute_information_taus": "tau",
        "compute_joint_ric": "joint",
        "compute_ric": "ric",
        "estimate_information_tau_null": "tau",
        "prepare_experiment": "experiment",
        "select_systems": "system_selection",
        "summarize_ric": "ric",
    },
)
