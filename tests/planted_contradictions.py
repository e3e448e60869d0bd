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
)
NEAR_MISSES = (
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
)
