"""Countries in the words of services that do not take ISO 3166 codes: a main language, a name in English."""

from __future__ import annotations

_TABLE = """
AE ar united arab emirates, AR es argentina, AT de austria, AU en australia, BE nl belgium, BG bg bulgaria,
BR pt brazil, CA en canada, CH de switzerland, CL es chile, CN zh china, CO es colombia, CZ cs czech republic,
DE de germany, DK da denmark, EE et estonia, EG ar egypt, ES es spain, FI fi finland, FR fr france,
GB en united kingdom, GR el greece, HK zh hong kong, HR hr croatia, HU hu hungary, ID id indonesia, IE en ireland,
IL he israel, IN en india, IR fa iran, IS is iceland, IT it italy, JP ja japan, KE en kenya, KR ko south korea,
LT lt lithuania, LV lv latvia, MA ar morocco, MX es mexico, MY ms malaysia, NG en nigeria, NL nl netherlands,
NO nb norway, NZ en new zealand, PE es peru, PH en philippines, PK en pakistan, PL pl poland, PT pt portugal,
RO ro romania, RS sr serbia, RU ru russia, SA ar saudi arabia, SE sv sweden, SG en singapore, SI sl slovenia,
SK sk slovakia, TH th thailand, TR tr turkey, TW zh taiwan, UA uk ukraine, US en united states, VE es venezuela,
VN vi vietnam, ZA en south africa
"""
_ROWS = [row.split(maxsplit=2) for row in _TABLE.split(",")]

LANGUAGES = {country: language for country, language, _ in _ROWS}
"""ISO 3166-1 alpha-2 -> ISO 639-1 of the language that most of its pages are in."""
NAMES = {country: name.strip() for country, _, name in _ROWS}
"""ISO 3166-1 alpha-2 -> English name, lower case."""
