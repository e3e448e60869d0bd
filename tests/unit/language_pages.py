"""Small pages in many languages, whose author and day of publication are known.

The lines with the author and the day are written as news sites and blogs of the language write them. No page carries
machine-readable values: only the visible text gives the answer. Each language also has a page without author or day;
its text has a photo credit, the day of an event and a person.

The set was written before the code that it measures. `benchmarks/languages.py` prints the results.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CreditLine:
    """The lines with author and day of one page, as HTML, and the right answers (None: the page gives none)."""

    markup: str
    author: str | None
    published: str | None
    at_end: bool = False


@dataclass(frozen=True)
class Language:
    """Pages of one language: `prose` fills all of them, `caption` stands in the page without author and day."""

    tag: str
    title: str
    prose: tuple[str, str, str]
    caption: str
    lines: tuple[CreditLine, ...]


@dataclass(frozen=True)
class LanguagePage:
    """One page with the right answers."""

    name: str
    html: str
    author: str | None
    published: str | None


def language_pages() -> list[LanguagePage]:
    """Return the pages of all languages, those without author and day among them."""
    pages = []
    for language in LANGUAGES:
        for number, line in enumerate(language.lines, 1):
            name = f"{language.tag}-{number}"
            pages.append(LanguagePage(name, _page(language, line), line.author, line.published))
        nothing = CreditLine(f"<figure><img src=a.jpg><figcaption>{language.caption}</figcaption></figure>", None, None)
        pages.append(LanguagePage(f"{language.tag}-none", _page(language, nothing), None, None))
    return pages


def _page(language: Language, line: CreditLine) -> str:
    direction = ' dir="rtl"' if language.tag in {"ar", "ar-EG", "fa", "he", "ur"} else ""
    paragraphs = "".join(f"<p>{sentence}</p>" for sentence in language.prose)
    above, below = ("", line.markup) if line.at_end else (line.markup, "")
    return (
        f'<!doctype html><html lang="{language.tag}"{direction}><head><meta charset="utf-8">'
        f"<title>{language.title}</title></head><body><header><a href='/'>Portal</a></header>"
        f"<main><article><h1>{language.title}</h1>{above}{paragraphs}{below}</article></main>"
        "<footer><p>© 2024 Portal</p></footer></body></html>"
    )


LANGUAGES = (
    Language(
        "en",
        "Old bridge closes for repairs",
        (
            "The old bridge over the river will be closed to cars until the end of summer, the city council decided.",
            "On 5 May 1997 the bridge was opened by Mayor Helen Ward, who called it a gift to the town.",
            "Residents fear long detours, but the council promises a ferry that will run every twenty minutes.",
        ),
        "The bridge during the spring fair on 12 April 2019. Photo: Tom Price / Agency",
        (
            CreditLine(
                "<p>By <a href='/a/jw'>Joanna Whitfield</a></p><p>Published 3 March 2021, 08:15 GMT</p>",
                "Joanna Whitfield",
                "2021-03-03",
            ),
            CreditLine(
                "<div class=meta><span>Updated on Jul. 9, 2022</span> <span>Published on June 28, 2022</span> <span>Written by Marcus Oyelaran</span></div>",
                "Marcus Oyelaran",
                "2022-06-28",
            ),
            CreditLine("<p>Sept 14th, 2020 · Priya Raman</p>", "Priya Raman", "2020-09-14"),
        ),
    ),
    Language(
        "de",
        "Alte Brücke wird gesperrt",
        (
            "Die alte Brücke über den Fluss bleibt bis zum Ende des Sommers für Autos gesperrt, wie der Stadtrat beschloss.",
            "Am 5. Mai 1997 wurde die Brücke von Bürgermeisterin Helga Wagner eröffnet und als Geschenk an die Stadt gefeiert.",
            "Anwohner fürchten lange Umwege, doch die Stadt verspricht eine Fähre, die alle zwanzig Minuten fahren soll.",
        ),
        "Die Brücke beim Fest am 12. April 2019. Foto: Timo Preuß / Agentur",
        (
            CreditLine(
                "<p>Von Annegret Lüders</p><p>Stand: 17. März 2021, 11:05 Uhr</p>", "Annegret Lüders", "2021-03-17"
            ),
            CreditLine(
                "<div class='post-meta'>Veröffentlicht am 2. Jänner 2020 von Korbinian Hofer</div>",
                "Korbinian Hofer",
                "2020-01-02",
            ),
            CreditLine("<p>Autorin: Meike Sander | 08.11.2022</p>", "Meike Sander", "2022-11-08"),
        ),
    ),
    Language(
        "fr",
        "Le vieux pont ferme pour travaux",
        (
            "Le vieux pont sur la rivière restera fermé aux voitures jusqu'à la fin de l'été, a décidé le conseil municipal.",
            "Le 5 mai 1997, le pont avait été inauguré par Hélène Wagner, maire de la ville, qui parlait d'un cadeau.",
            "Les habitants craignent de longs détours, mais la mairie promet un bac qui passera toutes les vingt minutes.",
        ),
        "Le pont pendant la fête du 12 avril 2019. Photo : Thomas Prieur / Agence",
        (
            CreditLine(
                "<p>Par <strong>Élodie Marchand</strong></p><p>Publié le 1er août 2021 à 07h30, mis à jour le 3 août 2021 à 10h12</p>",
                "Élodie Marchand",
                "2021-08-01",
            ),
            CreditLine(
                "<p>Mis à jour le 14 févr. 2022 - Publié le 12 févr. 2022 | Écrit par Jean-Baptiste Le Goff</p>",
                "Jean-Baptiste Le Goff",
                "2022-02-12",
            ),
        ),
    ),
    Language(
        "es",
        "El puente viejo cierra por obras",
        (
            "El puente viejo sobre el río permanecerá cerrado a los coches hasta el final del verano, según decidió el ayuntamiento.",
            "El 5 de mayo de 1997 el puente fue inaugurado por Elena Vargas, alcaldesa de la ciudad, que lo llamó un regalo.",
            "Los vecinos temen largos rodeos, pero el ayuntamiento promete una barca que pasará cada veinte minutos.",
        ),
        "El puente durante la fiesta del 12 de abril de 2019. Foto: Tomás Prieto / Agencia",
        (
            CreditLine(
                "<p>Por Marisol de la Fuente</p><p>23 de setiembre de 2021</p>", "Marisol de la Fuente", "2021-09-23"
            ),
            CreditLine("<p>Publicado el 7 de enero de 2020 por Ignacio Urrutia</p>", "Ignacio Urrutia", "2020-01-07"),
            CreditLine(
                "<p>Texto: Rocío Benavides</p><p>Actualizado: 16 dic. 2022 - Publicado: 15 dic. 2022</p>",
                "Rocío Benavides",
                "2022-12-15",
            ),
        ),
    ),
    Language(
        "pt",
        "Ponte velha fecha para obras",
        (
            "A ponte velha sobre o rio ficará fechada aos carros até ao fim do verão, decidiu a câmara municipal.",
            "Em 5 de maio de 1997 a ponte foi inaugurada por Helena Vargas, presidente da câmara, que lhe chamou um presente.",
            "Os moradores receiam longos desvios, mas a câmara promete um barco que passará de vinte em vinte minutos.",
        ),
        "A ponte durante a festa de 12 de abril de 2019. Foto: Tomás Prates / Agência",
        (
            CreditLine(
                "<p>Por Conceição dos Santos</p><p>14 de março de 2021 às 09h40</p>",
                "Conceição dos Santos",
                "2021-03-14",
            ),
            CreditLine("<p>Publicado em 02/09/2020 por Thiago Nogueira</p>", "Thiago Nogueira", "2020-09-02"),
            CreditLine("<p>Escrito por Beatriz Falcão · 25 fev 2022</p>", "Beatriz Falcão", "2022-02-25"),
        ),
    ),
    Language(
        "it",
        "Chiude per lavori il ponte vecchio",
        (
            "Il vecchio ponte sul fiume resterà chiuso alle auto fino alla fine dell'estate, ha deciso il consiglio comunale.",
            "Il 5 maggio 1997 il ponte fu inaugurato da Elena Vari, allora sindaca della città, che lo definì un regalo.",
            "Gli abitanti temono lunghe deviazioni, ma il comune promette un traghetto che passerà ogni venti minuti.",
        ),
        "Il ponte durante la festa del 12 aprile 2019. Foto: Tommaso Prati / Agenzia",
        (
            CreditLine("<p>Di Ludovica Ferraris, pubblicato il 18 giugno 2021</p>", "Ludovica Ferraris", "2021-06-18"),
            CreditLine(
                "<p>di <a href='/autori/x'>Gennaro D'Angelo</a></p><p>3 ottobre 2022 alle 12:20</p>",
                "Gennaro D'Angelo",
                "2022-10-03",
            ),
            CreditLine(
                "<p>A cura di Ilaria Monti</p><p>Aggiornato il 9 nov 2020 — Pubblicato il 7 nov 2020</p>",
                "Ilaria Monti",
                "2020-11-07",
            ),
        ),
    ),
    Language(
        "nl",
        "Oude brug dicht voor onderhoud",
        (
            "De oude brug over de rivier blijft tot het einde van de zomer dicht voor auto's, heeft de gemeenteraad besloten.",
            "Op 5 mei 1997 werd de brug geopend door burgemeester Hella Wouters, die van een geschenk aan de stad sprak.",
            "Bewoners vrezen lange omwegen, maar de gemeente belooft een veerpont die elke twintig minuten vaart.",
        ),
        "De brug tijdens het feest van 12 april 2019. Foto: Tom Prins / Agentschap",
        (
            CreditLine(
                "<p>Door Marieke van den Berg</p><p>22 maart 2021, 06:45</p>", "Marieke van den Berg", "2021-03-22"
            ),
            CreditLine("<p>Geschreven door Sjoerd Hoekstra op 4 mrt. 2020</p>", "Sjoerd Hoekstra", "2020-03-04"),
        ),
    ),
    Language(
        "sv",
        "Gamla bron stängs för reparation",
        (
            "Den gamla bron över floden stängs för bilar fram till slutet av sommaren, beslutade kommunfullmäktige.",
            "Den 5 maj 1997 invigdes bron av Helena Wiklund, dåvarande ordförande, som kallade den en gåva till staden.",
            "De boende fruktar långa omvägar, men kommunen lovar en färja som ska gå var tjugonde minut.",
        ),
        "Bron under festen den 12 april 2019. Foto: Tomas Prytz / Byrån",
        (
            CreditLine(
                "<p>Text: Ann-Sofie Lindqvist</p><p>Publicerad 19 augusti 2021</p>", "Ann-Sofie Lindqvist", "2021-08-19"
            ),
            CreditLine(
                "<p>Av Göran Åkesson | Publicerad 8 feb 2022, uppdaterad 10 feb 2022</p>", "Göran Åkesson", "2022-02-08"
            ),
        ),
    ),
    Language(
        "da",
        "Gammel bro lukkes for reparation",
        (
            "Den gamle bro over åen bliver lukket for biler indtil slutningen af sommeren, har byrådet besluttet.",
            "Den 5. maj 1997 blev broen indviet af Helle Winther, som dengang var borgmester og kaldte den en gave til byen.",
            "Beboerne frygter lange omveje, men kommunen lover en færge, der skal sejle hvert tyvende minut.",
        ),
        "Broen under festen den 12. april 2019. Foto: Thomas Prip / Bureauet",
        (
            CreditLine(
                "<p>Af Birgitte Kjærsgaard</p><p>6. marts 2021 kl. 13.10</p>", "Birgitte Kjærsgaard", "2021-03-06"
            ),
            CreditLine("<p>Skrevet af Søren Østergaard d. 27. okt. 2020</p>", "Søren Østergaard", "2020-10-27"),
        ),
    ),
    Language(
        "nb",
        "Gammel bru stenges for reparasjon",
        (
            "Den gamle brua over elva blir stengt for biler fram til slutten av sommeren, har kommunestyret bestemt.",
            "5. mai 1997 ble brua åpnet av Helle Vinje, som den gang var ordfører og kalte den en gave til byen.",
            "Beboerne frykter lange omveier, men kommunen lover en ferge som skal gå hvert tjuende minutt.",
        ),
        "Brua under festen 12. april 2019. Foto: Tom Presthus / Byrået",
        (
            CreditLine("<p>Av Ingrid Solheim</p><p>Publisert: 11. desember 2021</p>", "Ingrid Solheim", "2021-12-11"),
            CreditLine(
                "<p>Skrevet av Øyvind Haugen, publisert 3. juni 2020, oppdatert 5. juni 2020</p>",
                "Øyvind Haugen",
                "2020-06-03",
            ),
        ),
    ),
    Language(
        "fi",
        "Vanha silta suljetaan korjausten ajaksi",
        (
            "Joen ylittävä vanha silta suljetaan autoilta kesän loppuun saakka, kaupunginvaltuusto päätti maanantaina.",
            "Toukokuun 5. päivänä 1997 sillan avasi silloinen kaupunginjohtaja Helena Virtala, joka kutsui sitä lahjaksi.",
            "Asukkaat pelkäävät pitkiä kiertoteitä, mutta kaupunki lupaa lautan, joka kulkee kahdenkymmenen minuutin välein.",
        ),
        "Silta juhlan aikana 12. huhtikuuta 2019. Kuva: Tuomas Pietilä / Toimisto",
        (
            CreditLine(
                "<p>Teksti: Päivi Hämäläinen</p><p>Julkaistu 24. maaliskuuta 2021</p>", "Päivi Hämäläinen", "2021-03-24"
            ),
            CreditLine(
                "<p>Kirjoittaja: Jukka-Pekka Niemi</p><p>8.9.2020 klo 7.30, päivitetty 9.9.2020</p>",
                "Jukka-Pekka Niemi",
                "2020-09-08",
            ),
        ),
    ),
    Language(
        "et",
        "Vana sild suletakse remondiks",
        (
            "Vana sild üle jõe jääb autodele suletuks suve lõpuni, otsustas linnavolikogu esmaspäeval.",
            "5. mail 1997 avas silla tollane linnapea Helle Vaher, kes nimetas seda kingituseks linnale.",
            "Elanikud kardavad pikki ümbersõite, kuid linn lubab parve, mis sõidab iga kahekümne minuti järel.",
        ),
        "Sild pidustuste ajal 12. aprillil 2019. Foto: Toomas Pärn / Agentuur",
        (
            CreditLine("<p>Autor: Triin Kask</p><p>Avaldatud 16. veebruar 2021</p>", "Triin Kask", "2021-02-16"),
            CreditLine("<p>Kirjutas Urmas Õunapuu, 30. juuli 2020</p>", "Urmas Õunapuu", "2020-07-30"),
        ),
    ),
    Language(
        "lv",
        "Veco tiltu slēdz remontam",
        (
            "Vecais tilts pār upi būs slēgts automašīnām līdz vasaras beigām, nolēma pilsētas dome.",
            "1997. gada 5. maijā tiltu atklāja toreizējā mēre Helēna Vanaga, kura to nosauca par dāvanu pilsētai.",
            "Iedzīvotāji baidās no gariem apkārtceļiem, taču dome sola prāmi, kas kursēs ik pēc divdesmit minūtēm.",
        ),
        "Tilts svētku laikā 2019. gada 12. aprīlī. Foto: Toms Priede / Aģentūra",
        (
            CreditLine(
                "<p>Autors: Inese Kalniņa</p><p>Publicēts 2021. gada 9. martā</p>", "Inese Kalniņa", "2021-03-09"
            ),
            CreditLine("<p>Jānis Ozoliņš, 2020. gada 28. oktobris</p>", "Jānis Ozoliņš", "2020-10-28"),
        ),
    ),
    Language(
        "lt",
        "Senasis tiltas uždaromas remontui",
        (
            "Senasis tiltas per upę automobiliams bus uždarytas iki vasaros pabaigos, nusprendė miesto taryba.",
            "1997 m. gegužės 5 d. tiltą atidarė tuometė merė Elena Varnienė, pavadinusi jį dovana miestui.",
            "Gyventojai baiminasi ilgų aplinkkelių, tačiau savivaldybė žada keltą, kuris plauks kas dvidešimt minučių.",
        ),
        "Tiltas per šventę 2019 m. balandžio 12 d. Tomo Petraičio nuotr.",
        (
            CreditLine(
                "<p>Autorius: Rūta Žemaitienė</p><p>2021 m. kovo 4 d. 10:25</p>", "Rūta Žemaitienė", "2021-03-04"
            ),
            CreditLine(
                "<p>Paskelbta: 2020 m. rugpjūčio 21 d. | Parašė Mindaugas Šimkus</p>", "Mindaugas Šimkus", "2020-08-21"
            ),
        ),
    ),
    Language(
        "pl",
        "Stary most zamknięty na czas remontu",
        (
            "Stary most nad rzeką będzie zamknięty dla samochodów do końca lata, zdecydowała rada miasta.",
            "5 maja 1997 roku most otworzyła ówczesna burmistrz Helena Wrona, która nazwała go darem dla miasta.",
            "Mieszkańcy obawiają się długich objazdów, ale urząd obiecuje prom, który będzie kursował co dwadzieścia minut.",
        ),
        "Most podczas święta 12 kwietnia 2019. Fot. Tomasz Prus / Agencja",
        (
            CreditLine(
                "<p>Autor: Małgorzata Wiśniewska</p><p>15 października 2021, 09:12</p>",
                "Małgorzata Wiśniewska",
                "2021-10-15",
            ),
            CreditLine("<p>Opublikowano 3 września 2020 przez Łukasz Zieliński</p>", "Łukasz Zieliński", "2020-09-03"),
            CreditLine(
                "<p>Aktualizacja: 11 lut 2022 · Data publikacji: 9 lut 2022</p><p>Tekst: Agnieszka Kowal</p>",
                "Agnieszka Kowal",
                "2022-02-09",
            ),
        ),
    ),
    Language(
        "cs",
        "Starý most se zavírá kvůli opravám",
        (
            "Starý most přes řeku bude pro auta uzavřen až do konce léta, rozhodlo městské zastupitelstvo.",
            "Dne 5. května 1997 most otevřela tehdejší starostka Helena Vránová, která ho nazvala darem městu.",
            "Obyvatelé se bojí dlouhých objížděk, radnice však slibuje přívoz, který bude jezdit každých dvacet minut.",
        ),
        "Most během slavnosti 12. dubna 2019. Foto: Tomáš Prokop / Agentura",
        (
            CreditLine("<p>Autor: Kateřina Dvořáková</p><p>23. března 2021</p>", "Kateřina Dvořáková", "2021-03-23"),
            CreditLine("<p>Napsal Zdeněk Novotný, publikováno 6. července 2020</p>", "Zdeněk Novotný", "2020-07-06"),
        ),
    ),
    Language(
        "sk",
        "Starý most zatvoria pre opravy",
        (
            "Starý most cez rieku bude pre autá zatvorený až do konca leta, rozhodlo mestské zastupiteľstvo.",
            "Dňa 5. mája 1997 most otvorila vtedajšia primátorka Helena Vranová, ktorá ho nazvala darom mestu.",
            "Obyvatelia sa boja dlhých obchádzok, radnica však sľubuje kompu, ktorá bude premávať každých dvadsať minút.",
        ),
        "Most počas slávnosti 12. apríla 2019. Foto: Tomáš Prokop / Agentúra",
        (
            CreditLine(
                "<p>Autorka: Zuzana Kováčová</p><p>Publikované 14. augusta 2021</p>", "Zuzana Kováčová", "2021-08-14"
            ),
            CreditLine("<p>Napísal Ľubomír Hudák · 2. januára 2020</p>", "Ľubomír Hudák", "2020-01-02"),
        ),
    ),
    Language(
        "sl",
        "Stari most zapirajo zaradi popravil",
        (
            "Stari most čez reko bo za avtomobile zaprt do konca poletja, je odločil mestni svet.",
            "Dne 5. maja 1997 je most odprla tedanja županja Helena Vrana, ki ga je imenovala darilo mestu.",
            "Prebivalci se bojijo dolgih obvozov, občina pa obljublja brod, ki bo vozil vsakih dvajset minut.",
        ),
        "Most med praznikom 12. aprila 2019. Foto: Tomaž Pirc / Agencija",
        (
            CreditLine("<p>Avtor: Nataša Kranjc</p><p>Objavljeno 19. avgusta 2021</p>", "Nataša Kranjc", "2021-08-19"),
            CreditLine("<p>Piše: Boštjan Žagar</p><p>7. oktober 2020</p>", "Boštjan Žagar", "2020-10-07"),
        ),
    ),
    Language(
        "hr",
        "Stari most zatvara se zbog popravka",
        (
            "Stari most preko rijeke bit će zatvoren za automobile do kraja ljeta, odlučilo je gradsko vijeće.",
            "Dana 5. svibnja 1997. most je otvorila tadašnja gradonačelnica Helena Vranić, koja ga je nazvala darom gradu.",
            "Stanovnici se boje dugih obilazaka, ali grad obećava skelu koja će voziti svakih dvadeset minuta.",
        ),
        "Most tijekom proslave 12. travnja 2019. Foto: Tomislav Prpić / Agencija",
        (
            CreditLine("<p>Autor: Ivana Jurišić</p><p>21. listopada 2021. u 14:05</p>", "Ivana Jurišić", "2021-10-21"),
            CreditLine("<p>Piše Krešimir Babić, objavljeno 3. ožujka 2020.</p>", "Krešimir Babić", "2020-03-03"),
        ),
    ),
    Language(
        "sr",
        "Стари мост се затвара због поправке",
        (
            "Стари мост преко реке биће затворен за аутомобиле до краја лета, одлучила је скупштина града.",
            "Дана 5. маја 1997. мост је отворила тадашња градоначелница Јелена Вранић, која га је назвала поклоном граду.",
            "Становници се плаше дугих обилазака, али град обећава скелу која ће возити сваких двадесет минута.",
        ),
        "Мост током прославе 12. априла 2019. Фото: Томислав Прица / Агенција",
        (
            CreditLine("<p>Аутор: Драгана Петровић</p><p>17. јун 2021. 08:30</p>", "Драгана Петровић", "2021-06-17"),
            CreditLine(
                "<p>Пише: Милорад Живковић</p><p>Објављено 9. децембра 2020.</p>", "Милорад Живковић", "2020-12-09"
            ),
        ),
    ),
    Language(
        "sr-Latn",
        "Stari most se zatvara zbog popravke",
        (
            "Stari most preko reke biće zatvoren za automobile do kraja leta, odlučila je skupština grada.",
            "Dana 5. maja 1997. most je otvorila tadašnja gradonačelnica Jelena Vranić, koja ga je nazvala poklonom gradu.",
            "Stanovnici se plaše dugih obilazaka, ali grad obećava skelu koja će voziti svakih dvadeset minuta.",
        ),
        "Most tokom proslave 12. aprila 2019. Foto: Tomislav Prica / Agencija",
        (
            CreditLine(
                "<p>Autor: Snežana Đorđević</p><p>Objavljeno 26. jul 2021.</p>", "Snežana Đorđević", "2021-07-26"
            ),
            CreditLine("<p>Piše: Nebojša Čolić | 4. februar 2020.</p>", "Nebojša Čolić", "2020-02-04"),
        ),
    ),
    Language(
        "bg",
        "Затварят стария мост за ремонт",
        (
            "Старият мост над реката ще бъде затворен за автомобили до края на лятото, реши общинският съвет.",
            "На 5 май 1997 г. мостът беше открит от тогавашната кметица Елена Вранска, която го нарече подарък за града.",
            "Жителите се опасяват от дълги обиколки, но общината обещава ферибот, който ще се движи на всеки двадесет минути.",
        ),
        "Мостът по време на празника на 12 април 2019 г. Снимка: Тома Прокопиев / Агенция",
        (
            CreditLine(
                "<p>Автор: Десислава Йорданова</p><p>Публикувано на 18 септември 2021 г.</p>",
                "Десислава Йорданова",
                "2021-09-18",
            ),
            CreditLine("<p>от Пламен Стоянов | 5 януари 2020, 10:40 ч.</p>", "Пламен Стоянов", "2020-01-05"),
        ),
    ),
    Language(
        "mk",
        "Се затвора стариот мост поради поправки",
        (
            "Стариот мост преку реката ќе биде затворен за автомобили до крајот на летото, одлучи градскиот совет.",
            "На 5 мај 1997 година мостот го отвори тогашната градоначалничка Елена Вранова, која го нарече подарок за градот.",
            "Жителите се плашат од долги обиколки, но градот ветува скела што ќе вози на секои дваесет минути.",
        ),
        "Мостот за време на прославата на 12 април 2019. Фото: Томе Прокопов / Агенција",
        (
            CreditLine(
                "<p>Автор: Билјана Ристовска</p><p>Објавено: 20 јуни 2021</p>", "Билјана Ристовска", "2021-06-20"
            ),
            CreditLine("<p>Пишува: Горан Ѓорѓиев</p><p>11 ноември 2020, 12:00</p>", "Горан Ѓорѓиев", "2020-11-11"),
        ),
    ),
    Language(
        "uk",
        "Старий міст закривають на ремонт",
        (
            "Старий міст через річку буде закрито для автомобілів до кінця літа, вирішила міська рада.",
            "5 травня 1997 року міст відкрила тодішня міська голова Олена Воронова, яка назвала його подарунком місту.",
            "Мешканці побоюються довгих об'їздів, але мерія обіцяє пором, який ходитиме кожні двадцять хвилин.",
        ),
        "Міст під час свята 12 квітня 2019 року. Фото: Тарас Приходько / Агенція",
        (
            CreditLine("<p>Автор: Соломія Ткаченко</p><p>24 серпня 2021, 16:20</p>", "Соломія Ткаченко", "2021-08-24"),
            CreditLine(
                "<p>Опубліковано 7 лютого 2020 р.</p><p>Текст: Богдан Їжакевич</p>", "Богдан Їжакевич", "2020-02-07"
            ),
        ),
    ),
    Language(
        "ru",
        "Старый мост закрывают на ремонт",
        (
            "Старый мост через реку будет закрыт для автомобилей до конца лета, решил городской совет.",
            "5 мая 1997 года мост открыла тогдашний мэр Елена Воронова, которая назвала его подарком городу.",
            "Жители опасаются долгих объездов, но мэрия обещает паром, который будет ходить каждые двадцать минут.",
        ),
        "Мост во время праздника 12 апреля 2019 года. Фото: Тарас Приходько / Агентство",
        (
            CreditLine(
                "<p>Автор: Екатерина Белозёрова</p><p>Опубликовано: 30 июля 2021 в 19:45</p>",
                "Екатерина Белозёрова",
                "2021-07-30",
            ),
            CreditLine(
                "<p>Обновлено 12 янв. 2022</p><p>Дата публикации: 10 янв. 2022</p><p>Текст: Глеб Щукин</p>",
                "Глеб Щукин",
                "2022-01-10",
            ),
            CreditLine("<p>8 марта 2020 г. Алевтина Громова</p>", "Алевтина Громова", "2020-03-08"),
        ),
    ),
    Language(
        "be",
        "Стары мост закрываюць на рамонт",
        (
            "Стары мост цераз раку будзе закрыты для аўтамабіляў да канца лета, вырашыў гарадскі савет.",
            "5 мая 1997 года мост адкрыла тагачасны мэр Алена Варонава, якая назвала яго падарункам гораду.",
            "Жыхары баяцца доўгіх аб'ездаў, але мэрыя абяцае паром, які будзе хадзіць кожныя дваццаць хвілін.",
        ),
        "Мост падчас свята 12 красавіка 2019 года. Фота: Тарас Прыходзька / Агенцтва",
        (
            CreditLine(
                "<p>Аўтар: Наталля Шыдлоўская</p><p>3 лістапада 2021, 11:00</p>", "Наталля Шыдлоўская", "2021-11-03"
            ),
            CreditLine(
                "<p>Апублікавана 22 снежня 2020</p><p>Тэкст: Віктар Кавалёў</p>", "Віктар Кавалёў", "2020-12-22"
            ),
        ),
    ),
    Language(
        "ro",
        "Podul vechi se închide pentru reparații",
        (
            "Podul vechi de peste râu va fi închis pentru mașini până la sfârșitul verii, a decis consiliul local.",
            "La 5 mai 1997 podul a fost inaugurat de Elena Vrabie, primarul de atunci, care l-a numit un dar pentru oraș.",
            "Locuitorii se tem de ocoluri lungi, dar primăria promite un bac care va circula la fiecare douăzeci de minute.",
        ),
        "Podul în timpul sărbătorii din 12 aprilie 2019. Foto: Toma Preda / Agenția",
        (
            CreditLine(
                "<p>De Ștefania Munteanu</p><p>Publicat la 17 iulie 2021</p>", "Ștefania Munteanu", "2021-07-17"
            ),
            CreditLine("<p>Scris de Răzvan Țepeș pe 6 ianuarie 2020</p>", "Răzvan Țepeș", "2020-01-06"),
        ),
    ),
    Language(
        "hu",
        "Lezárják a régi hidat a felújítás idejére",
        (
            "A folyón átívelő régi hidat a nyár végéig lezárják az autók elől, döntött a városi közgyűlés.",
            "1997. május 5-én a hidat az akkori polgármester, Varga Ilona adta át, aki a város ajándékának nevezte.",
            "A lakók hosszú kerülőktől tartanak, de a város kompot ígér, amely húszpercenként közlekedik majd.",
        ),
        "A híd a 2019. április 12-i ünnepen. Fotó: Pásztor Tamás / Ügynökség",
        (
            CreditLine("<p>Írta: Szabó Krisztina</p><p>2021. március 15. 10:30</p>", "Szabó Krisztina", "2021-03-15"),
            CreditLine(
                "<p>Szerző: Győrffy Ágnes</p><p>Frissítve: 2020. szept. 3. Megjelent: 2020. szept. 1.</p>",
                "Győrffy Ágnes",
                "2020-09-01",
            ),
        ),
    ),
    Language(
        "el",
        "Κλείνει για επισκευές η παλιά γέφυρα",
        (
            "Η παλιά γέφυρα πάνω από το ποτάμι θα μείνει κλειστή για τα αυτοκίνητα ως το τέλος του καλοκαιριού.",
            "Στις 5 Μαΐου 1997 τη γέφυρα εγκαινίασε η τότε δήμαρχος Ελένη Βαρδάκη, που την αποκάλεσε δώρο στην πόλη.",
            "Οι κάτοικοι φοβούνται μεγάλες παρακάμψεις, όμως ο δήμος υπόσχεται πορθμείο που θα περνά κάθε είκοσι λεπτά.",
        ),
        "Η γέφυρα στη γιορτή της 12ης Απριλίου 2019. Φωτογραφία: Θωμάς Πρίντεζης / Πρακτορείο",
        (
            CreditLine(
                "<p>Της Αικατερίνης Παπαδοπούλου</p><p>29 Αυγούστου 2021</p>", "Αικατερίνης Παπαδοπούλου", "2021-08-29"
            ),
            CreditLine(
                "<p>Γράφει ο Δημήτρης Καραγιάννης</p><p>Δημοσιεύτηκε: 14 Νοε 2020, 12:00</p>",
                "Δημήτρης Καραγιάννης",
                "2020-11-14",
            ),
        ),
    ),
    Language(
        "tr",
        "Eski köprü onarım için kapatılıyor",
        (
            "Nehrin üzerindeki eski köprü yaz sonuna kadar araç trafiğine kapalı kalacak, belediye meclisi karar verdi.",
            "5 Mayıs 1997 tarihinde köprüyü dönemin belediye başkanı Elif Varlık açmış ve şehre bir armağan demişti.",
            "Mahalle sakinleri uzun yollardan çekiniyor, ancak belediye yirmi dakikada bir çalışacak bir feribot sözü veriyor.",
        ),
        "Köprü, 12 Nisan 2019 şenliğinde. Fotoğraf: Tolga Pekcan / Ajans",
        (
            CreditLine(
                "<p>Yazan: Gülşen Yıldırım</p><p>Yayınlanma: 26 Ağustos 2021 14:18</p>", "Gülşen Yıldırım", "2021-08-26"
            ),
            CreditLine(
                "<p>Güncelleme: 5 Şubat 2020 - Yayın tarihi: 4 Şubat 2020</p><p>Yazar: İsmail Çağlar</p>",
                "İsmail Çağlar",
                "2020-02-04",
            ),
        ),
    ),
    Language(
        "az",
        "Köhnə körpü təmir üçün bağlanır",
        (
            "Çayın üzərindəki köhnə körpü yayın sonuna qədər avtomobillər üçün bağlı qalacaq, şəhər şurası qərara aldı.",
            "5 may 1997-ci ildə körpünü o vaxtkı bələdiyyə başçısı Elza Vəliyeva açmış və onu şəhərə hədiyyə adlandırmışdı.",
            "Sakinlər uzun yollardan ehtiyat edirlər, lakin şəhər hər iyirmi dəqiqədən bir işləyəcək bərə vəd edir.",
        ),
        "Körpü 12 aprel 2019-cu il bayramında. Foto: Tural Paşayev / Agentlik",
        (
            CreditLine(
                "<p>Müəllif: Aygün Məmmədova</p><p>19 sentyabr 2021, 15:40</p>", "Aygün Məmmədova", "2021-09-19"
            ),
            CreditLine("<p>Yazdı: Rəşad Hüseynov</p><p>Dərc olunub: 7 iyun 2020</p>", "Rəşad Hüseynov", "2020-06-07"),
        ),
    ),
    Language(
        "sq",
        "Ura e vjetër mbyllet për riparime",
        (
            "Ura e vjetër mbi lumë do të mbetet e mbyllur për makinat deri në fund të verës, vendosi këshilli bashkiak.",
            "Më 5 maj 1997 ura u hap nga kryetarja e atëhershme Elena Vata, e cila e quajti dhuratë për qytetin.",
            "Banorët kanë frikë nga rrugët e gjata, por bashkia premton një trap që do të kalojë çdo njëzet minuta.",
        ),
        "Ura gjatë festës së 12 prillit 2019. Foto: Tomor Prifti / Agjencia",
        (
            CreditLine("<p>Nga Arta Hoxha</p><p>Publikuar më 15 gusht 2021</p>", "Arta Hoxha", "2021-08-15"),
            CreditLine("<p>Shkruar nga Besnik Gjoka, 4 dhjetor 2020</p>", "Besnik Gjoka", "2020-12-04"),
        ),
    ),
    Language(
        "is",
        "Gömlu brúnni lokað vegna viðgerða",
        (
            "Gamla brúin yfir ána verður lokuð bílum fram á sumarlok, ákvað bæjarstjórn á mánudag.",
            "Þann 5. maí 1997 opnaði þáverandi bæjarstjóri, Helga Vilhjálmsdóttir, brúna og kallaði hana gjöf til bæjarins.",
            "Íbúar óttast langar krókaleiðir en bærinn lofar ferju sem siglir á tuttugu mínútna fresti.",
        ),
        "Brúin á hátíðinni 12. apríl 2019. Mynd: Tómas Pálsson / Stofan",
        (
            CreditLine(
                "<p>Höfundur: Guðrún Sigurðardóttir</p><p>Birt 13. ágúst 2021</p>",
                "Guðrún Sigurðardóttir",
                "2021-08-13",
            ),
            CreditLine(
                "<p>Eftir Þorsteinn Ægisson</p><p>2. október 2020 kl. 09:15</p>", "Þorsteinn Ægisson", "2020-10-02"
            ),
        ),
    ),
    Language(
        "ca",
        "Tanquen el pont vell per obres",
        (
            "El pont vell sobre el riu restarà tancat als cotxes fins a final d'estiu, ha decidit l'ajuntament.",
            "El 5 de maig de 1997 el pont va ser inaugurat per Elena Vives, aleshores alcaldessa, que en va dir un regal.",
            "Els veïns temen llargues voltes, però l'ajuntament promet una barca que passarà cada vint minuts.",
        ),
        "El pont durant la festa del 12 d'abril de 2019. Foto: Tomàs Prat / Agència",
        (
            CreditLine(
                "<p>Per Montserrat Puigdemont</p><p>28 d'agost de 2021</p>", "Montserrat Puigdemont", "2021-08-28"
            ),
            CreditLine("<p>Publicat el 16 de març de 2020 per Jordi Casals</p>", "Jordi Casals", "2020-03-16"),
        ),
    ),
    Language(
        "eu",
        "Zubi zaharra itxiko dute konponketak egiteko",
        (
            "Ibaiaren gaineko zubi zaharra autoentzat itxita egongo da uda amaitu arte, udalak erabaki duenez.",
            "1997ko maiatzaren 5ean orduko alkate Elene Vidartek ireki zuen zubia, eta hiriarentzako oparia zela esan zuen.",
            "Bizilagunak bide luzeen beldur dira, baina udalak hogei minuturo ibiliko den barkua agindu du.",
        ),
        "Zubia 2019ko apirilaren 12ko jaian. Argazkia: Tomas Perurena / Agentzia",
        (
            CreditLine(
                "<p>Egilea: Nekane Etxeberria</p><p>2021eko irailaren 14a</p>", "Nekane Etxeberria", "2021-09-14"
            ),
            CreditLine(
                "<p>Idatzia: Ander Goikoetxea</p><p>2020ko urtarrilaren 7an argitaratua</p>",
                "Ander Goikoetxea",
                "2020-01-07",
            ),
        ),
    ),
    Language(
        "gl",
        "A ponte vella pecha por obras",
        (
            "A ponte vella sobre o río permanecerá pechada aos coches ata o final do verán, segundo decidiu o concello.",
            "O 5 de maio de 1997 a ponte foi inaugurada por Elena Varela, daquela alcaldesa, que a chamou un agasallo.",
            "A veciñanza teme longos rodeos, pero o concello promete unha barca que pasará cada vinte minutos.",
        ),
        "A ponte durante a festa do 12 de abril de 2019. Foto: Tomé Prieto / Axencia",
        (
            CreditLine("<p>Por Uxía Castiñeira</p><p>21 de xullo de 2021</p>", "Uxía Castiñeira", "2021-07-21"),
            CreditLine("<p>Escrito por Brais Outeiro o 9 de xaneiro de 2020</p>", "Brais Outeiro", "2020-01-09"),
        ),
    ),
    Language(
        "ga",
        "Seandroichead le dúnadh le haghaidh deisiúchán",
        (
            "Beidh an seandroichead thar an abhainn dúnta do charranna go dtí deireadh an tsamhraidh, de réir na comhairle.",
            "Ar an 5 Bealtaine 1997 d'oscail an méara Eibhlín de Bhál an droichead agus thug sí bronntanas air.",
            "Tá eagla ar na cónaitheoirí roimh thimpeallacha fada, ach tá bád farantóireachta geallta ag an gcomhairle.",
        ),
        "An droichead ag an bhféile ar 12 Aibreán 2019. Grianghraf: Tomás de Paor / Gníomhaireacht",
        (
            CreditLine(
                "<p>Le Sorcha Ní Dhomhnaill</p><p>17 Meán Fómhair 2021</p>", "Sorcha Ní Dhomhnaill", "2021-09-17"
            ),
            CreditLine(
                "<p>Údar: Pádraig Ó Conaire</p><p>Foilsithe: 5 Samhain 2020</p>", "Pádraig Ó Conaire", "2020-11-05"
            ),
        ),
    ),
    Language(
        "cy",
        "Cau'r hen bont i'w thrwsio",
        (
            "Bydd yr hen bont dros yr afon ar gau i geir tan ddiwedd yr haf, yn ôl penderfyniad y cyngor.",
            "Ar 5 Mai 1997 agorwyd y bont gan y maer ar y pryd, Elen Vaughan, a'i galwodd yn anrheg i'r dref.",
            "Mae trigolion yn ofni teithiau hir, ond mae'r cyngor yn addo fferi bob ugain munud.",
        ),
        "Y bont yn ystod yr ŵyl ar 12 Ebrill 2019. Llun: Tomos Prys / Asiantaeth",
        (
            CreditLine("<p>Gan Angharad Llwyd</p><p>23 Medi 2021</p>", "Angharad Llwyd", "2021-09-23"),
            CreditLine(
                "<p>Awdur: Rhodri ap Dafydd</p><p>Cyhoeddwyd: 8 Gorffennaf 2020</p>", "Rhodri ap Dafydd", "2020-07-08"
            ),
        ),
    ),
    Language(
        "af",
        "Ou brug gesluit vir herstelwerk",
        (
            "Die ou brug oor die rivier sal tot die einde van die somer vir motors gesluit wees, het die stadsraad besluit.",
            "Op 5 Mei 1997 is die brug geopen deur burgemeester Helena Visser, wat dit 'n geskenk aan die dorp genoem het.",
            "Inwoners vrees lang ompaaie, maar die raad belowe 'n pont wat elke twintig minute sal vaar.",
        ),
        "Die brug tydens die fees op 12 April 2019. Foto: Tom Prinsloo / Agentskap",
        (
            CreditLine(
                "<p>Deur Annelie van der Merwe</p><p>30 Augustus 2021</p>", "Annelie van der Merwe", "2021-08-30"
            ),
            CreditLine("<p>Geskryf deur Kobus Steenkamp op 12 Desember 2020</p>", "Kobus Steenkamp", "2020-12-12"),
        ),
    ),
    Language(
        "id",
        "Jembatan tua ditutup untuk perbaikan",
        (
            "Jembatan tua di atas sungai akan ditutup bagi mobil sampai akhir musim panas, demikian keputusan dewan kota.",
            "Pada 5 Mei 1997 jembatan itu diresmikan oleh wali kota Elena Wijaya, yang menyebutnya hadiah bagi kota.",
            "Warga khawatir harus memutar jauh, tetapi pemerintah menjanjikan perahu yang lewat setiap dua puluh menit.",
        ),
        "Jembatan saat perayaan 12 April 2019. Foto: Tomi Prasetyo / Agensi",
        (
            CreditLine(
                "<p>Oleh: Dewi Lestari Putri</p><p>Kamis, 19 Agustus 2021 | 10:15 WIB</p>",
                "Dewi Lestari Putri",
                "2021-08-19",
            ),
            CreditLine(
                "<p>Penulis: Bambang Suryono</p><p>Diterbitkan 6 Okt 2020, diperbarui 8 Okt 2020</p>",
                "Bambang Suryono",
                "2020-10-06",
            ),
        ),
    ),
    Language(
        "ms",
        "Jambatan lama ditutup untuk pembaikan",
        (
            "Jambatan lama di atas sungai akan ditutup kepada kereta sehingga akhir musim panas, kata majlis bandar raya.",
            "Pada 5 Mei 1997 jambatan itu dibuka oleh datuk bandar ketika itu, Elina Wahid, yang menyifatkannya hadiah.",
            "Penduduk bimbang terpaksa melalui jalan jauh, tetapi majlis menjanjikan feri setiap dua puluh minit.",
        ),
        "Jambatan semasa pesta pada 12 April 2019. Foto: Tamrin Puteh / Agensi",
        (
            CreditLine("<p>Oleh Nurul Izzati Hassan</p><p>3 Ogos 2021</p>", "Nurul Izzati Hassan", "2021-08-03"),
            CreditLine("<p>Diterbitkan pada 14 Mac 2020 oleh Azman Rashid</p>", "Azman Rashid", "2020-03-14"),
        ),
    ),
    Language(
        "fil",
        "Isinara ang lumang tulay para ayusin",
        (
            "Isasara sa mga sasakyan ang lumang tulay sa ibabaw ng ilog hanggang sa katapusan ng tag-araw, ayon sa konseho.",
            "Noong Mayo 5, 1997 binuksan ang tulay ng dating alkalde na si Elena Villar, na tinawag itong regalo sa bayan.",
            "Nangangamba ang mga residente sa mahabang ikot, ngunit nangako ang konseho ng lantsa tuwing dalawampung minuto.",
        ),
        "Ang tulay sa pista noong Abril 12, 2019. Larawan: Tomas Paredes / Ahensya",
        (
            CreditLine("<p>Ni Rosalinda Magsaysay</p><p>Agosto 21, 2021</p>", "Rosalinda Magsaysay", "2021-08-21"),
            CreditLine("<p>Isinulat ni Danilo Bautista noong Enero 9, 2020</p>", "Danilo Bautista", "2020-01-09"),
        ),
    ),
    Language(
        "sw",
        "Daraja la zamani lafungwa kwa matengenezo",
        (
            "Daraja la zamani juu ya mto litafungwa kwa magari hadi mwisho wa kiangazi, baraza la mji limeamua.",
            "Tarehe 5 Mei 1997 daraja lilifunguliwa na meya wa wakati huo, Elena Wanjiru, aliyeliita zawadi kwa mji.",
            "Wakazi wanaogopa mizunguko mirefu, lakini baraza linaahidi kivuko kila baada ya dakika ishirini.",
        ),
        "Daraja wakati wa sherehe tarehe 12 Aprili 2019. Picha: Tom Pala / Shirika",
        (
            CreditLine("<p>Na Mwanaisha Juma</p><p>17 Agosti 2021</p>", "Mwanaisha Juma", "2021-08-17"),
            CreditLine(
                "<p>Mwandishi: Baraka Mushi</p><p>Imechapishwa 6 Januari 2020</p>", "Baraka Mushi", "2020-01-06"
            ),
        ),
    ),
    Language(
        "vi",
        "Cầu cũ đóng cửa để sửa chữa",
        (
            "Cây cầu cũ bắc qua sông sẽ cấm ô tô cho đến hết mùa hè, theo quyết định của hội đồng thành phố.",
            "Ngày 5 tháng 5 năm 1997, cầu được khánh thành bởi bà Hà Thị Vân, khi đó là chủ tịch, người gọi đó là món quà.",
            "Người dân lo phải đi đường vòng, nhưng thành phố hứa sẽ có phà chạy hai mươi phút một chuyến.",
        ),
        "Cây cầu trong lễ hội ngày 12 tháng 4 năm 2019. Ảnh: Trần Phú / Thông tấn",
        (
            CreditLine(
                "<p>Tác giả: Nguyễn Thị Minh Châu</p><p>Thứ Ba, 17 tháng 8 năm 2021</p>",
                "Nguyễn Thị Minh Châu",
                "2021-08-17",
            ),
            CreditLine("<p>Đăng ngày 05/09/2020 bởi Phạm Quốc Bảo</p>", "Phạm Quốc Bảo", "2020-09-05"),
        ),
    ),
    Language(
        "th",
        "ปิดสะพานเก่าเพื่อซ่อมแซม",
        (
            "สะพานเก่าข้ามแม่น้ำจะปิดไม่ให้รถยนต์ผ่านจนถึงสิ้นฤดูร้อน ตามมติของสภาเทศบาล",
            "เมื่อวันที่ 5 พฤษภาคม 2540 นายกเทศมนตรีวันเพ็ญ วงศ์ดี เป็นผู้เปิดสะพานและเรียกว่าเป็นของขวัญแก่เมือง",
            "ชาวบ้านกลัวว่าต้องอ้อมไกล แต่เทศบาลสัญญาว่าจะมีเรือข้ามฟากทุกยี่สิบนาที",
        ),
        "สะพานในงานเทศกาลเมื่อ 12 เมษายน 2562 ภาพ: ธนา พรหมดี / สำนักข่าว",
        (
            CreditLine("<p>โดย สุภาวดี ศรีสุข</p><p>เผยแพร่ 19 สิงหาคม 2564</p>", "สุภาวดี ศรีสุข", "2021-08-19"),
            CreditLine("<p>ผู้เขียน: กิตติพงษ์ แก้วมณี</p><p>7 ม.ค. 2563 เวลา 10:30 น.</p>", "กิตติพงษ์ แก้วมณี", "2020-01-07"),
        ),
    ),
    Language(
        "ko",
        "낡은 다리 보수로 통행 금지",
        (
            "강을 가로지르는 낡은 다리가 여름이 끝날 때까지 차량 통행이 금지된다고 시의회가 결정했다.",
            "1997년 5월 5일 당시 시장이던 한영희 씨가 다리를 열며 도시에 주는 선물이라고 말했다.",
            "주민들은 먼 길을 돌아가야 할까 걱정하지만 시는 이십 분마다 다니는 배를 약속했다.",
        ),
        "2019년 4월 12일 축제 때의 다리. 사진: 박태민 / 통신",
        (
            CreditLine(
                "<p>김하늘 기자</p><p>입력 2021년 8월 19일 09:30 | 수정 2021년 8월 20일 11:00</p>",
                "김하늘",
                "2021-08-19",
            ),
            CreditLine("<p>글: 이서연</p><p>2020. 3. 5. 14:22</p>", "이서연", "2020-03-05"),
            CreditLine("<p>작성자: 최민준</p><p>등록일 2022-02-11</p>", "최민준", "2022-02-11"),
        ),
    ),
    Language(
        "ja",
        "古い橋が補修のため通行止めに",
        (
            "川に架かる古い橋が夏の終わりまで車の通行止めになると、市議会が月曜日に決めた。",
            "1997年5月5日に当時の市長だった原田英子さんが橋を開通させ、町への贈り物だと呼んだ。",
            "住民は遠回りを心配しているが、市は二十分ごとに運航する渡し船を約束している。",
        ),
        "2019年4月12日の祭りでの橋。写真:富田武 / 通信",
        (
            CreditLine(
                "<p>文：佐藤 美咲</p><p>公開日：2021年8月19日 更新日：2021年9月2日</p>", "佐藤 美咲", "2021-08-19"
            ),
            CreditLine("<p>令和3年5月7日</p><p>執筆者：高橋健太</p>", "高橋健太", "2021-05-07"),
            CreditLine("<p>著者: 中村さくら</p><p>投稿日: 2020/11/03</p>", "中村さくら", "2020-11-03"),
        ),
    ),
    Language(
        "zh-CN",
        "旧桥因维修封闭",
        (
            "市议会决定，横跨河流的旧桥将对汽车封闭，直到夏天结束为止。",
            "1997年5月5日，时任市长海伦主持了大桥通车仪式，称它是送给城市的礼物。",
            "居民担心要绕远路，但市政府承诺开通每二十分钟一班的渡船。",
        ),
        "2019年4月12日节日期间的桥。摄影：谭普 / 通讯社",
        (
            CreditLine("<p>作者：欧阳晓梅</p><p>发布时间：2021-08-19 10:22</p>", "欧阳晓梅", "2021-08-19"),
            CreditLine("<p>2020年11月3日 来源：晚报 记者 李建国</p>", "李建国", "2020-11-03"),
            CreditLine("<p>文/陈思远</p><p>更新于 2022年1月8日 发表于 2022年1月5日</p>", "陈思远", "2022-01-05"),
        ),
    ),
    Language(
        "zh-TW",
        "舊橋因維修封閉",
        (
            "市議會決定，橫跨河流的舊橋將對汽車封閉，直到夏天結束為止。",
            "1997年5月5日，時任市長海倫主持了大橋通車儀式，稱它是送給城市的禮物。",
            "居民擔心要繞遠路，但市政府承諾開通每二十分鐘一班的渡船。",
        ),
        "2019年4月12日節日期間的橋。攝影：譚普 / 通訊社",
        (
            CreditLine("<p>記者林怡君／台北報導</p><p>2021年8月19日 週四 上午10:22</p>", "林怡君", "2021-08-19"),
            CreditLine("<p>作者：張家豪</p><p>發布日期：民國109年11月3日</p>", "張家豪", "2020-11-03"),
        ),
    ),
    Language(
        "ar",
        "إغلاق الجسر القديم للصيانة",
        (
            "سيبقى الجسر القديم فوق النهر مغلقا أمام السيارات حتى نهاية الصيف، كما قرر المجلس البلدي.",
            "في 5 أيار 1997 افتتحت الجسر رئيسة البلدية آنذاك هيلين وردة، ووصفته بأنه هدية للمدينة.",
            "يخشى السكان من الطرق الطويلة، لكن البلدية تعد بعبارة تعمل كل عشرين دقيقة.",
        ),
        "الجسر خلال العيد في 12 نيسان 2019. تصوير: توفيق برهان / وكالة",
        (
            CreditLine("<p>كتب: سامر الخطيب</p><p>١٩ آب ٢٠٢١</p>", "سامر الخطيب", "2021-08-19"),
            CreditLine("<p>بقلم ليلى حداد</p><p>نشر في 7 كانون الثاني 2020</p>", "ليلى حداد", "2020-01-07"),
        ),
    ),
    Language(
        "ar-EG",
        "إغلاق الكوبري القديم للإصلاح",
        (
            "سيظل الكوبري القديم فوق النهر مغلقا أمام السيارات حتى نهاية الصيف، بحسب قرار المجلس المحلي.",
            "في 5 مايو 1997 افتتحت الكوبري رئيسة المدينة وقتها هالة وهبة، وقالت إنه هدية للمدينة.",
            "يخاف السكان من الطرق الطويلة، لكن المدينة تعد بمعدية تعمل كل عشرين دقيقة.",
        ),
        "الكوبري خلال الاحتفال يوم 12 أبريل 2019. تصوير: طارق بدر / وكالة",
        (
            CreditLine(
                "<p>كتبت: منى عبد الرحمن</p><p>الخميس، 19 أغسطس 2021 10:30 ص</p>", "منى عبد الرحمن", "2021-08-19"
            ),
            CreditLine("<p>الكاتب: أحمد فؤاد</p><p>تاريخ النشر: ٥ سبتمبر ٢٠٢٠</p>", "أحمد فؤاد", "2020-09-05"),
        ),
    ),
    Language(
        "fa",
        "پل قدیمی برای تعمیر بسته می‌شود",
        (
            "پل قدیمی روی رودخانه تا پایان تابستان به روی خودروها بسته خواهد بود، شورای شهر تصمیم گرفت.",
            "در ۵ مه ۱۹۹۷ شهردار وقت، هلن وردی، پل را گشود و آن را هدیه‌ای به شهر خواند.",
            "ساکنان از راه‌های طولانی می‌ترسند، اما شهرداری قایقی را که هر بیست دقیقه حرکت می‌کند وعده داده است.",
        ),
        "پل در جشن ۱۲ آوریل ۲۰۱۹. عکس: توماج پارسا / خبرگزاری",
        (
            CreditLine("<p>نویسنده: مریم رضایی</p><p>۱۹ اوت ۲۰۲۱</p>", "مریم رضایی", "2021-08-19"),
            CreditLine("<p>نوشته: کاوه احمدی</p><p>منتشر شده در ۷ ژانویه ۲۰۲۰</p>", "کاوه احمدی", "2020-01-07"),
        ),
    ),
    Language(
        "he",
        "הגשר הישן ייסגר לתיקונים",
        (
            "הגשר הישן מעל הנהר יישאר סגור למכוניות עד סוף הקיץ, כך החליטה מועצת העיר.",
            "ב-5 במאי 1997 נפתח הגשר בידי ראשת העיר דאז, הלן ורד, שקראה לו מתנה לעיר.",
            "התושבים חוששים מעיקופים ארוכים, אך העירייה מבטיחה מעבורת שתפעל כל עשרים דקות.",
        ),
        "הגשר בחגיגה ב-12 באפריל 2019. צילום: תומר פרידמן / סוכנות",
        (
            CreditLine("<p>מאת: נועה לוינסון</p><p>19 באוגוסט 2021</p>", "נועה לוינסון", "2021-08-19"),
            CreditLine(
                "<p>מאת יואב שפירא</p><p>פורסם: 7 בינואר 2020, 10:30. עודכן: 8 בינואר 2020</p>",
                "יואב שפירא",
                "2020-01-07",
            ),
        ),
    ),
    Language(
        "hi",
        "पुराना पुल मरम्मत के लिए बंद",
        (
            "नदी पर बना पुराना पुल गर्मियों के अंत तक कारों के लिए बंद रहेगा, नगर परिषद ने यह फैसला किया।",
            "5 मई 1997 को तत्कालीन महापौर हेलेन वर्मा ने पुल का उद्घाटन किया था और इसे शहर के लिए उपहार बताया था।",
            "निवासियों को लंबे रास्ते का डर है, लेकिन परिषद हर बीस मिनट पर चलने वाली नाव का वादा करती है।",
        ),
        "12 अप्रैल 2019 के उत्सव में पुल। फोटो: तुषार प्रसाद / एजेंसी",
        (
            CreditLine("<p>लेखक: अनुराधा शर्मा</p><p>१९ अगस्त २०२१</p>", "अनुराधा शर्मा", "2021-08-19"),
            CreditLine(
                "<p>द्वारा राजेश कुमार सिंह</p><p>प्रकाशित: 7 जनवरी 2020, 10:30 AM</p>", "राजेश कुमार सिंह", "2020-01-07"
            ),
        ),
    ),
    Language(
        "mr",
        "जुना पूल दुरुस्तीसाठी बंद",
        (
            "नदीवरील जुना पूल उन्हाळा संपेपर्यंत गाड्यांसाठी बंद राहील, असा निर्णय नगर परिषदेने घेतला.",
            "५ मे १९९७ रोजी तत्कालीन महापौर हेमा वाघ यांनी पुलाचे उद्घाटन केले आणि त्याला शहराची भेट म्हटले.",
            "रहिवाशांना लांबच्या रस्त्याची भीती आहे, पण परिषद दर वीस मिनिटांनी चालणाऱ्या होडीचे आश्वासन देते.",
        ),
        "१२ एप्रिल २०१९ च्या उत्सवातील पूल. छायाचित्र: तुकाराम पवार / संस्था",
        (
            CreditLine("<p>लेखक: सुनीता कुलकर्णी</p><p>१९ ऑगस्ट २०२१</p>", "सुनीता कुलकर्णी", "2021-08-19"),
            CreditLine("<p>लेखिका: वैशाली जोशी</p><p>प्रकाशित: 7 जानेवारी 2020</p>", "वैशाली जोशी", "2020-01-07"),
        ),
    ),
    Language(
        "bn",
        "পুরোনো সেতু মেরামতের জন্য বন্ধ",
        (
            "নদীর ওপরের পুরোনো সেতু গ্রীষ্মের শেষ পর্যন্ত গাড়ির জন্য বন্ধ থাকবে বলে নগর পরিষদ সিদ্ধান্ত নিয়েছে।",
            "৫ মে ১৯৯৭ তারিখে তৎকালীন মেয়র হেলেন বর্মণ সেতুটি উদ্বোধন করেন এবং একে শহরের জন্য উপহার বলেন।",
            "বাসিন্দারা দীর্ঘ পথ ঘোরার ভয় পাচ্ছেন, তবে পরিষদ প্রতি বিশ মিনিটে একটি ফেরির প্রতিশ্রুতি দিয়েছে।",
        ),
        "১২ এপ্রিল ২০১৯ উৎসবে সেতুটি। ছবি: তপন পাল / সংস্থা",
        (
            CreditLine("<p>লেখক: শর্মিলা চক্রবর্তী</p><p>১৯ আগস্ট ২০২১</p>", "শর্মিলা চক্রবর্তী", "2021-08-19"),
            CreditLine("<p>লিখেছেন: মাহমুদ হাসান</p><p>প্রকাশ: ০৭ জানুয়ারি ২০২০, ১০: ৩০</p>", "মাহমুদ হাসান", "2020-01-07"),
        ),
    ),
    Language(
        "ta",
        "பழைய பாலம் பழுதுபார்ப்புக்காக மூடல்",
        (
            "ஆற்றின் மேல் உள்ள பழைய பாலம் கோடை முடியும் வரை கார்களுக்கு மூடப்பட்டிருக்கும் என நகர மன்றம் முடிவு செய்தது.",
            "5 மே 1997 அன்று அப்போதைய மேயர் ஹேமா வேலன் பாலத்தைத் திறந்து வைத்து நகரத்துக்கான பரிசு என்றார்.",
            "மக்கள் நீண்ட சுற்றுப்பாதையை அஞ்சுகிறார்கள், ஆனால் இருபது நிமிடங்களுக்கு ஒரு படகு வரும் என மன்றம் உறுதியளிக்கிறது.",
        ),
        "12 ஏப்ரல் 2019 விழாவில் பாலம். படம்: தங்கம் பாண்டியன் / நிறுவனம்",
        (
            CreditLine("<p>எழுதியவர்: கவிதா முருகன்</p><p>19 ஆகஸ்ட் 2021</p>", "கவிதா முருகன்", "2021-08-19"),
            CreditLine("<p>ஆசிரியர்: செந்தில் குமார்</p><p>வெளியிடப்பட்டது: 7 ஜனவரி 2020</p>", "செந்தில் குமார்", "2020-01-07"),
        ),
    ),
    Language(
        "te",
        "పాత వంతెన మరమ్మతుల కోసం మూసివేత",
        (
            "నదిపై ఉన్న పాత వంతెన వేసవి ముగిసే వరకు కార్లకు మూసి ఉంటుందని నగర మండలి నిర్ణయించింది.",
            "5 మే 1997న అప్పటి మేయర్ హేమ వర్మ వంతెనను ప్రారంభించి నగరానికి బహుమతి అని అన్నారు.",
            "నివాసులు దూరపు దారులకు భయపడుతున్నారు, కానీ ప్రతి ఇరవై నిమిషాలకు ఒక పడవ ఉంటుందని మండలి హామీ ఇచ్చింది.",
        ),
        "12 ఏప్రిల్ 2019 ఉత్సవంలో వంతెన. ఫోటో: తిరుమల ప్రసాద్ / సంస్థ",
        (
            CreditLine("<p>రచయిత: లక్ష్మీ ప్రసన్న</p><p>19 ఆగస్టు 2021</p>", "లక్ష్మీ ప్రసన్న", "2021-08-19"),
            CreditLine("<p>రచన: వెంకట రావు</p><p>ప్రచురణ: 7 జనవరి 2020</p>", "వెంకట రావు", "2020-01-07"),
        ),
    ),
    Language(
        "ur",
        "پرانا پل مرمت کے لیے بند",
        (
            "دریا پر بنا پرانا پل گرمیوں کے آخر تک گاڑیوں کے لیے بند رہے گا، شہری کونسل نے فیصلہ کیا۔",
            "5 مئی 1997 کو اس وقت کی میئر ہاجرہ وقار نے پل کا افتتاح کیا تھا اور اسے شہر کے لیے تحفہ کہا تھا۔",
            "رہائشیوں کو لمبے راستوں کا خوف ہے، لیکن کونسل ہر بیس منٹ بعد چلنے والی کشتی کا وعدہ کرتی ہے۔",
        ),
        "12 اپریل 2019 کے میلے میں پل۔ تصویر: طاہر پرویز / ایجنسی",
        (
            CreditLine("<p>تحریر: عائشہ صدیقی</p><p>19 اگست 2021</p>", "عائشہ صدیقی", "2021-08-19"),
            CreditLine("<p>مصنف: بلال حسین</p><p>شائع شدہ: 7 جنوری 2020</p>", "بلال حسین", "2020-01-07"),
        ),
    ),
    Language(
        "ka",
        "ძველი ხიდი შეკეთების გამო იკეტება",
        (
            "მდინარეზე გადებული ძველი ხიდი ზაფხულის ბოლომდე ავტომობილებისთვის დაკეტილი იქნება, გადაწყვიტა საკრებულომ.",
            "1997 წლის 5 მაისს ხიდი გახსნა მაშინდელმა მერმა ელენე ვაჩნაძემ, რომელმაც მას ქალაქის საჩუქარი უწოდა.",
            "მოსახლეობას გრძელი შემოვლითი გზების ეშინია, თუმცა მერია ბორანს ჰპირდება, რომელიც ყოველ ოც წუთში ივლის.",
        ),
        "ხიდი 2019 წლის 12 აპრილის დღესასწაულზე. ფოტო: თორნიკე ფირცხალავა / სააგენტო",
        (
            CreditLine("<p>ავტორი: ნინო ბერიძე</p><p>19 აგვისტო 2021</p>", "ნინო ბერიძე", "2021-08-19"),
            CreditLine("<p>ავტორი: გიორგი მაისურაძე | 7 იანვარი, 2020</p>", "გიორგი მაისურაძე", "2020-01-07"),
        ),
    ),
    Language(
        "hy",
        "Հին կամուրջը փակվում է վերանորոգման համար",
        (
            "Գետի վրայի հին կամուրջը մինչև ամառվա վերջ փակ կլինի մեքենաների համար, որոշեց քաղաքային խորհուրդը։",
            "1997 թվականի մայիսի 5-ին կամուրջը բացեց այն ժամանակվա քաղաքապետ Հեղինե Վարդանյանը և անվանեց այն նվեր քաղաքին։",
            "Բնակիչները վախենում են երկար շրջանցումներից, բայց քաղաքապետարանը լաստանավ է խոստանում քսան րոպեն մեկ։",
        ),
        "Կամուրջը 2019 թ. ապրիլի 12-ի տոնին։ Լուսանկար՝ Թորոս Պետրոսյան / Գործակալություն",
        (
            CreditLine("<p>Հեղինակ՝ Անահիտ Գրիգորյան</p><p>19 օգոստոսի 2021</p>", "Անահիտ Գրիգորյան", "2021-08-19"),
            CreditLine("<p>Հեղինակ: Տիգրան Սարգսյան</p><p>7 հունվարի, 2020</p>", "Տիգրան Սարգսյան", "2020-01-07"),
        ),
    ),
    Language(
        "kk",
        "Ескі көпір жөндеуге жабылады",
        (
            "Өзен үстіндегі ескі көпір жаздың соңына дейін көліктер үшін жабық болады деп шешті қалалық мәслихат.",
            "1997 жылғы 5 мамырда көпірді сол кездегі әкім Елена Уәлиева ашып, оны қалаға сыйлық деп атады.",
            "Тұрғындар ұзақ айналма жолдан қорқады, бірақ әкімдік жиырма минут сайын жүретін паромды уәде етіп отыр.",
        ),
        "Көпір 2019 жылғы 12 сәуірдегі мерекеде. Фото: Талғат Пернебай / Агенттік",
        (
            CreditLine("<p>Авторы: Айгүл Нұрланова</p><p>19 тамыз 2021</p>", "Айгүл Нұрланова", "2021-08-19"),
            CreditLine(
                "<p>Авторы: Ерлан Қасымов</p><p>Жарияланды: 2020 жылғы 7 қаңтар</p>", "Ерлан Қасымов", "2020-01-07"
            ),
        ),
    ),
    Language(
        "ne",
        "पुरानो पुल मर्मतका लागि बन्द",
        (
            "नदीमाथिको पुरानो पुल गर्मीको अन्त्यसम्म गाडीका लागि बन्द रहनेछ भन्ने निर्णय नगर परिषद्ले गर्‍यो।",
            "५ मे १९९७ मा तत्कालीन मेयर हेमा वाग्लेले पुलको उद्घाटन गरी यसलाई सहरको उपहार भनेकी थिइन्।",
            "बासिन्दाहरू लामो बाटोबाट डराउँछन्, तर परिषद्ले हरेक बीस मिनेटमा चल्ने डुङ्गाको वाचा गरेको छ।",
        ),
        "१२ अप्रिल २०१९ को उत्सवमा पुल। तस्बिर: तारा पौडेल / संस्था",
        (
            CreditLine("<p>लेखक: सरिता अधिकारी</p><p>१९ अगस्ट २०२१</p>", "सरिता अधिकारी", "2021-08-19"),
            CreditLine("<p>लेखक: दीपक थापा</p><p>प्रकाशित: 7 जनवरी 2020</p>", "दीपक थापा", "2020-01-07"),
        ),
    ),
)
