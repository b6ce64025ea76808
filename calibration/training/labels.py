"""The classes that the face network tells apart, in the order of its outputs."""

from vision.dice import ACTION_DIE, CHANCE_CUBE, KINDS, NUMBER_DIE, PIP_DIE, RIG_DIE

NOTHING = "nothing"
"""The kind of a patch that shows no upper face: a floor, a coin, a face wrongly outlined, a mark too worn to tell."""

PIP_BODIES = ("white", "yellow", "other")
"""Bodies of pip dice that the games tell apart; cream and ivory count as white."""

Label = tuple[str, str, str | None]
"""Kind, face and body of one class; face "" for ``NOTHING``, body None where any will do."""


def face_labels() -> tuple[Label, ...]:
    """All classes, kinds in the vocabulary's order.

    >>> len(face_labels()), face_labels()[0], face_labels()[-1]
    (61, ('nothing', '', None), ('number-die', '12', None))
    """
    labels: list[Label] = [(NOTHING, "", None)]
    labels += [(CHANCE_CUBE, face, face) for face in KINDS[CHANCE_CUBE].faces]
    labels += [(RIG_DIE, face, body) for body in KINDS[RIG_DIE].bodies for face in KINDS[RIG_DIE].faces]
    labels += [(PIP_DIE, face, body) for body in PIP_BODIES for face in KINDS[PIP_DIE].faces]
    action = KINDS[ACTION_DIE]
    labels += [
        (ACTION_DIE, face, body) for body in action.bodies for face in action.faces if action.has_face(face, body)
    ]
    labels += [(NUMBER_DIE, face, None) for face in KINDS[NUMBER_DIE].faces]
    return tuple(labels)
