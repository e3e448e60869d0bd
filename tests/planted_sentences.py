"""Sentences that cite a passage which does not support them, and sentences that their passage supports."""

from __future__ import annotations

PASSAGE = (
    "The lighthouse at Sandle Point was built in 1887 and is 31 metres high. On 14 March 2019 the keeper, Ines Corrow, "
    "lit a warm LED lamp of 190 watts in place of the sodium lamp. The Harbour Board paid 48,500 EUR for it. In the "
    "first year, 212 petrels were found below the tower, of which 187 were released alive; the year before there had "
    "been 1,340. The tower stays open for visitors from April to October, on three days a week, for 4.50 EUR."
)

UNSUPPORTED = (
    # numbers
    "The lighthouse was built in 1878.",
    "The lighthouse at Sandle Point is 13 metres high.",
    "The tower is 31.5 metres high.",
    "The new lamp has 190,000 watts.",
    "The Harbour Board paid 84,500 EUR for the lamp.",
    "The lamp cost 48,500,000 EUR.",
    "In the first year 221 petrels were found below the tower.",
    "Of the petrels that were found, 188 were released alive.",
    "The year before there had been 1,430 petrels.",
    "The year before there had been 134 petrels below the tower.",
    "A visit to the tower costs 4.60 EUR.",
    "A visit to the tower costs 45 EUR.",
    "The tower stays open on five days a week.",
    "The tower is open on two days a week.",
    "The number of petrels fell by 84 percent in the first year.",
    "About seventy petrels were released alive in the first year.",
    # dates
    "The LED lamp was lit on 15 March 2019.",
    "The LED lamp was lit on 14 March 2020.",
    "The LED lamp was lit on 14 May 2019.",
    "The keeper lit the lamp on 2019-03-04.",
    "The lighthouse was built on 1 April 1887.",
    "The tower stays open from April to November.",
    "The tower stays open from May to October.",
    "The lamp was changed in February 2019.",
    # names
    "The keeper is Ines Corwen.",
    "The keeper, Maria Lopez, lit the lamp.",
    "Lopez lit the warm LED lamp in place of the sodium lamp.",
    "The lighthouse stands at Sandy Point.",
    "The lighthouse at Cape Sandle was built in 1887.",
    "The Coast Guard paid 48,500 EUR for the lamp.",
    "The Harbour Trust paid 48,500 EUR for the lamp.",
    "The petrels were released alive by Ines Corrow and Per Velde.",
    "The lamp was made by Philips.",
    "The Harbour Board of Denmark paid for the lamp.",
    "The Harbour Board paid 48,500 USD for the lamp.",
    "Puffins were found below the tower in the first year.",
    # everything
    "Nobody knows whether migrating birds recover their bearings afterwards.",
    "Insurance premiums rose sharply because of fishing vessels running aground.",
    "The committee recommended closing every coastal station permanently.",
    "Scientists believe coloured glass distracts insects considerably.",
)

SUPPORTED = (
    "The lighthouse at Sandle Point was built in 1887.",
    "It is 31 metres high.",
    "Ines Corrow lit the LED lamp on 14 March 2019.",
    "On March 14, 2019 the keeper lit a warm LED lamp of 190 watts.",
    "The Harbour Board paid 48 500 EUR for the lamp.",
    "In the first year 212 petrels were found, and 187 of them were released alive.",
    "There had been 1340 petrels the year before.",
    "The tower is open to visitors from April to October, three days a week.",
    "Visitors pay 4,50 EUR.",
    "The sodium lamp was replaced by an LED lamp.",
)
