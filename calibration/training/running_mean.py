"""The running mean of a network's weights, which reads better than the weights of any one step (Polyak averaging)."""

from copy import deepcopy
from typing import Generic, TypeVar

import torch

Network = TypeVar("Network", bound=torch.nn.Module)


class RunningMean(Generic[Network]):
    """Follows a network while it is trained; ``network`` is the mean of its weights so far."""

    def __init__(self, followed: Network, decay: float) -> None:
        self.network = deepcopy(followed)
        self._followed = followed
        self._decay = decay
        self._steps = 0

    def follow(self) -> None:
        """Take in the weights after one more step; the first steps count for less than their number."""
        self._steps += 1
        kept = min(self._decay, self._steps / (self._steps + 19))
        with torch.no_grad():
            for mean, value in zip(
                self.network.state_dict().values(), self._followed.state_dict().values(), strict=True
            ):
                if mean.dtype.is_floating_point:
                    mean.mul_(kept).add_(value, alpha=1 - kept)
                else:
                    mean.copy_(value)
