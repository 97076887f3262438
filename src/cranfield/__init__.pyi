"""Public names of ``cranfield``, from the modules that define them, and every measure with its parameters."""

# Each measure's call takes its own parameters, which the call of a measure in general does not promise.
# mypy: disable-error-code="override"

from collections.abc import Mapping
from typing import Literal, Self

from cranfield import agreement as agreement
from cranfield import boards as boards
from cranfield import collection as collection
from cranfield import comparison as comparison
from cranfield import conformance as conformance
from cranfield import datasets as datasets
from cranfield import errors as errors
from cranfield import fusion as fusion
from cranfield import holes as holes
from cranfield import information as information
from cranfield import integrations as integrations
from cranfield import io as io
from cranfield import measures as measures
from cranfield import pairwise as pairwise
from cranfield import partitions as partitions
from cranfield import plot as plot
from cranfield import pooling as pooling
from cranfield import scores as scores
from cranfield import simulation as simulation
from cranfield import standardization as standardization
from cranfield import topic_difficulty as topic_difficulty
from cranfield import trust as trust
from cranfield.agreement.ranking_agreement import compare_rankings as compare_rankings
from cranfield.boards.ranking import board as board
from cranfield.checking.checks import check as check
from cranfield.collection.qrels import Qrels as Qrels
from cranfield.collection.reading import InputOptions as InputOptions
from cranfield.collection.run import Run as Run
from cranfield.comparison.means import estimate_means as estimate_means
from cranfield.comparison.pairwise import compare as compare
from cranfield.comparison.regression_gate.assertion import assert_no_regression as assert_no_regression
from cranfield.comparison.run_difference import diff as diff
from cranfield.datasets.cranfield_collection import load_cranfield as load_cranfield
from cranfield.errors import CranfieldError as CranfieldError
from cranfield.errors import CranfieldWarning as CranfieldWarning
from cranfield.errors import InputError as InputError
from cranfield.errors import UsageError as UsageError
from cranfield.evaluation import evaluate as evaluate
from cranfield.evaluation import evaluate_means as evaluate_means
from cranfield.evaluation import summarize as summarize
from cranfield.evaluation import to_frame as to_frame
from cranfield.fusion.combination import fuse as fuse
from cranfield.fusion.headroom import estimate_headroom as estimate_headroom
from cranfield.holes.fitting import estimate_holes as estimate_holes
from cranfield.io.trec import read_qrels as read_qrels
from cranfield.io.trec import read_run as read_run
from cranfield.io.trec import write as write
from cranfield.label_distribution import describe_label_effects as describe_label_effects
from cranfield.label_distribution import describe_labels as describe_labels
from cranfield.measures import Measure as Measure
from cranfield.measures import measure as measure
from cranfield.measures import parse_measure as parse_measure
from cranfield.measures import parse_measures as parse_measures
from cranfield.protocol import Protocol as Protocol
from cranfield.reporting.report import report as report
from cranfield.reporting.report import report_scores as report_scores
from cranfield.results.by_group import repeat_by_group as repeat_by_group
from cranfield.scores.files import read_scores as read_scores
from cranfield.scores.files import write_scores as write_scores
from cranfield.scoring.scorer import Scorer as Scorer
from cranfield.standardization.factors import standardize as standardize
from cranfield.topic_difficulty.estimation import estimate_difficulty as estimate_difficulty
from cranfield.trust.measure_audit import audit as audit
from cranfield.trust.topic_selection import select_topics as select_topics

__version__: str
_FACADE: dict[str, str]
_ROOMS: tuple[str, ...]

# ---- written by ``python -m cranfield.measures._stub``: every measure with its parameters

class _Accuracy(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _alpha_DCG(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _alpha_nDCG(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        rel: float = ...,
        ideal: Literal["greedy", "exact"] = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _AP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        denominator: Literal["R", "min", "retrieved"] = ...,
        judged_only: bool = ...,
        no_relevant: Literal["undefined", "one"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _AP_IA(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _AWRF(Measure):
    def __call__(
        self,
        *,
        attention: Literal["log2", "geometric"] = ...,
        p: float = ...,
        base: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _binG(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _BPM(Measure):
    def __call__(
        self,
        *,
        T: float = ...,
        dynamic: bool = ...,
        hb: float = ...,
        hc: float = ...,
        med: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Bpref(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _bpref_N(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _bpref_R(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _bpref_relative(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _Compat(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        normalize: bool = ...,
    ) -> Self: ...

class _CWL_AP(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _CWL_P(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _CWL_RBP(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _CWL_RR(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _D_EBR(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_ERR(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_iRBU(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_NCU(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        stopping: Literal["rank-biased", "graded"] = ...,
        beta: float = ...,
        gamma: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _D_nDCG(Measure):
    def __call__(
        self,
        *,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_nERR(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_O_measure(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _D_P_measure(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _D_P_plus(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _D_Q(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _D_RBP(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DCG(Measure):
    def __call__(
        self,
        *,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_AP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_EBR(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_ERR(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_iRBU(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_nDCG(Measure):
    def __call__(
        self,
        *,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_nERR(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_P(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_Q(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_RBP(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DIN_Success(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DINsharp_nDCG(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _DINsharp_Q(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_EBR(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_ERR(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_iRBU(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_nDCG(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        ideal: Literal["each", "reachable"] = ...,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_Q(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        ideal: Literal["each", "reachable"] = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Dsharp_RBP(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _EBR(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _EBR_IA(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _ElevenPoint(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _ERR(Measure):
    def __call__(
        self,
        *,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _ERR_IA(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        rel: float = ...,
        gain: Literal["binary", "graded"] = ...,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _F1(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _G(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
    ) -> Self: ...

class _GAP(Measure):
    def __call__(
        self,
        *,
        thresholds: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _GF(Measure):
    def __call__(
        self,
        *,
        similarity: Literal["JSD", "NMD", "RNOD"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _GFR(Measure):
    def __call__(
        self,
        *,
        similarity: Literal["JSD", "NMD", "RNOD"] = ...,
        relevance: Literal["ERR", "iRBU"] = ...,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _GMAP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _GMBpref(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _I_rec(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | Literal["n", "l_min"] | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int | Literal["n", "l_min"]) -> Self: ...

class _infAP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _infNDCG(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        counts: Literal["whole", "fraction"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _INSQ(Measure):
    def __call__(
        self,
        *,
        T: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _INST(Measure):
    def __call__(
        self,
        *,
        T: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _IPrec(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        recall: float | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: float) -> Self: ...

class _iRBU(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _iRBU_IA(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Judged(Measure):
    def __call__(
        self,
        *,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _NCG(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _NCU(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        stopping: Literal["graded", "rank-biased", "uniform"] = ...,
        utility: Literal["BR", "P"] = ...,
        beta: float = ...,
        gamma: float = ...,
        gains: Mapping[float, float] | None = ...,
        stops: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _nDCG(Measure):
    def __call__(
        self,
        *,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        judged_only: bool = ...,
        negative: Literal["zero", "keep"] | None = ...,
        baseline: Literal["zero", "zero_judged", "worst", "worst_judged", "random"] = ...,
        mean_gain: bool = ...,
        no_relevant: Literal["undefined", "one"] = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _nDCG_IA(Measure):
    def __call__(
        self,
        *,
        discount: Literal["log2", "jk"] = ...,
        b: float = ...,
        dcg: Literal["log2", "exp-log2"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _ndcg_rel(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
    ) -> Self: ...

class _nERR(Measure):
    def __call__(
        self,
        *,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _NERR10(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _NERR11(Measure):
    def __call__(
        self,
        *,
        T: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _NERR8(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _NERR9(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _nERR_IA(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        rel: float = ...,
        gain: Literal["binary", "graded"] = ...,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        ideal: Literal["greedy", "exact"] = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _nNRBP(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        beta: float = ...,
        rel: float = ...,
        ideal: Literal["greedy", "exact"] = ...,
    ) -> Self: ...

class _NRBP(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        beta: float = ...,
        rel: float = ...,
    ) -> Self: ...

class _NRBP_IA(Measure):
    def __call__(
        self,
        *,
        alpha: float = ...,
        beta: float = ...,
        rel: float = ...,
    ) -> Self: ...

class _NumNonRelJudgedRet(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _NumPrefs(Measure):
    def __call__(
        self,
        *,
        which: Literal["right", "retrieved", "all"] = ...,
    ) -> Self: ...

class _NumQ(Measure):
    pass

class _NumRel(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _NumRelRet(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _NumRet(Measure):
    def __call__(
        self,
        *,
        rel: float | None = ...,
    ) -> Self: ...

class _O_measure(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _P(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        relative: bool = ...,
        denominator: Literal["k", "retrieved", "judged"] = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _P_IA(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _P_measure(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _P_plus(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _P_plus_Q(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _P_plus_Qsharp(Measure):
    def __call__(
        self,
        *,
        gamma: float | Mapping[str, float] = ...,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _prefs_simp(Measure):
    def __call__(
        self,
        *,
        among: Literal["judged", "implied", "retrieved"] = ...,
    ) -> Self: ...

class _Q(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        denominator: Literal["R", "min"] = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Q_EC(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        gains: Mapping[float, float] | None = ...,
        denominator: Literal["R", "min"] = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Q_IA(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        denominator: Literal["R", "min"] = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _R(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _RBP(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        rel: float | None = ...,
        gain: Literal["linear", "exp"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _RBP_IA(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _RBPResidual(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _RBU(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        effort: float = ...,
        stop: Literal["exp", "linear"] = ...,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _RIC(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        signed: bool = ...,
        pair_weight: Literal["uniform", "geometric"] = ...,
        p: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Rndcg(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
    ) -> Self: ...

class _Rprec(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        mult: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _rpref_N(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
        max_rel: float | None = ...,
    ) -> Self: ...

class _rpref_relative(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
    ) -> Self: ...

class _rpref_relative2(Measure):
    def __call__(
        self,
        *,
        gains: Mapping[float, float] | None = ...,
    ) -> Self: ...

class _RR(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _S_precision(Measure):
    def __call__(
        self,
        *,
        recall: float = ...,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...
    def __matmul__(self, value: float) -> Self: ...

class _SDCG(Measure):
    def __call__(
        self,
        *,
        dcg: Literal["log2", "exp-log2"] = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _SetAP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _SetF(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        beta: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _SetP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        relative: bool = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _SetR(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
    ) -> Self: ...

class _SetRelP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...

class _SRIC(Measure):
    def __call__(
        self,
        *,
        p: float = ...,
        rel: float = ...,
        signed: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Success(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Success_IA(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        gains: Mapping[float, float] | None = ...,
        judged_only: bool = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _TBG(Measure):
    def __call__(
        self,
        *,
        h: float = ...,
        rel: float | None = ...,
        min_rel: float = ...,
        max_rel: float | None = ...,
        depth: int | None = ...,
        quantity: Literal["EU", "ETU", "EC", "ETC", "ED"] = ...,
        residual: bool = ...,
    ) -> Self: ...

class _Unjudged(Measure):
    def __call__(
        self,
        *,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _Utility(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        a: float = ...,
        b: float = ...,
    ) -> Self: ...

class _WS_precision(Measure):
    def __call__(
        self,
        *,
        recall: float = ...,
        a: float = ...,
        b: float = ...,
        rel: float = ...,
        judged_only: bool = ...,
    ) -> Self: ...
    def __matmul__(self, value: float) -> Self: ...

class _xinfAP(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

class _yaap(Measure):
    def __call__(
        self,
        *,
        rel: float = ...,
        cutoff: int | None = ...,
    ) -> Self: ...
    def __matmul__(self, value: int) -> Self: ...

Accuracy: _Accuracy
alpha_DCG: _alpha_DCG
α_DCG: _alpha_DCG
alpha_nDCG: _alpha_nDCG
α_nDCG: _alpha_nDCG
AP: _AP
MAP: _AP
AP_IA: _AP_IA
MAP_IA: _AP_IA
AWRF: _AWRF
binG: _binG
BPM: _BPM
Bpref: _Bpref
BPref: _Bpref
bpref_N: _bpref_N
bpref_R: _bpref_R
bpref_relative: _bpref_relative
Compat: _Compat
CWL_AP: _CWL_AP
CWL_P: _CWL_P
CWL_RBP: _CWL_RBP
CWL_RR: _CWL_RR
D_EBR: _D_EBR
D_ERR: _D_ERR
D_iRBU: _D_iRBU
D_NCU: _D_NCU
D_nDCG: _D_nDCG
div_nDCG: _D_nDCG
D_nERR: _D_nERR
D_O_measure: _D_O_measure
D_P_measure: _D_P_measure
D_P_plus: _D_P_plus
D_Q: _D_Q
div_Q: _D_Q
D_RBP: _D_RBP
DCG: _DCG
DIN_AP: _DIN_AP
DIN_EBR: _DIN_EBR
DIN_ERR: _DIN_ERR
DIN_iRBU: _DIN_iRBU
DIN_nDCG: _DIN_nDCG
DIN_nERR: _DIN_nERR
DIN_P: _DIN_P
DIN_Q: _DIN_Q
DIN_RBP: _DIN_RBP
DIN_Success: _DIN_Success
DINsharp_nDCG: _DINsharp_nDCG
DINsharp_Q: _DINsharp_Q
Dsharp_EBR: _Dsharp_EBR
Dsharp_ERR: _Dsharp_ERR
Dsharp_iRBU: _Dsharp_iRBU
Dsharp_nDCG: _Dsharp_nDCG
Idiv_nDCG: _Dsharp_nDCG
Dsharp_Q: _Dsharp_Q
Idiv_Q: _Dsharp_Q
Dsharp_RBP: _Dsharp_RBP
EBR: _EBR
EBR_IA: _EBR_IA
ElevenPoint: _ElevenPoint
ERR: _ERR
ERR_IA: _ERR_IA
F1: _F1
G: _G
GAP: _GAP
GF: _GF
GFR: _GFR
GMAP: _GMAP
GMBpref: _GMBpref
I_rec: _I_rec
StRecall: _I_rec
strec: _I_rec
I_recall: _I_rec
S_recall: _I_rec
infAP: _infAP
infNDCG: _infNDCG
INSQ: _INSQ
INST: _INST
IPrec: _IPrec
iRBU: _iRBU
iRBU_IA: _iRBU_IA
Judged: _Judged
NCG: _NCG
nCG: _NCG
NCU: _NCU
nDCG: _nDCG
NDCG: _nDCG
NDCG_org: _nDCG
NDCG_org_judged: _nDCG
NDCG_0: _nDCG
NDCG_min: _nDCG
NDCG_min_judged: _nDCG
NDCG_std: _nDCG
nDCG_IA: _nDCG_IA
ndcg_rel: _ndcg_rel
nERR: _nERR
NERR10: _NERR10
NERR11: _NERR11
NERR8: _NERR8
NERR9: _NERR9
nERR_IA: _nERR_IA
nNRBP: _nNRBP
NRBP: _NRBP
NRBP_IA: _NRBP_IA
NumNonRelJudgedRet: _NumNonRelJudgedRet
NumPrefs: _NumPrefs
NumQ: _NumQ
NumRel: _NumRel
NumRelRet: _NumRelRet
NumRet: _NumRet
O_measure: _O_measure
P: _P
Precision: _P
P_IA: _P_IA
P_measure: _P_measure
P_plus: _P_plus
P_plus_Q: _P_plus_Q
PplusQ: _P_plus_Q
P_plus_Qsharp: _P_plus_Qsharp
prefs_simp: _prefs_simp
Q: _Q
Q_measure: _Q
Q_EC: _Q_EC
Q_IA: _Q_IA
R: _R
Recall: _R
RBP: _RBP
RBP_IA: _RBP_IA
RBPResidual: _RBPResidual
RBU: _RBU
RIC: _RIC
Rndcg: _Rndcg
Rprec: _Rprec
RPrec: _Rprec
rpref_N: _rpref_N
rpref_relative: _rpref_relative
rpref_relative2: _rpref_relative2
RR: _RR
MRR: _RR
S_precision: _S_precision
SDCG: _SDCG
SetAP: _SetAP
SetF: _SetF
SetP: _SetP
SetR: _SetR
SetRelP: _SetRelP
SRIC: _SRIC
Success: _Success
HitRate: _Success
accuracy: _Success
Success_IA: _Success_IA
TBG: _TBG
Unjudged: _Unjudged
Utility: _Utility
WS_precision: _WS_precision
xinfAP: _xinfAP
yaap: _yaap
