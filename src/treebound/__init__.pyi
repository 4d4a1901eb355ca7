"""The public names in pipeline order, for type checkers and for the lazy imports of ``__init__.py``.

Imports are relative because ``lazy_loader`` reads no others.
"""

from . import (
    data as data,
    tables as tables,
    constraints as constraints,
    scoring as scoring,
    structure as structure,
    solvers as solvers,
    inference as inference,
    network as network,
    formats as formats,
    plot as plot,
    learning as learning,
    density as density,
    experiments as experiments,
    resampling as resampling,
    distributed as distributed,
    sklearn as sklearn,
    explorer as explorer,
)
from .tables import (
    load as load,
    inspect as inspect,
)
from .data import (
    Dataset as Dataset,
    Schema as Schema,
    Variable as Variable,
    Discretise as Discretise,
    DataError as DataError,
)
from ._budget import (
    Budget as Budget,
)
from ._memory import (
    NotEnoughMemory as NotEnoughMemory,
)
from ._progress import (
    Progress as Progress,
    Observer as Observer,
)
from .constraints import (
    Constraints as Constraints,
)
from .scoring import (
    score as score,
    Exhaustive as Exhaustive,
    Independence as Independence,
    Bic as Bic,
    Bdeu as Bdeu,
    ParentSetCache as ParentSetCache,
    CacheError as CacheError,
)
from .structure import (
    Structure as Structure,
    StructureError as StructureError,
    check as check,
)
from .solvers import (
    search as search,
    SearchResult as SearchResult,
)
from ._where import (
    Local as Local,
)
from .learning import (
    learn as learn,
    LearnResult as LearnResult,
    estimate_memory as estimate_memory,
)
from .density import (
    learn_density as learn_density,
)
from .network import (
    fit as fit,
    MarginalPrior as MarginalPrior,
    BackoffPrior as BackoffPrior,
    BdeuPrior as BdeuPrior,
    PseudoCount as PseudoCount,
    MaximumLikelihood as MaximumLikelihood,
    BayesianNetwork as BayesianNetwork,
    random_network as random_network,
)
from .inference import (
    JunctionTree as JunctionTree,
    InferenceError as InferenceError,
    ImpossibleEvidence as ImpossibleEvidence,
)
from .formats import (
    load_cache as load_cache,
    save_cache as save_cache,
    load_structure as load_structure,
    save_structure as save_structure,
    load_model as load_model,
    save_model as save_model,
    load_network as load_network,
    save_network as save_network,
    NetworkFileError as NetworkFileError,
)
from .explorer import (
    explore as explore,
)
from ._version import (
    __version__ as __version__,
)
