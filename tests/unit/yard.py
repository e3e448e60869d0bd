"""What people say of a gate, where tests read threads."""

from __future__ import annotations

SAID = (
    "The gate on the upper field swings open whenever it rains, and the sheep are in the lane before breakfast.",
    "Hang it a finger higher on the side of the hinge. Wet oak swells, and the latch no longer meets its plate.",
    "That is what we did, and the first frost pulled the post over: the ground there is nothing but clay.",
    "Clay wants a deep hole and stones around the foot. Ours has stood for eleven winters and two tractors.",
    "A spring on the latch would have been cheaper than all of that, and it takes one screw and no spade at all.",
    "Springs rust. Whoever sold you that one has never left a gate out for a whole winter by the sea, I think.",
)
PEOPLE = ("reed_warbler", "Hollins", "m.okafor", "oldmill", "tansy", "b.quist")
