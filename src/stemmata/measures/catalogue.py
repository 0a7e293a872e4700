"""All measures, declared once: what `stemmata list measures` shows and `stemmata score` computes."""

from __future__ import annotations

from stemmata.measures import alignment
from stemmata.measures.definition import Citation, Measure, Parameter
from stemmata.model import Registry

PAN_PC_10 = Citation(
    "potthast10",
    "Potthast, Stein, Barrón-Cedeño, Rosso: An Evaluation Framework for Plagiarism Detection. COLING 2010",
)
ACL_18 = Citation(
    "belyy18",
    "Belyy, Dubova, Nekrasov: Improved Evaluation Framework for Complex Plagiarism Detection. ACL 2018",
)
PAN_15 = Citation("pan15", "PAN 2015 text alignment evaluators, case and document level")

_ALPHA = Parameter("alpha", float, 1.0, "weight of recall in F_alpha")
_TAU = (
    Parameter("tau_recall", float, 0.5, "share of a case that must be covered"),
    Parameter("tau_precision", float, 0.5, "share of a detection that must be right"),
)
_COMPAT = Parameter("compat", str, "none", "'reference' averages micro as the authors' program does")


def _alignment() -> tuple[Measure, ...]:
    a = alignment
    rows = [
        ("granularity", "Granularity", a.granularity, PAN_PC_10, ()),
        ("macro.precision", "Precision", a.precision_macro, PAN_PC_10, ()),
        ("macro.recall", "Recall", a.recall_macro, PAN_PC_10, ()),
        ("macro.plagdet", "Plagdet", a.plagdet_macro, PAN_PC_10, (_ALPHA,)),
        ("micro.precision", "Precision (micro)", a.precision_micro, PAN_PC_10, ()),
        ("micro.recall", "Recall (micro)", a.recall_micro, PAN_PC_10, ()),
        ("micro.plagdet", "Plagdet (micro)", a.plagdet_micro, PAN_PC_10, (_ALPHA,)),
        ("normalized.macro.precision", "Norm. precision", a.normalized_precision_macro, ACL_18, ()),
        ("normalized.macro.recall", "Norm. recall", a.normalized_recall_macro, ACL_18, ()),
        ("normalized.macro.plagdet", "Normplagdet", a.normplagdet_macro, ACL_18, (_ALPHA,)),
        (
            "normalized.micro.precision",
            "Norm. precision (micro)",
            a.normalized_precision_micro,
            ACL_18,
            (_COMPAT,),
        ),
        ("normalized.micro.recall", "Norm. recall (micro)", a.normalized_recall_micro, ACL_18, (_COMPAT,)),
        ("normalized.micro.plagdet", "Normplagdet (micro)", a.normplagdet_micro, ACL_18, (_ALPHA, _COMPAT)),
        ("case_level.precision", "Precision (cases)", a.case_precision, PAN_15, _TAU),
        ("case_level.recall", "Recall (cases)", a.case_recall, PAN_15, _TAU),
        ("case_level.f1", "F1 (cases)", a.case_f1, PAN_15, _TAU),
        ("document_level.precision", "Precision (documents)", a.document_precision, PAN_15, _TAU),
        ("document_level.recall", "Recall (documents)", a.document_recall, PAN_15, _TAU),
        ("document_level.f1", "F1 (documents)", a.document_f1, PAN_15, _TAU),
    ]
    return tuple(
        Measure(key, title, "alignment", formula, citation, tuple(parameters), key == "granularity")
        for key, title, formula, citation, parameters in rows
    )


ALIGNMENT = _alignment()

measures: Registry[Measure] = Registry("measure")
for _measure in ALIGNMENT:
    measures.add(_measure.key, _measure)
