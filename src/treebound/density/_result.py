"""What ``learn_density`` returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from treebound._description import Described, Description, Table
from treebound._run import StopReason
from treebound._visible import counted
from treebound.network import BayesianNetwork, Mixture, SharedMixture


@dataclass(frozen=True)
class DensityMember:
    """One member of the combined model: its weight, and its own fit of the held-out rows in nats."""

    name: str
    weight: float
    valid_log_likelihood: float


@dataclass(frozen=True, eq=False, repr=False)
class DensityResult(Described):
    """A density and how it came about.

    ``model`` answers every query. ``members`` are all models that were tried, the heaviest first; those of
    weight zero are not part of the model. ``valid_log_likelihood`` is the mean log-likelihood of the held-out
    rows in the model, in nats; since these rows also chose the weights, it is slightly optimistic.
    """

    model: BayesianNetwork | Mixture | SharedMixture
    members: tuple[DensityMember, ...]
    valid_log_likelihood: float
    seconds: float
    steps: int
    stopped: StopReason

    @property
    def was_interrupted(self) -> bool:
        """Whether Ctrl-C cut the work short."""
        return self.stopped is StopReason.INTERRUPTED

    def describe(self) -> Description:
        """Return a row for each member."""
        rows = [[f"{one.weight:.3f}", f"{one.valid_log_likelihood:.4f}", one.name] for one in self.members]
        return Description(
            f"density: {self.valid_log_likelihood:.4f} nats per held-out row, {self.seconds:.1f} s",
            tables=[Table(["weight", "held-out", "member"], rows, right=(0, 1))],
            data={
                "valid_log_likelihood": self.valid_log_likelihood,
                "members": [asdict(one) for one in self.members],
                "seconds": self.seconds,
                "steps": self.steps,
                "stopped": str(self.stopped),
            },
        )

    def __repr__(self) -> str:
        size = (
            f"{counted(len(self.members), 'member')}, {self.valid_log_likelihood:.4f} nats per held-out row"
        )
        return f"<DensityResult: {size}>"
