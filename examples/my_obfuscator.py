"""Write an obfuscator of your own, from shared parts, and see whether verifiers still find the author.

Run it with ``python examples/my_obfuscator.py``. An obfuscator is any object with a method
``mask(problem) -> list[Piece]``; one that inherits `Recipe` says what it does as edits and gets the rest:
pieces with their places, texts in other languages left alone, markup and code never touched.
"""

from dataclasses import dataclass
from pathlib import Path

from numpy.random import Generator

from stemmata.authorship import verifiers
from stemmata.formats.obfuscation import obfuscated_text
from stemmata.formats.verification import read_problems
from stemmata.masking.constraints import Grammatical, Kept, SamePart, Sparing, allowed
from stemmata.masking.drafts import Draft
from stemmata.masking.goals import StyleGoal, VerifierGoal
from stemmata.masking.recipe import Recipe
from stemmata.masking.search import greedy
from stemmata.model import Problem
from stemmata.rewriting import Rewriting, transformations

PROBLEMS = Path(__file__).parent / "verify" / "problems"


@dataclass(frozen=True)
class SmallWords(Recipe):
    """Expands or contracts, exchanges markers and small words, wherever that makes the style another."""

    proposers = ("contractions", "discourse-markers", "equivalents")

    def rewrite(self, problem: Problem, rng: Generator) -> Rewriting:
        """Return the text with the edits that hide most, the best first."""
        text = problem.unknown.text
        draft = Draft(text)
        # Transformations propose …
        proposed = [edit for name in self.proposers for edit in transformations[name]().proposals(text)]
        # … constraints refuse …
        edits = allowed(draft, proposed, [Kept(quotations=True), Grammatical(), SamePart(), Sparing(most=3)])
        # … a goal says what each of them hides …
        goal = StyleGoal([one.text for one in problem.known] or [text]).begin(text, edits)

        def take(number: int) -> bool:
            if not draft.fits(edits[number]):
                return False
            draft.make(edits[number])
            goal.make(number)
            return True

        # … and a search chooses.
        greedy(len(edits), goal.gains, take)
        return draft.rewriting


def main() -> None:
    """Mask the texts of a few problems, and print what verifiers say of them before and after."""
    problems = read_problems(PROBLEMS)
    judges = tuple(verifiers[name]() for name in ("jankowska14", "kocher15", "cosine-delta"))
    obfuscator = SmallWords()
    for problem in problems[:3]:
        known = tuple(one.text for one in problem.known)
        company = tuple(one for one in problems if one.id != problem.id)
        hidden = obfuscated_text(obfuscator.mask(problem))
        before, after = VerifierGoal(known, judges, company).values([problem.unknown.text, hidden])
        print(f"{problem.id}: doubts {before:.2f} before, {after:.2f} after")
        print(f"  {' '.join(hidden.split())[:100]} …")


if __name__ == "__main__":
    main()
