"""What the reader sees on the mat of a labelled picture."""

from calibration.training.stills import Still, truth_of
from vision.camera import Camera
from vision.find_mat import as_grey, find_mat
from vision.floor import ViewMap, fit_floor
from vision.network import FaceNetwork
from vision.on_mat import Seen, see_on_mat


def seen_on_mat(still: Still, network: FaceNetwork) -> tuple[Camera, Seen] | None:
    """The camera, and what stands on the mat, sought among the kinds that lie there; None where there is no mat."""
    mat = find_mat(as_grey(still.picture))
    if mat is None:
        return None
    view = ViewMap.of(mat.camera).draw(still.picture)
    floor = fit_floor(view)
    if floor is None:
        return None
    kinds = {truth_of(die)[0] for die in still.label["dice"]} or None
    return mat.camera, see_on_mat(still.picture, view, floor, mat.camera, network, kinds)
