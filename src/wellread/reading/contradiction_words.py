"""The words by which sentences are compared for contradictions: units, events, negations, and words that contrast.

English, German, French, Spanish and Japanese. A word that means something harmless in another of these languages only
makes a comparison more careful.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.citations import unit_words
from wellread.citations.negations import NEGATIONS
from wellread.citations.unit_words import GENERIC_KINDS

if TYPE_CHECKING:
    from collections.abc import Iterator


def singular(word: str) -> str:
    """Return a word without the ending of a plural or verb: what is compared is only its beginning."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")


def _table(rows: str) -> dict[str, str]:
    """Return word -> the name of its row, of rows `name: word word`; the name is a word of its row, too."""
    named = [row.split(":") for row in rows.strip().splitlines()]
    return {word: name for name, words in named for word in (name, *words.split())}


_COMPARED_KINDS: Final = frozenset({"length", "mass", "time", "power", "eur", "usd", "jpy", "percent"})
"""Kinds of quantities that are compared: words of others, such as `am` and `an`, mostly mean something else."""
_ORDINALS: Final = frozenset({"second", "seconde", "secondes", "segundo"})


def _compared_units() -> Iterator[tuple[str, tuple[str, float]]]:
    for word, (unit, *_) in unit_words.UNITS.items():
        kind = GENERIC_KINDS.get(unit.kind, (frozenset(), ""))[1] or unit.kind
        if word.isalpha() and word not in _ORDINALS and kind in _COMPARED_KINDS:
            yield word, (kind, unit.size)


UNITS: Final = dict(_compared_units())
"""Unit of letters -> its kind, and its size in the smallest unit of this kind, by the first of its meanings."""
UNIT_KINDS: Final = frozenset(kind for kind, _ in UNITS.values())
MAGNITUDES: Final = {word: factor for word, factor in unit_words.MAGNITUDES.items() if word.isalpha()}
SIGNS: Final = {
    "%": " percent ",
    "pour cent": " percent ",
    "por ciento": " percent ",
    "\u20ac": " eur ",
    "$": " usd ",
    "\u00a5": " jpy ",
}
_HEDGE_LIST: Final = """
about around nearly roughly approximately almost over least most circa some
etwa rund ungefähr fast knapp über mindestens höchstens environ presque près moins plus
unos unas casi cerca alrededor aproximadamente más menos 約
"""
HEDGES: Final = frozenset(_HEDGE_LIST.split())
EVENTS: Final = _table("""
built: constructed erected completed finished gebaut erbaut errichtet fertiggestellt vollendet \
construit construite bâti bâtie achevé achevée construido construida construyó construyeron terminada 建設 建 完成 竣工
founded: established created gegründet fondé fondée créé créée fundado fundada fundó creado creada 設立 創立 創設
opened: inaugurated eröffnet eingeweiht inauguré inaugurée inaugurado inaugurada inauguró 開業 開通 開設
born: geboren né née nacido nacida nació 生
died: gestorben starb mort morte murió falleció 死去 没
discovered: entdeckt découvert découverte descubierto descubierta 発見
invented: erfunden inventé inventée inventado inventada 発明
launched: gestartet lancé lancée lanzado lanzada
released:
published: veröffentlicht erschienen publié publiée publicado publicada 出版
signed: unterzeichnet signé signée firmado firmada 署名 締結
lit: angezündet allumé allumée encendió encendida 点灯
closed: geschlossen fermé fermée cerrado cerrada 閉鎖
replaced: ersetzt remplacé remplacée reemplazado reemplazada
""")
"""Words of events that happen once -> one word for all that mean the same."""
SYNONYMS: Final = _table("""
high: tall height hoch höhe haut haute hauteur alto alta altura 高
wide: width breit breite large largeur ancho ancha anchura 幅
long: length lang länge longueur largo longitud 長
deep: depth tief tiefe profond profondeur profundo profundidad 深
weight: weigh weighs wiegt gewicht pèse poids pesa peso 重
cost: costs paid pays price priced kostet kosten preis coûte coûtent prix cuesta cuestan precio 料金
population: inhabitants residents people einwohner einwohnern menschen bewohner habitant habitants habitantes \
población 人口 人
""")
_CONTRAST_ROWS: Final = """
adults children child students seniors families erwachsene erwachsener kinder kind adultes enfants adultos niños 大人 子供
summer winter spring autumn sommer frühling herbst été hiver printemps automne verano invierno primavera otoño 夏 冬 春 秋
weekdays weekends werktags wochenende 平日 週末
morning evening afternoon night morgen abend nacht matin soir nuit mañana tarde noche 朝 夜 午前 午後
north south east west northern southern eastern western nord süd ost sud est ouest norte sur este oeste 北 南 東 西
old new former alte neue alter neuer ancien ancienne nouveau nouvelle antiguo nuevo antigua nueva 旧 新
first second third fourth last erste zweite dritte letzte premier première deuxième troisième dernier dernière \
primer primera segundo segunda tercer tercera último última 第一 第二 第三
men women boys girls männer frauen jungen mädchen hommes femmes garçons filles hombres mujeres 男性 女性
high wide long deep weight
monday tuesday wednesday thursday friday saturday sunday
montag dienstag mittwoch donnerstag freitag samstag sonntag
montags dienstags mittwochs donnerstags freitags samstags sonntags
lundi mardi mercredi jeudi vendredi samedi dimanche
lunes martes miércoles jueves viernes sábado domingo
月曜日 火曜日 水曜日 木曜日 金曜日 土曜日 日曜日
january february march april may june july august september october november december
januar februar märz april mai juni juli august september oktober november dezember
janvier février mars avril mai juin juillet août septembre octobre novembre décembre
enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
"""
CONTRASTS: Final = tuple(frozenset(map(singular, row.split())) for row in _CONTRAST_ROWS.strip().splitlines())
"""Groups of words of which two sentences about the same do not have different ones."""
_VERB_LIST: Final = """
is was are were has have had costs cost weighs opened stands takes holds does did do
ist war sind waren hat hatte haben wurde wurden wird kostet wiegt liegt steht leben dauert fährt
est était sont étaient a ont avait fut mesure compte coûte pèse
es era son fue fueron tiene tienen mide cuenta cuesta pesa está se
"""
VERBS: Final = frozenset(_VERB_LIST.split()) | EVENTS.keys()
"""Words before which the subject of a sentence ends."""
PRONOUNS: Final = frozenset(["it", "he", "she", "they", "er", "sie", "il", "elle", "ils", "elles", "él", "ella"])
"""A sentence that begins with one does not name its subject."""
_STOP_LIST: Final = """
the a an of in on at by for to from and or it its is was were are be been has have had this that with as there do does
did stands doesn don isn wasn will can now still also than after before since during into only who which their they
der die das den dem des ein eine einer einem einen von vom im am zu zum zur mit auf für und oder ist sind war waren hat
haben hatte wurde wurden wird jahr jahre leben lebten steht liegt gibt
le la les l un une d du de aux en et ou est sont était ont fut n ce cette dans sur pour compte mesure année
el los las una unos unas del al y o es son era fue fueron ha han tiene tienen mide cuenta con se por para está están
año 年 月 日
"""
STOPS: Final = frozenset(_STOP_LIST.split()) | NEGATIONS | HEDGES
"""Words that say nothing about what a sentence is about."""
