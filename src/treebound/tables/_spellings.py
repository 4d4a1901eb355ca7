"""One value that is spelled in several ways: true and TRUE, yes, Yes and Y."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

_PAIRS: tuple[Mapping[str, str], ...] = (
    {"y": "yes", "yes": "yes", "n": "no", "no": "no"},
    {"t": "true", "true": "true", "f": "false", "false": "false"},
)


def unified(text: str, words: Mapping[str, str]) -> str:
    """The text in lower case and without whitespace around it; short forms become their word."""
    folded = text.strip().casefold()
    return words.get(folded, folded)


def words_of(texts: Iterable[str]) -> Mapping[str, str]:
    """The short forms of texts that are yes or no, or true or false; none for other texts.

    They may stand among others, such as unknown, if one of the words occurs with its short form.
    """
    folded = {text.strip().casefold() for text in texts}
    for pair in _PAIRS:
        has_both = any(short != word and {short, word} <= folded for short, word in pair.items())
        if folded <= set(pair) or has_both:
            return pair
    return {}


def are_spelled_twice(texts: Iterable[str]) -> bool:
    """Whether some of the texts are one value in several spellings."""
    different = set(texts)
    words = words_of(different)
    return len({unified(text, words) for text in different}) < len(different)
