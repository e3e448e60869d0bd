"""The signs that fonts of signs draw: their codes are no characters of Unicode, and texts in them name the font.

Symbol has the encoding of Adobe's font of that name; Wingdings and Webdings were mapped when their signs were added to
Unicode (ISO/IEC JTC1/SC2/WG2 N4384, in Unicode 7.0).
"""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = 0x20
_PRIVATE: Final = 0xF000
"""Windows puts the codes of such fonts into the private use area of Unicode, from here on."""
_PRIVATE_CODES: Final = re.compile("[\uf020-\uf0ff]")
UNKNOWN: Final = "\ufffd"
"""Stands for a sign that has no character of its own."""

_SIGNS: Final = {
    "symbol": (
        " !\u2200#\u2203%&\u220d()*+,\u2212./0123456789:;<=>?\u2245\u0391\u0392\u03a7\u0394\u0395\u03a6\u0393"
        "\u0397\u0399\u03d1\u039a\u039b\u039c\u039d\u039f\u03a0\u0398\u03a1\u03a3\u03a4\u03a5\u03c2\u03a9\u039e"
        "\u03a8\u0396[\u2234]\u22a5_\u203e\u03b1\u03b2\u03c7\u03b4\u03b5\u03c6\u03b3\u03b7\u03b9\u03d5\u03ba"
        "\u03bb\u03bc\u03bd\u03bf\u03c0\u03b8\u03c1\u03c3\u03c4\u03c5\u03d6\u03c9\u03be\u03c8\u03b6{|}~\ufffd"
        "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
        "\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\u20ac\u03d2"
        "\u2032\u2264\u2044\u221e\u0192\u2663\u2666\u2665\u2660\u2194\u2190\u2191\u2192\u2193\xb0\xb1\u2033\u2265"
        "\xd7\u221d\u2202\u2022\xf7\u2260\u2261\u2248\u2026\u23d0\u23af\u21b5\u2135\u2111\u211c\u2118\u2297\u2295"
        "\u2205\u2229\u222a\u2283\u2287\u2284\u2282\u2286\u2208\u2209\u2220\u2207\xae\xa9\u2122\u220f\u221a\u22c5"
        "\xac\u2227\u2228\u21d4\u21d0\u21d1\u21d2\u21d3\u25ca\u3008\xae\xa9\u2122\u2211\u239b\u239c\u239d\u23a1"
        "\u23a2\u23a3\u23a7\u23a8\u23a9\u23aa\uf8ff\u3009\u222b\u2320\u23ae\u2321\u239e\u239f\u23a0\u23a4\u23a5"
        "\u23a6\u23ab\u23ac\u23ad\ufffd"
    ),
    "wingdings": (
        " \U0001f589\u2702\u2701\U0001f453\U0001f56d\U0001f56e\U0001f56f\U0001f57f\u2706\U0001f582\U0001f583"
        "\U0001f4ea\U0001f4eb\U0001f4ec\U0001f4ed\U0001f5c0\U0001f5c1\U0001f5ce\U0001f5cf\U0001f5d0\U0001f5c4"
        "\u231b\U0001f5ae\U0001f5b0\U0001f5b2\U0001f5b3\U0001f5b4\U0001f5ab\U0001f5ac\u2707\u270d\U0001f58e\u270c"
        "\U0001f58f\U0001f44d\U0001f44e\u261c\u261e\u261d\u261f\U0001f590\u263a\U0001f610\u2639\U0001f4a3"
        "\U0001f571\U0001f3f3\U0001f3f1\u2708\u263c\U0001f322\u2744\U0001f546\u271e\U0001f548\u2720\u2721\u262a"
        "\u262f\U0001f549\u2638\u2648\u2649\u264a\u264b\u264c\u264d\u264e\u264f\u2650\u2651\u2652\u2653\U0001f670"
        "\U0001f675\u26ab\U0001f53e\u25fc\U0001f78f\U0001f790\u2751\u2752\U0001f79f\u29eb\u25c6\u2756\u2b29\u2327"
        "\u2bb9\u2318\U0001f3f5\U0001f3f6\U0001f676\U0001f677\u25af\U0001f10b\u2780\u2781\u2782\u2783\u2784\u2785"
        "\u2786\u2787\u2788\u2789\U0001f10c\u278a\u278b\u278c\u278d\u278e\u278f\u2790\u2791\u2792\u2793\U0001f662"
        "\U0001f660\U0001f661\U0001f663\U0001f65e\U0001f65c\U0001f65d\U0001f65f\u2219\u2022\u2b1d\u2b58\U0001f786"
        "\U0001f788\U0001f78a\U0001f78b\U0001f53f\u25aa\U0001f78e\U0001f7c1\U0001f7c5\u2605\U0001f7cb\U0001f7cf"
        "\U0001f7d3\U0001f7d1\u2bd0\u2316\u2bce\u2bcf\u2bd1\u272a\u2730\U0001f550\U0001f551\U0001f552\U0001f553"
        "\U0001f554\U0001f555\U0001f556\U0001f557\U0001f558\U0001f559\U0001f55a\U0001f55b\u2bb0\u2bb1\u2bb2\u2bb3"
        "\u2bb4\u2bb5\u2bb6\u2bb7\U0001f66a\U0001f66b\U0001f655\U0001f654\U0001f657\U0001f656\U0001f650\U0001f651"
        "\U0001f652\U0001f653\u232b\u2326\u2b98\u2b9a\u2b99\u2b9b\u2b88\u2b8a\u2b89\u2b8b\U0001f868\U0001f86a"
        "\U0001f869\U0001f86b\U0001f86c\U0001f86d\U0001f86f\U0001f86e\U0001f878\U0001f87a\U0001f879\U0001f87b"
        "\U0001f87c\U0001f87d\U0001f87f\U0001f87e\u21e6\u21e8\u21e7\u21e9\u2b04\u21f3\u2b01\u2b00\u2b03\u2b02"
        "\U0001f8ac\U0001f8ad\U0001f5f6\u2713\U0001f5f7\U0001f5f9\ufffd"
    ),
    "wingdings 2": (
        " \U0001f58a\U0001f58b\U0001f58c\U0001f58d\u2704\u2700\U0001f57e\U0001f57d\U0001f5c5\U0001f5c6\U0001f5c7"
        "\U0001f5c8\U0001f5c9\U0001f5ca\U0001f5cb\U0001f5cc\U0001f5cd\U0001f4cb\U0001f5d1\U0001f5d4\U0001f5b5"
        "\U0001f5b6\U0001f5b7\U0001f5b8\U0001f5ad\U0001f5af\U0001f5b1\U0001f592\U0001f593\U0001f598\U0001f599"
        "\U0001f59a\U0001f59b\U0001f448\U0001f449\U0001f59c\U0001f59d\U0001f59e\U0001f59f\U0001f5a0\U0001f5a1"
        "\U0001f446\U0001f447\U0001f5a2\U0001f5a3\U0001f591\U0001f5f4\U0001f5f8\U0001f5f5\u2611\u2bbd\u2612\u2bbe"
        "\u2bbf\U0001f6c7\u29b8\U0001f671\U0001f674\U0001f672\U0001f673\u203d\U0001f679\U0001f67a\U0001f67b"
        "\U0001f666\U0001f664\U0001f665\U0001f667\U0001f65a\U0001f658\U0001f659\U0001f65b\u24ea\u2460\u2461\u2462"
        "\u2463\u2464\u2465\u2466\u2467\u2468\u2469\u24ff\u2776\u2777\u2778\u2779\u277a\u277b\u277c\u277d\u277e"
        "\u277f\ufffd\u2609\U0001f315\u263d\u263e\u2e3f\u271d\U0001f547\U0001f55c\U0001f55d\U0001f55e\U0001f55f"
        "\U0001f560\U0001f561\U0001f562\U0001f563\U0001f564\U0001f565\U0001f566\U0001f567\U0001f668\U0001f669"
        "\u22c5\U0001f784\u2981\u25cf\u25cb\U0001f785\U0001f787\U0001f789\u2299\u29bf\U0001f78c\U0001f78d\u25fe"
        "\u25a0\u25a1\U0001f791\U0001f792\U0001f793\U0001f794\u25a3\U0001f795\U0001f796\U0001f797\U0001f798\u2b29"
        "\u2b25\u25c7\U0001f79a\u25c8\U0001f79b\U0001f79c\U0001f79d\U0001f79e\u2b2a\u2b27\u25ca\U0001f7a0\u25d6"
        "\u25d7\u2bca\u2bcb\u2bc0\u2bc1\u2b1f\u2bc2\u2b23\u2b22\u2bc3\u2bc4\U0001f7a1\U0001f7a2\U0001f7a3"
        "\U0001f7a4\U0001f7a5\U0001f7a6\U0001f7a7\U0001f7a8\U0001f7a9\U0001f7aa\U0001f7ab\U0001f7ac\U0001f7ad"
        "\U0001f7ae\U0001f7af\U0001f7b0\U0001f7b1\U0001f7b2\U0001f7b3\U0001f7b4\U0001f7b5\U0001f7b6\U0001f7b7"
        "\U0001f7b8\U0001f7b9\U0001f7ba\U0001f7bb\U0001f7bc\U0001f7bd\U0001f7be\U0001f7bf\U0001f7c0\U0001f7c2"
        "\U0001f7c4\U0001f7c6\U0001f7c9\U0001f7ca\u2736\U0001f7cc\U0001f7ce\U0001f7d0\U0001f7d2\u2739\U0001f7c3"
        "\U0001f7c7\u272f\U0001f7cd\U0001f7d4\u2bcc\u2bcd\u203b\u2042\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
    ),
    "wingdings 3": (
        " \u2b60\u2b62\u2b61\u2b63\u2b66\u2b67\u2b69\u2b68\u2b70\u2b72\u2b71\u2b73\u2b76\u2b78\u2b7b\u2b7d\u2b64"
        "\u2b65\u2b6a\u2b6c\u2b6b\u2b6d\u2b4d\u2ba0\u2ba1\u2ba2\u2ba3\u2ba4\u2ba5\u2ba6\u2ba7\u2b90\u2b91\u2b92"
        "\u2b93\u2b80\u2b83\u2b7e\u2b7f\u2b84\u2b86\u2b85\u2b87\u2b8f\u2b8d\u2b8e\u2b8c\u2b6e\u2b6f\u238b\u2324"
        "\u2303\u2325\u2423\u237d\u21ea\u2bb8\U0001f8a0\U0001f8a1\U0001f8a2\U0001f8a3\U0001f8a4\U0001f8a5"
        "\U0001f8a6\U0001f8a7\U0001f8a8\U0001f8a9\U0001f8aa\U0001f8ab\U0001f850\U0001f852\U0001f851\U0001f853"
        "\U0001f854\U0001f855\U0001f857\U0001f856\U0001f858\U0001f859\u25b2\u25bc\u25b3\u25bd\u25c0\u25b6\u25c1"
        "\u25b7\u25e3\u25e2\u25e4\u25e5\U0001f780\U0001f782\U0001f781\ufffd\U0001f783\u2bc5\u2bc6\u2bc7\u2bc8"
        "\u2b9c\u2b9e\u2b9d\u2b9f\U0001f810\U0001f812\U0001f811\U0001f813\U0001f814\U0001f816\U0001f815\U0001f817"
        "\U0001f818\U0001f81a\U0001f819\U0001f81b\U0001f81c\U0001f81e\U0001f81d\U0001f81f\U0001f800\U0001f802"
        "\U0001f801\U0001f803\U0001f804\U0001f806\U0001f805\U0001f807\U0001f808\U0001f80a\U0001f809\U0001f80b"
        "\U0001f820\U0001f822\U0001f824\U0001f826\U0001f828\U0001f82a\U0001f82c\U0001f89c\U0001f89d\U0001f89e"
        "\U0001f89f\U0001f82e\U0001f830\U0001f832\U0001f834\U0001f836\U0001f838\U0001f83a\U0001f839\U0001f83b"
        "\U0001f898\U0001f89a\U0001f899\U0001f89b\U0001f83c\U0001f83e\U0001f83d\U0001f83f\U0001f840\U0001f842"
        "\U0001f841\U0001f843\U0001f844\U0001f846\U0001f845\U0001f847\u2ba8\u2ba9\u2baa\u2bab\u2bac\u2bad\u2bae"
        "\u2baf\U0001f860\U0001f862\U0001f861\U0001f863\U0001f864\U0001f865\U0001f867\U0001f866\U0001f870"
        "\U0001f872\U0001f871\U0001f873\U0001f874\U0001f875\U0001f877\U0001f876\U0001f880\U0001f882\U0001f881"
        "\U0001f883\U0001f884\U0001f885\U0001f887\U0001f886\U0001f890\U0001f892\U0001f891\U0001f893\U0001f894"
        "\U0001f896\U0001f895\U0001f897\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd"
        "\ufffd\ufffd\ufffd"
    ),
    "webdings": (
        " \U0001f577\U0001f578\U0001f572\U0001f576\U0001f3c6\U0001f396\U0001f587\U0001f5e8\U0001f5e9\U0001f5f0"
        "\U0001f5f1\U0001f336\U0001f397\U0001f67e\U0001f67c\U0001f5d5\U0001f5d6\U0001f5d7\u23f4\u23f5\u23f6\u23f7"
        "\u23ea\u23e9\u23ee\u23ed\u23f8\u23f9\u23fa\U0001f5da\U0001f5f3\U0001f6e0\U0001f3d7\U0001f3d8\U0001f3d9"
        "\U0001f3da\U0001f3dc\U0001f3ed\U0001f3db\U0001f3e0\U0001f3d6\U0001f3dd\U0001f6e3\U0001f50d\U0001f3d4"
        "\U0001f441\U0001f442\U0001f3de\U0001f3d5\U0001f6e4\U0001f3df\U0001f6f3\U0001f56c\U0001f56b\U0001f568"
        "\U0001f508\U0001f394\U0001f395\U0001f5ec\U0001f67d\U0001f5ed\U0001f5ea\U0001f5eb\u2b94\u2714\U0001f6b2"
        "\u2b1c\U0001f6e1\U0001f4e6\U0001f6f1\u2b1b\U0001f691\U0001f6c8\U0001f6e9\U0001f6f0\U0001f7c8\U0001f574"
        "\u2b24\U0001f6e5\U0001f694\U0001f5d8\U0001f5d9\u2753\U0001f6f2\U0001f687\U0001f68d\u26f3\u29b8\u2296"
        "\U0001f6ad\U0001f5ee\u23d0\U0001f5ef\U0001f5f2\ufffd\U0001f6b9\U0001f6ba\U0001f6c9\U0001f6ca\U0001f6bc"
        "\U0001f47d\U0001f3cb\u26f7\U0001f3c2\U0001f3cc\U0001f3ca\U0001f3c4\U0001f3cd\U0001f3ce\U0001f698"
        "\U0001f5e0\U0001f6e2\U0001f4b0\U0001f3f7\U0001f4b3\U0001f46a\U0001f5e1\U0001f5e2\U0001f5e3\u272f"
        "\U0001f584\U0001f585\U0001f583\U0001f586\U0001f5b9\U0001f5ba\U0001f5bb\U0001f575\U0001f570\U0001f5bd"
        "\U0001f5be\U0001f4cb\U0001f5d2\U0001f5d3\U0001f56e\U0001f4da\U0001f5de\U0001f5df\U0001f5c3\U0001f5c2"
        "\U0001f5bc\U0001f3ad\U0001f39c\U0001f398\U0001f399\U0001f3a7\U0001f4bf\U0001f39e\U0001f4f7\U0001f39f"
        "\U0001f3ac\U0001f4fd\U0001f4f9\U0001f4fe\U0001f4fb\U0001f39a\U0001f39b\U0001f4fa\U0001f4bb\U0001f5a5"
        "\U0001f5a6\U0001f5a7\U0001f579\U0001f3ae\U0001f57b\U0001f57c\U0001f4df\U0001f581\U0001f580\U0001f5a8"
        "\U0001f5a9\U0001f5bf\U0001f5aa\U0001f5dc\U0001f512\U0001f513\U0001f5dd\U0001f4e5\U0001f4e4\U0001f573"
        "\U0001f323\U0001f324\U0001f325\U0001f326\u2601\U0001f328\U0001f327\U0001f329\U0001f32a\U0001f32c"
        "\U0001f32b\U0001f31c\U0001f321\U0001f6cb\U0001f6cf\U0001f37d\U0001f378\U0001f6ce\U0001f6cd\u24c5\u267f"
        "\U0001f6c6\U0001f588\U0001f393\U0001f5e4\U0001f5e5\U0001f5e6\U0001f5e7\U0001f6ea\U0001f43f\U0001f426"
        "\U0001f41f\U0001f415\U0001f408\U0001f66c\U0001f66e\U0001f66d\U0001f66f\U0001f5fa\U0001f30d\U0001f30f"
        "\U0001f30e\U0001f54a"
    ),
}

_CHECK_BOXES: Final = str.maketrans(
    {"\U0001f5f9": "\u2611", "\U0001f5f5": "\u2612", "\U0001f5f7": "\u2612"}
    | dict.fromkeys("\U0001f78e\U0001f78f\U0001f790", "\u2610")
)
"""The signs that forms draw as check boxes -> the ballot boxes of Unicode, which fonts and readers know."""


def is_symbol_font(font: str) -> bool:
    """Tell whether the codes of a font stand for signs of its own."""
    return font.strip().lower() in _SIGNS


def symbol(font: str, code: int) -> str:
    """Return the character for a code of a font; UNKNOWN where the font or its sign is not known."""
    signs = _SIGNS.get(font.strip().lower(), "")
    index = code - _FIRST
    if code >= _PRIVATE:
        index -= _PRIVATE
    if 0 <= index < len(signs):
        return signs[index].translate(_CHECK_BOXES)
    return UNKNOWN


def without_private_codes(text: str, font: str) -> str:
    """Return `text` with codes in the private use area as the signs that the font draws (Symbol, if none is named)."""
    if text.isascii() or not _PRIVATE_CODES.search(text):
        return text
    name = font
    if not is_symbol_font(font):
        name = "symbol"
    return "".join(_shown(char, name) for char in text)


def _shown(char: str, font: str) -> str:
    if "\uf020" <= char <= "\uf0ff":
        return symbol(font, ord(char))
    return char
