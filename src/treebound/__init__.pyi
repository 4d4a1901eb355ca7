"""The public names in pipeline order, for type checkers and for the lazy imports of ``__init__.py``."""

from treebound.data import (
    load as load,
    load_schema as load_schema,
    open_table as open_table,
    inspect as inspect,
    encode_rows as encode_rows,
    Dataset as Dataset,
    Schema as Schema,
    Variable as Variable,
    Discretise as Discretise,
    Preparation as Preparation,
    Inspection as Inspection,
    DataError as DataError,
)
from treebound._budget import (
    Budget as Budget,
)
from treebound._memory import (
    NotEnoughMemory as NotEnoughMemory,
)
from treebound._progress import (
    Progress as Progress,
)
from treebound.scoring import (
    score as score,
    Exhaustive as Exhaustive,
    Independence as Independence,
    Bic as Bic,
    Bdeu as Bdeu,
    ScoringResult as ScoringResult,
    ScoringReport as ScoringReport,
    MemoryEstimate as MemoryEstimate,
)
from treebound.scoring.cache import (
    ParentSetCache as ParentSetCache,
    ParentSet as ParentSet,
    CacheError as CacheError,
)
from treebound.formats.cache_files import (
    load_cache as load_cache,
    save_cache as save_cache,
)
from treebound.structure import (
    Structure as Structure,
    StructureError as StructureError,
    KTree as KTree,
    TreeDecomposition as TreeDecomposition,
    Guarantee as Guarantee,
    score_structure as score_structure,
    cpdag as cpdag,
    Cpdag as Cpdag,
    markov_equivalent as markov_equivalent,
    shd as shd,
    diff as diff,
    StructureDiff as StructureDiff,
    check as check,
    Verdict as Verdict,
    treewidth_bounds as treewidth_bounds,
    TreewidthBounds as TreewidthBounds,
)
from treebound.formats.structure_files import (
    load_structure as load_structure,
    save_structure as save_structure,
)
from treebound.formats.networkx import (
    to_networkx as to_networkx,
    from_networkx as from_networkx,
)
from treebound._learn import (
    learn as learn,
    LearnResult as LearnResult,
    estimate_memory as estimate_memory,
)
from treebound.search import (
    Regrow as Regrow,
    Gobnilp as Gobnilp,
    ExactIlp as ExactIlp,
    ExactDp as ExactDp,
    KGreedy as KGreedy,
    KAStar as KAStar,
    KMax as KMax,
    HcEt as HcEt,
    OrderSearch as OrderSearch,
    ElidanGould as ElidanGould,
    ChowLiu as ChowLiu,
    S2 as S2,
    S2Plus as S2Plus,
    Empty as Empty,
    CliquePolicy as CliquePolicy,
    OrderSampling as OrderSampling,
    SearchResult as SearchResult,
    Improvement as Improvement,
    StopReason as StopReason,
    WithinKTree as WithinKTree,
    best_in_ktree as best_in_ktree,
    solve_order as solve_order,
)
from treebound.network import (
    fit as fit,
    MarginalPrior as MarginalPrior,
    BackoffPrior as BackoffPrior,
    BdeuPrior as BdeuPrior,
    PseudoCount as PseudoCount,
    MaximumLikelihood as MaximumLikelihood,
    BayesianNetwork as BayesianNetwork,
    random_network as random_network,
    random_inverted_tree as random_inverted_tree,
    kl_divergence as kl_divergence,
)
from treebound.formats.network_files import (
    load_network as load_network,
    save_network as save_network,
    LossySave as LossySave,
    NetworkFileError as NetworkFileError,
)
from treebound.formats.uai_answers import (
    load_evidence as load_evidence,
    save_evidence as save_evidence,
    load_answer as load_answer,
    save_answer as save_answer,
)
from treebound.formats.networkx import (
    network_from_networkx as network_from_networkx,
)
from treebound.formats.pgmpy import (
    to_pgmpy as to_pgmpy,
    from_pgmpy as from_pgmpy,
)
from treebound.formats.pyagrum import (
    to_pyagrum as to_pyagrum,
    from_pyagrum as from_pyagrum,
)
from treebound.inference import (
    JunctionTree as JunctionTree,
    Posterior as Posterior,
    Marginals as Marginals,
    MostProbable as MostProbable,
    Sensitivity as Sensitivity,
    ParameterSensitivity as ParameterSensitivity,
    InferenceError as InferenceError,
    UnknownLabel as UnknownLabel,
    ImpossibleEvidence as ImpossibleEvidence,
)
from treebound.plot import (
    plot_structure as plot_structure,
    plot_tree_decomposition as plot_tree_decomposition,
    plot_trace as plot_trace,
    plot_curves as plot_curves,
    plot_victories as plot_victories,
    plot_arc_strength as plot_arc_strength,
    plot_treewidths as plot_treewidths,
    plot_w_scores as plot_w_scores,
    save_figure as save_figure,
)
from treebound.resampling import (
    arc_strength as arc_strength,
    ArcStrength as ArcStrength,
    Bootstrap as Bootstrap,
    ModelAveraging as ModelAveraging,
    choose_treewidth as choose_treewidth,
    TreewidthChoice as TreewidthChoice,
    CrossValidation as CrossValidation,
    Split as Split,
)
from treebound.experiments import (
    compare as compare,
    ComparisonResult as ComparisonResult,
    Scoring as Scoring,
    RunRecord as RunRecord,
    ChangedSettings as ChangedSettings,
    load_comparison as load_comparison,
    save_comparison as save_comparison,
    w_score as w_score,
    sign_test as sign_test,
)

__version__: str
