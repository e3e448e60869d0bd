"""Pairs of sentences that contradict each other, with the kind, and pairs that do not though their figures differ."""

from __future__ import annotations

CONTRADICTIONS = (
    (
        "numbers",
        "The lighthouse at Sandle Point is 31 metres high.",
        "The lighthouse at Sandle Point is 33 metres tall.",
    ),
    ("numbers", "The Harbour Board paid 48,500 EUR for the lamp.", "The lamp cost the Harbour Board 52,000 EUR."),
    ("numbers", "In 2019, 212 petrels were found below the tower.", "In 2019, 187 petrels were found below the tower."),
    ("numbers", "The ferry to Gull Rock takes 40 minutes.", "The ferry to Gull Rock takes 2 hours."),
    ("numbers", "The crossing to Skarv island takes 3 days.", "The crossing to Skarv island takes 2 weeks."),
    (
        "numbers",
        "The village of Orrin has 1,340 inhabitants.",
        "The village of Orrin has a population of 2,100 people.",
    ),
    ("numbers", "About 60 percent of the reef is bleached.", "About 20 percent of the reef is bleached."),
    (
        "dates",
        "The lighthouse at Sandle Point was built in 1887.",
        "The lighthouse at Sandle Point was erected in 1902.",
    ),
    ("dates", "The new lamp was lit on 14 March 2019.", "The new lamp was lit on 2 May 2019."),
    ("dates", "Ines Corrow was born in 1961.", "Ines Corrow was born in 1959."),
    ("dates", "The Harbour Board was founded in 1850.", "The Harbour Board was established in 1847."),
    ("negation", "The tower is open to visitors in winter.", "The tower is not open to visitors in winter."),
    ("negation", "Dogs are allowed in the tide pools.", "Dogs are never allowed in the tide pools."),
    ("negation", "The ferry carries bicycles.", "The ferry doesn't carry bicycles."),
    # other phrasing
    (
        "numbers",
        "At 5,642 metres, Mount Varra is the highest peak of the range.",
        "Mount Varra, the highest peak of the range, rises to 5,462 m.",
    ),
    (
        "dates",
        "The treaty of Orrin was signed on 3 June 1921.",
        "Signed on 12 June 1921, the treaty of Orrin ended the war.",
    ),
    (
        "negation",
        "The vaccine protects against the new variant.",
        "The vaccine does not protect against the new variant.",
    ),
    (
        "numbers",
        "Unemployment in Velde fell to 4.2 percent in May 2023.",
        "In May 2023, unemployment in Velde fell to 5.1%.",
    ),
    # German
    (
        "numbers",
        "Der Leuchtturm von Sandle ist 31 Meter hoch.",
        "Der Leuchtturm von Sandle hat eine Höhe von 33 Metern.",
    ),
    ("numbers", "Die Gemeinde Orrin hat 1.340 Einwohner.", "In der Gemeinde Orrin leben 2.100 Menschen."),
    ("dates", "Der Hafenrat wurde 1850 gegründet.", "Der Hafenrat wurde im Jahr 1847 gegründet."),
    ("dates", "Ines Corrow wurde am 3. Mai 1961 geboren.", "Ines Corrow wurde am 7. Mai 1961 geboren."),
    ("negation", "Hunde sind am Strand erlaubt.", "Hunde sind am Strand nicht erlaubt."),
    (
        "numbers",
        "Die Brücke über die Orr ist 412 Meter lang.",
        "Die Brücke über die Orr hat eine Länge von 380 m.",
    ),
    # French
    ("numbers", "Le phare de Sandle mesure 31 mètres de haut.", "Le phare de Sandle mesure 33 mètres."),
    ("dates", "Le phare de Sandle a été construit en 1887.", "Le phare de Sandle fut construit en 1902."),
    ("negation", "Le musée est ouvert le dimanche.", "Le musée n’est pas ouvert le dimanche."),
    ("numbers", "Le billet coûte 4,50 euros.", "Le billet coûte 6 €."),
    # Spanish
    ("numbers", "El faro de Sandle tiene 31 metros de altura.", "El faro de Sandle mide 33 metros."),
    ("dates", "La torre de Sandle fue construida en 1887.", "La torre de Sandle se construyó en 1902."),
    ("negation", "El puente está abierto a los camiones.", "El puente no está abierto a los camiones."),
    ("numbers", "El pueblo de Orrin tiene 1.340 habitantes.", "El pueblo de Orrin cuenta con 2.100 habitantes."),
    # Japanese
    ("numbers", "サンドル灯台の高さは31メートルです。", "サンドル灯台の高さは33メートルである。"),
    ("dates", "サンドル灯台は1887年に建設された。", "サンドル灯台は1902年に建てられた。"),
    ("negation", "この島では犬の散歩ができます。", "この島では犬の散歩はできません。"),
    ("numbers", "オリン村の人口は1340人です。", "オリン村の人口は2100人である。"),
)
NEAR_MISSES = (
    ("The crossing to Skarv island takes 7 days.", "The crossing to Skarv island takes 1 week."),
    # other years
    ("In 2018, 1,340 petrels were found below the tower.", "In 2019, 212 petrels were found below the tower."),
    ("The festival took place in 2018.", "The festival took place in 2019."),
    # units that agree
    ("The lighthouse at Sandle Point is 31 metres high.", "The lighthouse at Sandle Point is 102 feet high."),
    ("The ferry to Gull Rock takes 90 minutes.", "The ferry to Gull Rock takes 1.5 hours."),
    ("The bell weighs 1.2 tonnes.", "The bell weighs 1,200 kg."),
    # other subjects
    ("The lighthouse at Sandle Point is 31 metres high.", "The chapel at Sandle Point is 12 metres high."),
    ("The lighthouse at Sandle Point was built in 1887.", "The lighthouse at Gull Rock was built in 1902."),
    ("The old tower is 31 metres high.", "The new tower is 45 metres high."),
    ("Entry to the tower costs 4.50 EUR for adults.", "Entry to the tower costs 2 EUR for children."),
    # other properties
    ("The pier is 12 metres wide.", "The pier is 300 metres long."),
    # a day and its year, a rounded figure
    ("The new lamp was lit on 14 March 2019.", "The new lamp was lit in 2019."),
    ("The village of Orrin has about 1,300 inhabitants.", "The village of Orrin has 1,340 inhabitants."),
    # negations of something else
    ("The shop sells tickets on Monday.", "The shop does not sell tickets on Tuesday."),
    ("The tower is open in summer.", "The tower is not open in winter."),
    # other phrasing
    ("The first edition was published in 1998.", "The second edition was published in 2004."),
    ("Revenue rose 5 percent in the first quarter.", "Revenue rose 8 percent in the second quarter."),
    ("The library opened in 1903 and closed in 1987.", "The library was closed in 1987."),
    ("The trail is 12 miles long.", "The trail is 19.3 km long."),
    ("The tallest tower in Orrin is open.", "It is not the tallest tower in Orrin."),
    ("Orrin had 900 residents in 1950 and 1,340 in 2020.", "Orrin has 1,340 residents."),
    ("Water boils at 100 degrees at sea level.", "Water boils at 90 degrees at 3,000 metres."),
    # German
    ("Der Leuchtturm von Sandle ist 31 Meter hoch.", "Die Kapelle von Sandle ist 12 Meter hoch."),
    ("Der Eintritt kostet 4,50 Euro für Erwachsene.", "Der Eintritt kostet 2 Euro für Kinder."),
    ("Im Jahr 2018 hatte Orrin 1.340 Einwohner.", "Im Jahr 2019 hatte Orrin 1.420 Einwohner."),
    ("Der Turm ist 1.200 Meter vom Hafen entfernt.", "Der Turm ist 1,2 km vom Hafen entfernt."),
    ("Die Fähre fährt dienstags.", "Die Fähre fährt montags nicht."),
    # French
    ("Le phare de Sandle mesure 31 mètres de haut.", "Le phare de Sandle mesure 9 mètres de large."),
    ("Le musée est ouvert en été.", "Le musée n’est pas ouvert en hiver."),
    ("La cloche pèse 1,2 tonne.", "La cloche pèse 1 200 kg."),
    ("Le village d’Orrin compte environ 1 300 habitants.", "Le village d’Orrin compte 1 340 habitants."),
    # Spanish
    ("La entrada cuesta 4,50 euros para adultos.", "La entrada cuesta 2 euros para niños."),
    ("La torre de Sandle fue construida en 1887.", "La iglesia de Sandle fue construida en 1902."),
    ("El puente mide 300 metros de largo.", "El puente mide 12 metros de ancho."),
    ("La lámpara se encendió el 14 de marzo de 2019.", "La lámpara se encendió en 2019."),
    # Japanese
    ("サンドル灯台の高さは31メートルです。", "サンドル教会の高さは12メートルです。"),
    ("入場料は大人500円です。", "入場料は子供200円です。"),
    ("この橋の長さは300メートルです。", "この橋の幅は12メートルです。"),
    ("博物館は夏に開館します。", "博物館は冬に開館しません。"),
)
