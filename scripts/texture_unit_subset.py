#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes tests/data/texture_unit from the full captures of a texture unit: the same block format,
not compressed, with evenly spread samples of every block.

usage: scripts/texture_unit_subset.py CAPTURES [OUTPUT]
"""
import lzma
import pathlib
import struct
import sys

SIZES = {"f4": 4, "u1": 1, "i1": 1, "u2": 2, "i2": 2}
# How many samples of each pair of _p and _o blocks are kept; a family's first letter names it.
KEPT = {"B": 800, "C": 250, "E": 70, "J": 100, "G": 400, "I": 293, "K": 150, "L": 60, "M": 200}
ROWS = 12  # of the 64 rows of the random textures


def blocks(path):
    data = lzma.open(path).read()
    at = 0
    while at < len(data):
        name, kind, count, components = data[at : at + 64].rstrip(b"\0").decode().split("|")
        at += 64
        size = SIZES[kind[-2:]] * int(components)
        yield name, kind, [data[at + i * size : at + (i + 1) * size] for i in range(int(count))], int(components)
        at += size * int(count)


def spread(count, kept):
    return sorted({i * count // kept for i in range(kept)}) if count > kept else range(count)


def main():
    captures = pathlib.Path(sys.argv[1])
    target = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else "tests/data/texture_unit")
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(captures.glob("*.bin.xz")):
        found = {name: (kind, values, components) for name, kind, values, components in blocks(path)}
        with open(target / path.name.removesuffix(".xz"), "wb") as out:
            for name, (kind, values, components) in found.items():
                if name.startswith("Mmip0"):  # its texels hold the level alone; Mmip1 says more
                    continue
                stem = name.removesuffix("_p").removesuffix("_o")
                if name.startswith("C") and name.endswith("_v"):
                    values = values[: 64 * ROWS]
                elif name.startswith("C"):  # those samples that see the kept rows only
                    points = [struct.unpack("<2f", p) for p in found[stem + "_p"][1]]
                    near = [i for i, (x, y) in enumerate(points) if y < ROWS - 1]
                    values = [values[near[i]] for i in spread(len(near), KEPT["C"])]
                elif stem.startswith("Mco"):
                    pass  # every strange coordinate matters
                elif stem != name:
                    values = [values[i] for i in spread(len(values), KEPT[name[0]])]
                elif name.startswith("H_"):
                    values = values[:1024]  # a table's place is its code
                header = f"{name}|{kind}|{len(values)}|{components}".encode()
                out.write(header.ljust(64, b"\0") + b"".join(values))


main()
