"""Passages with sentences that they support and sentences with one thing changed, in five languages.

Written before the check that they measure (`benchmarks/sentence_support.py`). A faithful sentence says with other
words, another order or another notation what its passage says. An unfaithful one has another currency, unit,
magnitude or number, an added or dropped negation, or a second half from elsewhere. The held-out cases were first
run when the check was written.
"""

from __future__ import annotations

from typing import NamedTuple


class SupportCase(NamedTuple):
    """A passage with faithful and unfaithful sentences, the latter with the kind of their change."""

    language: str
    passage: str
    faithful: tuple[str, ...]
    unfaithful: tuple[tuple[str, str], ...]


CASES = (
    # English
    SupportCase(
        "en",
        "A day ticket for the Orrin museum costs €20, and children under 12 years pay nothing. Dogs are not allowed "
        "in the halls, but they may wait in the yard. The museum does not close in winter.",
        (
            "A day ticket costs 20 euros.",
            "Entry to the museum for a day is EUR 20.",
            "Children under 12 pay nothing.",
            "Dogs may wait in the yard.",
            "You cannot take dogs into the halls.",
            "The museum stays open in winter.",
        ),
        (
            ("currency", "A day ticket costs 20 dollars."),
            ("currency", "A day ticket for the museum costs $20."),
            ("unit", "Children under 12 months pay nothing."),
            ("negation", "Dogs are allowed in the halls."),
            ("negation", "Dogs may not wait in the yard."),
            ("negation", "The museum closes in winter."),
        ),
    ),
    SupportCase(
        "en",
        "The bridge over the Orr is 3.5 km long and carried 1.2 million vehicles in 2021, which is 4.5% more than in "
        "the year before. Its operator, Tidal Roads, no longer takes cash. The toll is $2.40 per crossing. Heavy "
        "lorries over 7.5 tonnes may not cross it at night.",
        (
            "The bridge is 3,500 metres long.",
            "In 2021 the bridge carried 1,200,000 vehicles.",
            "Traffic on the bridge grew by 4.5 percent.",
            "Tidal Roads does not take cash any more.",
            "A crossing costs 2.40 US dollars.",
            "At night, lorries of more than 7.5 tonnes may not cross the bridge.",
            "In miles, the bridge over the Orr is about 2.2 miles long.",
        ),
        (
            ("unit", "The bridge is 3.5 miles long."),
            ("magnitude", "The bridge carried 1.2 billion vehicles in 2021."),
            ("unit", "The number of vehicles rose by 4.5 percentage points."),
            ("negation", "Its operator, Tidal Roads, takes cash."),
            ("currency", "The toll is £2.40 per crossing."),
            ("unit", "Lorries over 7.5 kg may not cross the bridge at night."),
            ("negation", "Heavy lorries over 7.5 tonnes may cross it at night."),
        ),
    ),
    SupportCase(
        "en",
        "Each tablet contains 250 mg of the active substance. Adults take two tablets every 8 hours for at most 5 "
        "days. The medicine does not cause drowsiness and should never be taken with alcohol. Store it below 25 °C.",
        (
            "A tablet has 250 milligrams of the active substance.",
            "Adults take 2 tablets every eight hours.",
            "It should not be taken with alcohol.",
            "The medicine causes no drowsiness.",
            "Keep the medicine below 25 degrees Celsius.",
            "One tablet contains 0.25 g of the active substance.",
        ),
        (
            ("unit", "Each tablet contains 250 g of the active substance."),
            ("unit", "Adults take two tablets every 8 days."),
            ("negation", "It should be taken with alcohol."),
            ("negation", "The medicine causes drowsiness."),
            ("unit", "Store the medicine below 25 °F."),
            (
                "splice",
                "Adults take two tablets every eight hours because migrating herring avoid illuminated harbours.",
            ),
        ),
    ),
    SupportCase(
        "en",
        "The Petrel Fund returned 3.1 percentage points more than its index, and its fees are 0.4 % a year. Its assets "
        "grew to $48 billion in June 2022. The fund has no exposure to coal.",
        (
            "The fund beat its index by 3.1 percentage points.",
            "Yearly fees are 0.4 percent.",
            "The assets of the Petrel Fund reached 48 billion dollars.",
        ),
        (
            ("unit", "The fund returned 3.1 percent more than its index."),
            ("magnitude", "Its assets grew to $48 million in June 2022."),
            ("negation", "The fund has exposure to coal."),
        ),
    ),
    # German
    SupportCase(
        "de",
        "Die Fähre nach Sandle kostet 12,50 € und braucht 40 Minuten. Fahrräder werden nicht mitgenommen, Hunde dürfen "
        "kostenlos mitfahren. Im Jahr 2020 beförderte sie 1,4 Millionen Fahrgäste. Bei Sturm fährt sie nicht.",
        (
            "Eine Fahrt nach Sandle kostet 12,50 Euro.",
            "Die Fähre braucht 40 min.",
            "Die Fähre nimmt keine Fahrräder mit.",
            "2020 hatte die Fähre 1.400.000 Fahrgäste.",
            "Hunde fahren kostenlos mit.",
            "Wenn es stürmt, fährt die Fähre nicht.",
        ),
        (
            ("currency", "Die Fähre nach Sandle kostet 12,50 Franken."),
            ("unit", "Die Fähre braucht 40 Stunden."),
            ("negation", "Fahrräder werden mitgenommen."),
            ("magnitude", "Im Jahr 2020 beförderte sie 1,4 Milliarden Fahrgäste."),
            ("negation", "Hunde dürfen nicht kostenlos mitfahren."),
            ("negation", "Bei Sturm fährt sie."),
        ),
    ),
    SupportCase(
        "de",
        "Der Turm ist 1.200 Meter vom Hafen entfernt und hat keinen Aufzug. Der Anteil der Besucher aus Dänemark stieg "
        "um 5 Prozent auf 31 %. Die Glocke wiegt 1,2 t. Der Wärter Jens Holm wohnt nicht mehr im Turm.",
        (
            "Der Turm liegt 1,2 km vom Hafen entfernt.",
            "Im Turm gibt es keinen Aufzug.",
            "Der Anteil der Dänen stieg auf 31 Prozent.",
            "Die Glocke hat ein Gewicht von 1200 kg.",
            "Jens Holm wohnt nicht mehr dort.",
            "Der Turm besitzt keinen Aufzug.",
        ),
        (
            ("unit", "Der Turm ist 1.200 Meilen vom Hafen entfernt."),
            ("negation", "Der Turm hat einen Aufzug."),
            ("unit", "Der Anteil der Besucher aus Dänemark stieg um 5 Prozentpunkte."),
            ("unit", "Die Glocke wiegt 1,2 kg."),
            ("negation", "Der Wärter Jens Holm wohnt im Turm."),
            ("splice", "Der Turm ist 1.200 Meter vom Hafen entfernt, weil Heringsschwärme beleuchtete Küsten meiden."),
        ),
    ),
    # French
    SupportCase(
        "fr",
        "Le billet coûte 15 € et n’est pas remboursable. Le phare mesure 31 mètres. En 2019, 2,3 millions de visiteurs "
        "sont venus, soit une hausse de 6 %. Les chiens ne sont jamais admis dans la tour.",
        (
            "Un billet coûte 15 euros.",
            "Le billet n’est jamais remboursable.",
            "Le phare a une hauteur de 31 m.",
            "Le phare a reçu 2 300 000 visiteurs en 2019.",
            "Le nombre de visiteurs a augmenté de 6 pour cent.",
        ),
        (
            ("currency", "Le billet coûte 15 livres sterling."),
            ("negation", "Le billet est remboursable."),
            ("unit", "Le phare mesure 31 kilomètres."),
            ("magnitude", "En 2019, 2,3 milliards de visiteurs sont venus."),
            ("negation", "Les chiens sont admis dans la tour."),
        ),
    ),
    SupportCase(
        "fr",
        "La piscine ouvre à 9 heures et contient 800 m³ d’eau. Elle n’a plus de toboggan. L’abonnement annuel coûte "
        "1 250 francs suisses. Les enfants de moins de 6 ans entrent sans payer. Le parking est gratuit.",
        (
            "La piscine est ouverte à partir de 9 h.",
            "L’abonnement pour un an coûte 1250 CHF.",
            "Il n’y a plus de toboggan.",
            "Les enfants de moins de six ans ne paient pas.",
            "On se gare gratuitement au parking.",
        ),
        (
            ("unit", "La piscine contient 800 litres d’eau."),
            ("negation", "Elle a un toboggan."),
            ("currency", "L’abonnement annuel coûte 1 250 euros."),
            ("unit", "Les enfants de moins de 6 mois entrent sans payer."),
            ("negation", "Le parking n’est pas gratuit."),
        ),
    ),
    # Spanish
    SupportCase(
        "es",
        "La entrada cuesta 8 euros y no incluye la audioguía. El faro tiene 31 metros de altura. El puerto movió 4,7 "
        "millones de toneladas en 2020, un 3 % menos. Los perros nunca pueden entrar en la torre.",
        (
            "Una entrada cuesta 8 €.",
            "La audioguía no está incluida en la entrada.",
            "El faro mide 31 m.",
            "En 2020 el puerto movió 4.700.000 toneladas.",
            "Los perros no pueden entrar en la torre.",
        ),
        (
            ("currency", "La entrada cuesta 8 pesos."),
            ("negation", "La entrada incluye la audioguía."),
            ("unit", "El faro tiene 31 pies de altura."),
            ("magnitude", "El puerto movió 4,7 mil toneladas en 2020."),
            ("negation", "Los perros pueden entrar en la torre."),
        ),
    ),
    SupportCase(
        "es",
        "El tren tarda 2 horas y sale del andén 5. La empresa ya no vende billetes en papel. La inflación bajó 2 "
        "puntos porcentuales hasta el 3,1 %. El agua del lago está a 14 grados. El camino no es apto para niños.",
        (
            "El viaje en tren dura dos horas.",
            "La empresa no vende más billetes en papel.",
            "La inflación bajó hasta el 3,1 por ciento.",
            "El lago tiene el agua a 14 °C.",
            "El camino no resulta apto para los niños.",
        ),
        (
            ("unit", "El tren tarda 2 días."),
            ("negation", "La empresa vende billetes en papel."),
            ("unit", "La inflación bajó un 2 por ciento."),
            ("negation", "El agua del lago no está a 14 grados."),
            ("negation", "El camino es apto para niños."),
        ),
    ),
    # Chinese
    SupportCase(
        "zh",
        "门票价格为20元，儿童免费。博物馆冬季不开放。这座桥全长3.5公里，2021年有120万辆车通过，增长了4.5%。",
        (
            "门票20元。",
            "冬季博物馆不开放。",
            "桥的全长为3500米。",
            "2021年有1200000辆车通过这座桥。",
        ),
        (
            ("currency", "门票价格为20美元。"),
            ("negation", "博物馆冬季开放。"),
            ("unit", "这座桥全长3.5英里。"),
            ("magnitude", "2021年有120亿辆车通过。"),
        ),
    ),
    SupportCase(
        "zh",
        "每片含有250毫克有效成分，成人每8小时服用两片。该药没有副作用，不能与酒同服。请在25摄氏度以下保存。",
        (
            "每片的有效成分为250毫克。",
            "成人每8小时服两片。",
            "该药没有任何副作用。",
            "不能和酒一起服用。",
        ),
        (
            ("unit", "每片含有250克有效成分。"),
            ("unit", "成人每8天服用两片。"),
            ("negation", "该药有副作用。"),
            ("negation", "该药能与酒同服。"),
        ),
    ),
)

HELD_OUT = (
    SupportCase(
        "en",
        "Parking at the Velde terminal is CHF 18 per day, and the first 30 minutes are free. The lift to platform 4 "
        "does not work on Sundays. The terminal handled 640,000 tons of grain; its silo is 96 feet high. Passengers "
        "without a visa cannot board.",
        (
            "A day of parking costs 18 Swiss francs.",
            "The first half hour, 30 min, is free.",
            "On Sundays the lift to platform 4 doesn't work.",
            "The silo has a height of 96 ft.",
            "Passengers can't board if they have no visa.",
            "The terminal handled 640 thousand tons of grain.",
        ),
        (
            ("currency", "Parking at the Velde terminal is EUR 18 per day."),
            ("unit", "The first 30 hours are free."),
            ("negation", "The lift to platform 4 works on Sundays."),
            ("unit", "The silo is 96 metres high."),
            ("magnitude", "The terminal handled 640 million tons of grain."),
            ("negation", "The first 30 minutes are not free."),
        ),
    ),
    SupportCase(
        "de",
        "Das Konto kostet 4 Euro im Monat. Zinsen zahlt die Bank nicht. Ein Kredit über 25.000 € läuft 5 Jahre. Kunden "
        "unter 18 Jahren erhalten keine Karte. Der Leitzins stieg um 0,5 Prozentpunkte.",
        (
            "Im Monat kostet das Konto 4 €.",
            "Die Bank zahlt keine Zinsen.",
            "Die Laufzeit des Kredits über 25 000 Euro beträgt fünf Jahre.",
            "Wer unter 18 ist, erhält keine Karte.",
            "Der Leitzins ist um 0,5 Prozentpunkte gestiegen.",
        ),
        (
            ("currency", "Das Konto kostet 4 Dollar im Monat."),
            ("negation", "Die Bank zahlt Zinsen."),
            ("unit", "Ein Kredit über 25.000 € läuft 5 Monate."),
            ("negation", "Kunden unter 18 Jahren erhalten eine Karte."),
            ("unit", "Der Leitzins stieg um 0,5 Prozent."),
        ),
    ),
    SupportCase(
        "fr",
        "Le sentier fait 14 km et ne convient pas aux poussettes. La source donne 90 litres par minute. La commune n’a "
        "aucun médecin. Les travaux ont coûté 3 millions d’euros. Le refuge reste ouvert en hiver.",
        (
            "Le sentier a une longueur de 14 kilomètres.",
            "Il ne convient pas aux poussettes.",
            "La commune n’a pas de médecin.",
            "Le coût des travaux est de 3 000 000 €.",
            "En hiver, le refuge reste ouvert.",
        ),
        (
            ("unit", "Le sentier fait 14 miles."),
            ("negation", "Le sentier convient aux poussettes."),
            ("negation", "La commune a un médecin."),
            ("magnitude", "Les travaux ont coûté 3 milliards d’euros."),
            ("negation", "Le refuge ne reste pas ouvert en hiver."),
        ),
    ),
    SupportCase(
        "es",
        "El hotel cobra 95 dólares por noche y no admite mascotas. La playa está a 300 metros. La piscina ya no es "
        "gratuita. El ascensor soporta 630 kg. El barco sale los lunes.",
        (
            "Una noche de hotel cuesta 95 USD.",
            "El hotel no permite mascotas.",
            "La playa queda a 0,3 km.",
            "La piscina dejó de ser gratuita.",
            "El ascensor soporta 630 kilos.",
        ),
        (
            ("currency", "El hotel cobra 95 euros por noche."),
            ("negation", "El hotel admite mascotas."),
            ("unit", "La playa está a 300 kilómetros."),
            ("negation", "La piscina es gratuita."),
            ("negation", "El barco no sale los lunes."),
        ),
    ),
    SupportCase(
        "zh",
        "该公司去年收入为3.6亿元，同比增长2个百分点。员工没有股份。工厂距离港口12公里。游客不得携带宠物。",
        (
            "去年该公司的收入是3.6亿元。",
            "员工没有公司股份。",
            "港口距离工厂12千米。",
            "不得携带宠物。",
        ),
        (
            ("magnitude", "该公司去年收入为3.6万元。"),
            ("currency", "该公司去年收入为3.6亿欧元。"),
            ("negation", "员工有股份。"),
            ("negation", "游客可以携带宠物。"),
        ),
    ),
)

KNOWN_FALSE_ALARMS = frozenset(
    [
        "Eine Fahrt nach Sandle kostet 12,50 Euro.",
        "Der Anteil der Dänen stieg auf 31 Prozent.",
        "Die Glocke hat ein Gewicht von 1200 kg.",
        "Die Laufzeit des Kredits über 25 000 Euro beträgt fünf Jahre.",
    ]
)
"""True sentences that are refused: a German noun that the passage lacks counts as a name."""
