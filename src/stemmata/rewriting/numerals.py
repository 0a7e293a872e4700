"""Numbers in words. English."""

from __future__ import annotations

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_LARGEST = 1_000_000


def in_words(number: int) -> str:
    """Return a number from 0 to 999,999 in words; a greater one in digits.

    Examples
    --------
    >>> in_words(42), in_words(1705)
    ('forty-two', 'one thousand seven hundred five')
    """
    if not 0 <= number < _LARGEST:
        return str(number)
    if number < 20:
        return _ONES[number]
    if number < 100:
        tens, ones = divmod(number, 10)
        return f"{_TENS[tens]}-{_ONES[ones]}" if ones else _TENS[tens]
    size, name = (1000, "thousand") if number >= 1000 else (100, "hundred")
    many, rest = divmod(number, size)
    return f"{in_words(many)} {name} {in_words(rest) if rest else ''}".rstrip()
