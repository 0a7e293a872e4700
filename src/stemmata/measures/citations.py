"""Where the measures were published."""

from stemmata.measures.definition import Citation

PAN_PC_10 = Citation(
    "potthast10",
    "Potthast, Stein, Barrón-Cedeño, Rosso: An Evaluation Framework for Plagiarism Detection. COLING 2010",
)
ACL_18 = Citation(
    "belyy18",
    "Belyy, Dubova, Nekrasov: Improved Evaluation Framework for Complex Plagiarism Detection. ACL 2018",
)
PAN_15 = Citation("pan15", "PAN 2015 text alignment evaluators, case and document level")
PLAGEVALRUS = Citation(
    "smirnov17",
    "Smirnov et al.: Evaluation Tracks on Plagiarism Detection Algorithms for the Russian Language. "
    "Dialogue 2017",
)
PAN_18 = Citation(
    "potthast18",
    "Potthast, Schremmer, Hagen, Stein: Overview of the Author Obfuscation Task at PAN 2018: "
    "A New Approach to Measuring Safety. CLEF 2018",
)
PAN_20 = Citation("pan20", "PAN 2020 to 2025 authorship verification evaluators")
PENAS_11 = Citation("penas11", "Peñas, Rodrigo: A Simple Measure to Assess Non-response. ACL 2011")
BEVENDORFF_19 = Citation(
    "bevendorff19", "Bevendorff, Stein, Hagen, Potthast: Generalizing Unmasking for Short Texts. NAACL 2019"
)
BRIER_50 = Citation(
    "brier50",
    "Brier: Verification of Forecasts Expressed in Terms of Probability. Monthly Weather Review 1950",
)
HAGEN_15 = Citation(
    "hagen15",
    "Hagen, Potthast, Stein: Source Retrieval for Plagiarism Detection from Large Web Corpora: "
    "Recent Approaches. CLEF 2015",
)
KRIPPENDORFF_11 = Citation(
    "krippendorff11",
    "Krippendorff: Computing Krippendorff's Alpha-Reliability. University of Pennsylvania 2011",
)
