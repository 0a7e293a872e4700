"""Who hid it: obfuscators, which rewrite a text so that its author cannot be told."""

from __future__ import annotations

from collections.abc import Callable

from stemmata.model import Obfuscator, Registry

obfuscators: Registry[Callable[..., Obfuscator]] = Registry(
    "obfuscator",
    {
        "bakhteev-2017": "stemmata.masking.published.bakhteev:Bakhteev2017",
        "bevendorff-2019": "stemmata.masking.published.bevendorff:Bevendorff2019",
        "castro-2017": "stemmata.masking.published.castro:Castro2017",
        "keswani-2016": "stemmata.masking.published.keswani:Keswani2016",
        "kocher-savoy-2018": "stemmata.masking.published.kocher_savoy:KocherSavoy2018",
        "mansoorizadeh-2016": "stemmata.masking.published.mansoorizadeh:Mansoorizadeh2016",
        "mihaylova-2016": "stemmata.masking.published.mihaylova:Mihaylova2016",
        "mutant-x-2019": "stemmata.masking.published.mutant_x:MutantX2019",
        "rahgouy-2018": "stemmata.masking.published.rahgouy:Rahgouy2018",
        "stemmata": "stemmata.masking.guided.masker:Stemmata",
    },
    method="mask",
)
"""Obfuscators by name; calling one makes it ready to `mask`."""

__all__ = ["obfuscators"]
