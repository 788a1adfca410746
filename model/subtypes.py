"""Subtypes by the card type that they belong to (CR 205.3g-m): an object that loses a card type loses those with it.

Planeswalker types are not listed: they are whatever else a planeswalker has. An underscore stands for a space.
"""

from __future__ import annotations

# In the order W U B R G of the mana that they make (305.6).
BASIC_LANDS = ("Plains", "Island", "Swamp", "Mountain", "Forest")
BASIC_LAND_TYPES = frozenset(BASIC_LANDS)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.replace("_", " ") for word in text.split())


ARTIFACT_TYPES = _words("""
    Attraction Blood Bobblehead Book Clue Contraption Equipment Food Fortification Gold Incubator Infinity Junk
    Lander Map Mutagen Powerstone Spacecraft Stone Treasure Vehicle
""")

ENCHANTMENT_TYPES = _words("""
    Aura Background Cartouche Case Class Curse Plan Role Room Rune Saga Shard Shrine
""")

LAND_TYPES = _words("""
    Cave Cloud Desert Forest Gate Island Lair Locus Mine Mountain Omenpath Plains Planet Power-Plant Sphere Swamp
    Tower Town Urza's
""")

SPELL_TYPES = _words("""
    Adventure Arcane Chorus Lesson Omen Trap
""")

BATTLE_TYPES = _words("Siege")

CREATURE_TYPES = _words("""
    Advisor Aetherborn Alicorn Alien Ally Angel Antelope Ape Archer Archon Armadillo Army Artificer Assassin
    Assembly-Worker Astartes Atog Aurochs Autobot Avatar Azra Badger Balloon Barbarian Bard Basilisk Bat Bear
    Beast Beaver Beeble Beholder Berserker Bird Bison Blinkmoth Boar Bringer Brushwagg Bureaucrat C'tan Camarid
    Camel Capybara Caribou Carrier Cat Centaur Cephalid Chameleon Champion Chicken Child Chimera Citizen Cleric
    Clown Cockatrice Construct Cow Coward Coyote Crab Crocodile Cub Custodes Cyberman Cyborg Cyclops Dalek Dauthi
    Deer Demigod Demon Deserter Detective Devil Dinosaur Djinn Doctor Dog Donkey Dragon Drake Dreadnought Drix
    Drone Druid Dryad Duck Dwarf Echidna Efreet Egg Elder Eldrazi Elemental Elephant Elf Elk Employee Eternal Eye
    Faerie Ferret Fish Flagbearer Fox Fractal Frog Fungus Gamma Gargoyle Germ Giant Giraffe Gith Glimmer Gnoll
    Gnome Goat Goblin God Golem Goose Gorgon Graveborn Gremlin Griffin Guest Hag Halfling Hamster Harpy Hawk
    Hedgehog Hellion Hero Hippo Hippogriff Homarid Homunculus Hornet Horror Horse Human Hydra Hyena Illusion Imp
    Incarnation Inhuman Inkling Inquisitor Insect Jackal Jellyfish Juggernaut Kangaroo Kavu Kirin Kithkin Knight
    Koala Kobold Kor Kraken Kree Lamia Lammasu Leech Lemur Leviathan Lhurgoyf Licid Lizard Lobster Mammoth
    Manticore Masticore Mercenary Merfolk Metathran Minion Minotaur Mite Mole Monger Mongoose Monk Monkey Moogle
    Moonfolk Mount Mouse Mutant Myr Mystic Nautilus Necron Nephilim Nightmare Nightstalker Ninja Noble Noggle
    Nomad Nymph Octopus Officer Ogre Ooze Orb Orc Orgg Otter Ouphe Ox Oyster Pangolin Peasant Pegasus Pentavite
    Performer Pest Phelddagrif Phoenix Phyrexian Pilot Pincher Pirate Plant Platypus Pony Porcupine Possum Praetor
    Primarch Prism Processor Qu Rabbit Raccoon Ranger Rat Rebel Reflection Rhino Rigger Robot Rogue Salamander
    Samurai Sand Saproling Satyr Scarecrow Scientist Scion Scorpion Scout Sculpture Seal Serf Serpent Servo Shade
    Shaman Shapeshifter Shark Sheep Shi'ar Siren Skeleton Skrull Skunk Slith Sliver Sloth Slug Snail Snake Soldier
    Soltari Sorcerer Spawn Specter Spellshaper Sphinx Spider Spike Spirit Splinter Sponge Spy Squid Squirrel
    Starfish Surrakar Survivor Symbiote Synth Tentacle Tetravite Thalakos Thief Thopter Thrull Tiefling Time_Lord
    Townsfolk Toy Tree Treefolk Trilobite Triskelavite Troll Turtle Tyranid Unicorn Utrom Vampire Varmint Vedalken
    Villain Volver Wall Walrus Warlock Warrior Weasel Weird Werewolf Whale Wizard Wolf Wolverine Wombat Worm
    Wraith Wurm Yeti Zombie Zubera
""")

OF_CARD_TYPE = {
    "Artifact": ARTIFACT_TYPES,
    "Enchantment": ENCHANTMENT_TYPES,
    "Land": LAND_TYPES,
    "Creature": CREATURE_TYPES,
    "Kindred": CREATURE_TYPES,
    "Instant": SPELL_TYPES,
    "Sorcery": SPELL_TYPES,
    "Battle": BATTLE_TYPES,
}
LISTED = frozenset[str]().union(*OF_CARD_TYPE.values())
