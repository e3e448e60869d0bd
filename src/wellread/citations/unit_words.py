"""The words and signs of units, currencies and magnitudes in English, German, French, Spanish, Chinese and Japanese.

Source of the currencies: ISO 4217, those that pages mostly name. A word of several rows may mean each of them: a pound
is a weight and a currency.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Unit(NamedTuple):
    """A kind of quantity, and the size of the unit in the smallest unit of this kind."""

    kind: str
    size: float


def _words(rows: str) -> dict[str, tuple[str, ...]]:
    """Return word -> the names of its rows, of rows `name: word word`; an underscore is a blank in a word."""
    names: dict[str, tuple[str, ...]] = {}
    for row in rows.strip().splitlines():
        name, words = row.split(":", 1)
        for word in words.replace("\\", "").split():
            names[word.replace("_", " ")] = (*names.get(word.replace("_", " "), ()), name)
    return names


_UNIT_ROWS: Final = """
length 0.001: mm millimetre millimetres millimeter millimeters millimetern millimètre millimètres milímetro milímetros 毫米
length 0.01: cm centimetre centimetres centimeter centimeters zentimeter zentimetern centimètre centimètres centímetro \
centímetros 厘米 センチ
length 0.0254: inch inches zoll pouce pouces pulgada pulgadas 英寸
length 0.3048: ft foot feet fuß pied pieds pie pies 英尺
length 0.9144: yd yard yards 码
length 1: m metre metres meter meters metern mètre mètres metro metros 米 公尺 メートル
length 1000: km kilometre kilometres kilometer kilometers kilometern kilomètre kilomètres kilómetro kilómetros 公里 千米 \
キロメートル
length 1609.344: mi mile miles meile meilen milla millas 英里
area 1: m² m2 qm sqm square_metres square_meters quadratmeter quadratmetern mètres_carrés metros_cuadrados 平方米
area 0.092903: sqft sq_ft ft² square_feet 平方英尺
area 1e4: ha hectare hectares hektar hectárea hectáreas 公顷
area 4046.86: acre acres
area 1e6: km² km2 sq_km square_kilometres square_kilometers quadratkilometer quadratkilometern kilomètres_carrés \
kilómetros_cuadrados 平方公里
area 2589988: square_miles sq_mi
volume 0.001: ml millilitre millilitres milliliter milliliters millilitros 毫升
volume 0.01: cl
volume 1: l litre litres liter liters litern litro litros 升
volume 3.78541: gallon gallons
volume 1000: m³ m3 cubic_metres cubic_meters kubikmeter kubikmetern mètres_cubes metros_cúbicos 立方米
mass 1e-12: ng nanogram nanograms nanogramm nanogrammes nanogramos 纳克
mass 1e-9: µg μg mcg microgram micrograms mikrogramm microgrammes microgramos 微克
mass 1e-6: mg milligram milligrams milligramm milligrammes miligramos 毫克
mass 0.001: g gram grams gramme grammes gramm gramo gramos 克
mass 0.02835: oz ounce ounces unze unzen onza onzas
mass 0.45359: lb lbs pound pounds livres libras
mass 1: kg kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo kilogramos 公斤 千克 キログラム
mass 1000: t ton tons tonne tonnes tonnen tonelada toneladas 吨 トン
time 0.001: ms millisecond milliseconds millisekunden
time 1: s sec secs second seconds sekunde sekunden seconde secondes segundo segundos 秒
time 60: min mins minute minutes minuten minuto minutos 分钟 分
time 3600: h hr hrs hour hours stunde stunden heure heures hora horas 小时 时间 時間
time 86400: day days tag tage tagen jour jours día días 天 日
time 604800: week weeks woche wochen semaine semaines semana semanas 周 星期 週間
months 1: month months monat monate monaten mois mes meses 个月 月
months 12: year years yr yrs jahr jahre jahren ans année années año años 年
clock 1: h o'clock uhr heures horas 点 点钟
morning 1: am a.m. a.m
afternoon 1: pm p.m. p.m
percent 1: % ％ percent per_cent pct prozent pour_cent por_ciento パーセント
permille 1: ‰ promille
percentage points 1: percentage_point percentage_points pp prozentpunkt prozentpunkte prozentpunkten \
point_de_pourcentage points_de_pourcentage punto_porcentual puntos_porcentuales 个百分点 百分点
celsius 1: °c ℃ degrees_celsius degree_celsius celsius grad_celsius degrés_celsius grados_celsius 摄氏度
fahrenheit 1: °f ℉ degrees_fahrenheit fahrenheit 华氏度
degree 1: ° degree degrees grad degré degrés grado grados 度
speed 1: km/h kph kmh km_pro_stunde 公里/小时
speed 1.609344: mph miles_per_hour
power 1: w watt watts vatio vatios ワット 瓦
power 1000: kw kilowatt kilowatts kilovatios 千瓦
power 1e6: mw megawatt megawatts megawatts megavatios 兆瓦
power 1e9: gw gigawatt gigawatts
energy 1: wh
energy 1000: kwh kilowattstunden 千瓦时
energy 1e6: mwh
energy 1e9: gwh
voltage 1: volt volts voltios 伏
voltage 1000: kv kilovolt kilovolts
current 0.001: ma milliampere milliamperes
current 1: amp amps ampere amperes ampère ampères amperios 安培
bytes 1e3: kb kilobytes
bytes 1e6: mb megabyte megabytes
bytes 1e9: gb gigabyte gigabytes
bytes 1e12: tb terabyte terabytes
frequency 1e6: mhz
frequency 1e9: ghz
eur 1: € eur euro euros 欧元 ユーロ
usd 1: us$ us-$ usd us_dollar us_dollars u.s._dollars us-dollar us-dollars dollars_américains dólares_estadounidenses 美元 \
米ドル
cad 1: c$ ca$ cad canadian_dollar canadian_dollars dollars_canadiens 加元
aud 1: a$ au$ aud australian_dollar australian_dollars 澳元
nzd 1: nz$ nzd
hkd 1: hk$ hkd 港元 港币
sgd 1: s$ sgd 新元
mxn 1: mx$ mxn pesos_mexicanos mexican_pesos
dollar 1: $ ＄ dollar dollars dólar dólares ドル
gbp 1: £ ￡ gbp pound pounds pound_sterling pounds_sterling livre livres livre_sterling livres_sterling libra libras \
libras_esterlinas pfund 英镑
jpy 1: jpy yen 日元 円
cny 1: cny rmb yuan 元 人民币
yen sign 1: ¥ ￥
chf 1: chf sfr fr. swiss_franc swiss_francs schweizer_franken franken franc_suisse francs_suisses francos_suizos 瑞士法郎
franc 1: franc francs francos
inr 1: ₹ inr rs rs. rupee rupees rupien roupies rupias 卢比
krw 1: ₩ krw won 韩元
try 1: ₺ lira liras lire liren 里拉
thb 1: ฿ thb baht 泰铢
zar 1: zar rand 兰特
ils 1: ₪ ils shekel shekels schekel
rub 1: ₽ rub rubel ruble rubles roubles rublos 卢布
brl 1: r$ brl reais
sek 1: sek
nok 1: nok
dkk 1: dkk
krone 1: kr kr. krone kroner kronen kronor couronnes coronas
pln 1: pln zł
czk 1: czk kč
peso 1: peso pesos
"""
UNITS: Final = {
    word: tuple(Unit(name.rpartition(" ")[0], float(name.rpartition(" ")[2])) for name in names)
    for word, names in _words(_UNIT_ROWS.replace("\\\n", "")).items()
}
"""Unit, in lower case -> what it may mean."""
_CODE_LIST: Final = """
eur usd cad aud nzd hkd sgd mxn gbp jpy cny rmb chf sfr fr. inr rs rs. krw rub brl sek nok dkk kr kr. pln czk
"""
CODES_BEFORE_DIGITS: Final = frozenset(_CODE_LIST.split())
"""Currencies of letters that stand before their digits as well; all signs do."""
GENERIC_KINDS: Final = {
    "dollar": (frozenset({"usd", "cad", "aud", "nzd", "hkd", "sgd"}), "usd"),
    "yen sign": (frozenset({"jpy", "cny"}), ""),
    "franc": (frozenset({"chf"}), "chf"),
    "krone": (frozenset({"sek", "nok", "dkk"}), ""),
    "peso": (frozenset({"mxn"}), ""),
    "degree": (frozenset({"celsius", "fahrenheit"}), ""),
}
"""A kind that others belong to -> these, and the one that it means where nothing else is said; empty: each of them."""
_MAGNITUDE_ROWS: Final = """
1e2: hundred hundert
1e3: k thousand thousands tausend mille mil tsd tsd. 千
1e4: 万 萬
1e5: hundred_thousand
1e6: mn mln million millions millionen mio mio. millón millones 百万
1e8: 亿 億 hundred_million
1e9: bn billion billions milliarde milliarden milliard milliards mrd mrd. mil_millones 十亿
1e12: trillion trillions tn billionen billones 万亿
"""
MAGNITUDES: Final = {word: float(names[0]) for word, names in _words(_MAGNITUDE_ROWS).items()}
CURRENCY_MAGNITUDES: Final = {"m": 1e6, "b": 1e9}
"""Letters that are magnitudes only beside a currency: elsewhere `m` is a metre."""
_NUMBER_ROWS: Final = """
2: two zwei deux dos
3: three drei trois tres
4: four vier quatre cuatro
5: five fünf cinq cinco
6: six sechs seis
7: seven sieben sept siete
8: eight acht huit ocho
9: nine neun nueve
10: ten zehn dix diez
11: eleven elf onze
12: twelve zwölf douze doce
13: thirteen dreizehn treize trece
14: fourteen vierzehn quatorze catorce
15: fifteen fünfzehn quinze quince
16: sixteen sechzehn seize dieciséis
17: seventeen siebzehn diecisiete
18: eighteen achtzehn dieciocho
19: nineteen neunzehn diecinueve
20: twenty zwanzig vingt veinte
30: thirty dreißig trente treinta
40: forty vierzig quarante cuarenta
50: fifty fünfzig cinquante cincuenta
60: sixty sechzig soixante sesenta
70: seventy siebzig setenta
80: eighty achtzig ochenta
90: ninety neunzig noventa
"""
ONES: Final = dict.fromkeys(("one", "ein", "eine", "einen", "einer", "einem", "un", "une", "una", "uno"), 1.0)
"""Words that are numbers only beside a ten, a magnitude or a unit."""
_SIMPLE_NUMBER_WORDS: Final = {word: float(names[0]) for word, names in _words(_NUMBER_ROWS).items()}
_GERMAN_ONES: Final = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_GERMAN_TENS: Final = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
NUMBER_WORDS: Final = _SIMPLE_NUMBER_WORDS | {
    f"{digit_word}und{tens_word}": digit + _SIMPLE_NUMBER_WORDS[tens_word]
    for digit, digit_word in enumerate(_GERMAN_ONES, 1)
    for tens_word in _GERMAN_TENS
}
"""Without words that mostly mean something else: one, once (Spanish 11), neuf (French `new`)."""
AMBIGUOUS_NUMBER_WORDS: Final = frozenset({"acht", "elf", "sept", "dos", "six", "quince", "seize", "sieben"})
"""Words that a statement may have in another meaning, so that a text need not have their number."""
