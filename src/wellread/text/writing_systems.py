"""Ranges of characters by how their scripts part words, for character classes of regular expressions."""

from __future__ import annotations

from typing import Final

IDEOGRAPHS: Final = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3040-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua48f\uf900-\ufaff\U00016fe0-\U00018cff\U0001aff0-\U0001b2ff"
    "\U00020000-\U0003ffff"
)
"""Letters of Chinese and Japanese, with kana and bopomofo, and of Yi, Tangut and Nushu: words stand without spaces."""
SOUTH_EAST_ASIAN: Final = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u1950-\u19ff\u1a20-\u1aaf\u1b00-\u1b7f\ua980-\ua9ff\uaa60-\uaadf"
)
"""Thai, Lao; Myanmar; Khmer; Tai Le, New Tai Lue, Tai Tham; Balinese; Javanese; Myanmar extended; Tai Viet."""
HANGUL: Final = "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
"""Korean, which has spaces."""
UNSPACED: Final = f"{SOUTH_EAST_ASIAN}{IDEOGRAPHS}\u3000-\u303f\uff00-\uffef"
"""What stands without spaces: the letters of these scripts, East Asian punctuation, full-width forms."""
