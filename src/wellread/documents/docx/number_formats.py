"""Numbers in the list formats of Word documents (ECMA-376 part 1, 17.18.59); number words are English only."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_MAX_REPEATED: Final = 20
"""Letters of one label: Word counts `z, aa, bb`."""
_ROMAN: Final = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
    (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip
_MAX_ROMAN: Final = 32_767
_LATIN: Final = "abcdefghijklmnopqrstuvwxyz"
_ALPHABETS: Final = {
    "lowerLetter": _LATIN,
    "upperLetter": _LATIN.upper(),
    "russianLower": "".join(map(chr, (*range(0x430, 0x439), *range(0x43A, 0x44A), 0x44B, *range(0x44D, 0x450)))),
    "russianUpper": "".join(map(chr, (*range(0x410, 0x419), *range(0x41A, 0x42A), 0x42B, *range(0x42D, 0x430)))),
    "hebrew2": "אבגדהוזחטיכלמנסעפצקרשת",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضظغ",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "hindiConsonants": "कखगघङचछजझञटठडढणतथदधनपफबभमयरलवशषसह",
    "hindiVowels": "अआइईउऊऋऌऍऎएऐऑऒओऔ",
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ",
    "irohaFullWidth": (
        "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセスン"
    ),
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "ideographTraditional": "甲乙丙丁戊己庚辛壬癸",
    "ideographZodiac": "子丑寅卯辰巳午未申酉戌亥",
    "chicago": "*†‡§",
}
_FULL_WIDTH: Final = "".join(map(chr, range(0xFF10, 0xFF1A)))
_DIGITS: Final = {
    "decimalFullWidth": _FULL_WIDTH,
    "decimalFullWidth2": _FULL_WIDTH,
    "hindiNumbers": "०१२३४५६७८९",
    "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
    "ideographDigital": "〇一二三四五六七八九",
    "japaneseDigitalTenThousand": "〇一二三四五六七八九",
    "taiwaneseDigital": "○一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
}
_COUNTING: Final = {
    **dict.fromkeys(
        ("japaneseCounting", "chineseCounting", "chineseCountingThousand", "taiwaneseCounting"),
        "一二三四五六七八九十百千",
    ),
    "taiwaneseCountingThousand": "一二三四五六七八九十百千",
    "koreanCounting": "일이삼사오육칠팔구십백천",
    "chineseLegalSimplified": "壹贰叁肆伍陆柒捌玖拾佰仟",
    "ideographLegalTraditional": "壹貳參肆伍陸柒捌玖拾佰仟",
    "japaneseLegal": "壱弐参四伍六七八九拾百阡",
}
_DROPS_ONE: Final = frozenset({"japaneseCounting", "koreanCounting", "taiwaneseCounting", "chineseCounting"})
"""These write ten, hundred and thousand without a one before it."""
_ENCLOSED: Final = {
    "decimalEnclosedCircle": (0x2460, 20),
    "decimalEnclosedCircleChinese": (0x2460, 20),
    "decimalEnclosedParen": (0x2474, 20),
    "decimalEnclosedFullstop": (0x2488, 20),
    "ideographEnclosedCircle": (0x3280, 10),
    "ideographParenthesized": (0x3220, 10),
}
_SMALL: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = ("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ORDINALS: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
}  # fmt: skip


def formatted(number: int, number_format: str) -> str:
    """Return a number in a format of Word; in digits where the format or the number has no other form."""
    if number_format in _ALPHABETS:
        return _lettered(number, _ALPHABETS[number_format])
    if number_format in _DIGITS:
        return "".join(_DIGITS[number_format][int(digit)] for digit in str(max(number, 0)))
    if number_format in _COUNTING:
        return _counted(number, _COUNTING[number_format], drops_one=number_format in _DROPS_ONE)
    if number_format in _ENCLOSED:
        first, count = _ENCLOSED[number_format]
        if 1 <= number <= count:
            return chr(first + number - 1)
        return str(number)
    writer = _FORMATS.get(number_format, _decimal)
    return writer(number)


def _decimal(number: int) -> str:
    return str(number)


def _lettered(number: int, alphabet: str) -> str:
    turns, index = divmod(number - 1, len(alphabet))
    if number < 1 or turns >= _MAX_REPEATED:
        return str(number)
    return alphabet[index] * (turns + 1)


def _counted(number: int, signs: str, *, drops_one: bool) -> str:
    """Return a number of East Asia below ten thousand: digits one to nine, each with its ten, hundred or thousand."""
    if not 1 <= number <= 9_999:
        return str(number)
    text = ""
    for power in (3, 2, 1, 0):
        digit = number // 10**power % 10
        if not digit:
            continue
        if digit > 1 or power == 0 or not drops_one:
            text += signs[digit - 1]
        if power:
            text += signs[8 + power]
    return text


def _roman(number: int) -> str:
    if not 1 <= number <= _MAX_ROMAN:
        return str(number)
    text = ""
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        text += letters * count
    return text


def _lower_roman(number: int) -> str:
    return _roman(number).lower()


def _zero_padded(number: int) -> str:
    return f"{number:02}"


def _ordinal(number: int) -> str:
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    if number % 100 in {11, 12, 13}:
        suffix = "th"
    return f"{number}{suffix}"


def _words(number: int) -> str:
    if not 0 <= number <= 99:
        return str(number)
    if number < len(_SMALL):
        return _SMALL[number]
    tens, units = divmod(number, 10)
    if not units:
        return _TENS[tens]
    return f"{_TENS[tens]}-{_SMALL[units]}"


def _cardinal_text(number: int) -> str:
    return _words(number).capitalize()


def _ordinal_text(number: int) -> str:
    words = _words(number)
    if words.isdigit():
        return _ordinal(number)
    head, hyphen, last = words.rpartition("-")
    if last in _ORDINALS:
        last = _ORDINALS[last]
    elif last.endswith("y"):
        last = f"{last[:-1]}ieth"
    else:
        last = f"{last}th"
    return f"{head}{hyphen}{last}".capitalize()


def _hebrew(number: int) -> str:
    """Return the letters whose values add up to a number; 15 and 16 avoid the name of God."""
    if not 1 <= number <= 999:
        return str(number)
    text = ""
    for value, letter in zip((400, 300, 200, 100), "תשרק", strict=True):
        while number >= value:
            text += letter
            number -= value
    if number in {15, 16}:
        return text + "\u05d8" + "\u05d5\u05d6"[number - 15]
    tens, units = divmod(number, 10)
    return text + _HEBREW_TENS[tens] + _HEBREW_UNITS[units]


def _hex(number: int) -> str:
    return f"{number:X}"


def _dashed(number: int) -> str:
    return f"- {number} -"


def _none(_: int) -> str:
    return ""


_HEBREW_TENS: Final[tuple[str, ...]] = ("", *"\u05d9\u05db\u05dc\u05de\u05e0\u05e1\u05e2\u05e4\u05e6")
_HEBREW_UNITS: Final[tuple[str, ...]] = ("", *map(chr, range(0x5D0, 0x5D9)))
_FORMATS: Final[dict[str, Callable[[int], str]]] = {
    "upperRoman": _roman,
    "lowerRoman": _lower_roman,
    "decimalZero": _zero_padded,
    "ordinal": _ordinal,
    "cardinalText": _cardinal_text,
    "ordinalText": _ordinal_text,
    "hebrew1": _hebrew,
    "hex": _hex,
    "numberInDash": _dashed,
    "none": _none,
    "bullet": _none,
}
