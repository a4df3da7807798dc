"""Writes the mesh and pose files that scripts/tests/examples.sh feeds to the examples: good ones, bad ones and, by
cutting and changing bytes, a few hundred that are neither."""

import math
import random
import struct
import sys
from pathlib import Path

folder = Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
cube = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
triangles = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]


def obj(faces):
    return "# a cube\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in cube) + "".join(faces)


def stl_ascii():
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join("  vertex %g %g %g\n" % cube[i] for i in t)
        + " endloop\nendfacet\n"
        for t in triangles
    )
    return "solid cube\n" + facets + "endsolid cube\n"


def stl_binary(header=b"a cube"):
    body = b"".join(struct.pack("<3f", 0, 0, 0) + b"".join(struct.pack("<3f", *cube[i]) for i in t) + b"\0\0" for t in triangles)
    return header.ljust(80, b"\0") + struct.pack("<I", len(triangles)) + body


good = {
    "cube.obj": obj(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles).encode(),
    "quads.obj": obj("f " + " ".join(f"{i + 1}/1/1" for i in q) + "\n" for q in quads).encode(),
    "negative.obj": obj("f " + " ".join(f"{i - 8}//2" for i in q) + " # back\r\n" for q in quads).encode(),
    "ascii.stl": stl_ascii().encode(),
    "binary.STL": stl_binary(),
    "binary_called_solid.stl": stl_binary(b"solid cube"),
    "no_newline.obj": obj(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in triangles).encode().rstrip(b"\n"),
}
bad = {
    "empty.obj": b"",
    "empty.stl": b"",
    "no_face.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "index_too_large.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
    "index_zero.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n",
    "index_far_back.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf -1 -2 -4\n",
    "two_corners.obj": b"v 0 0 0\nv 1 0 0\nf 1 2\n",
    "two_numbers.obj": b"v 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "word.obj": b"v zero 0 0\nf 1 1 1\n",
    "not_a_number.obj": b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "infinite.obj": b"v 1e999 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
    "half.obj": good["cube.obj"][:60],
    "half_ascii.stl": good["ascii.stl"][:200],
    "half_binary.stl": good["binary.STL"][:200],
    "header_only.stl": good["binary.STL"][:84],
    "half_header.stl": good["binary.STL"][:40],
    "promises_too_much.stl": good["binary.STL"][:80] + b"\xff\xff\xff\xff" + good["binary.STL"][84:],
    "noise.stl": random.Random(1).randbytes(5000),
    "noise.obj": random.Random(2).randbytes(5000),
    "unknown.ply": b"ply\n",
}

turn = math.radians(30)
rows = [
    [1, 0, 0, 3, 0, 1, 0, 0, 0, 0, 1, 0],
    [1, 0, 0, 0.5, 0, 1, 0, 0.5, 0, 0, 1, 0.5],
    [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1.25],
    [math.cos(turn), -math.sin(turn), 0, 5, math.sin(turn), math.cos(turn), 0, 0, 0, 0, 1, 0],
]
lines = "".join(" ".join(repr(n) for n in row) + "\n" for row in rows)
poses = {
    "poses.txt": f"{len(rows)}\n" + lines,
    "poses_commented.txt": "# no count\n\n" + lines,
    "poses_short.txt": "1 0 0 3 0 1 0 0 0 0 1\n",
    "poses_long.txt": "1 0 0 3 0 1 0 0 0 0 1 0 7\n",
    "poses_words.txt": "one two three\n",
    "poses_empty.txt": "",
    "poses_mirror.txt": "-1 0 0 3 0 1 0 0 0 0 1 0\n",
    "poses_nan.txt": "1 0 0 nan 0 1 0 0 0 0 1 0\n",
}

for name, content in {**good, **bad, **{n: t.encode() for n, t in poses.items()}}.items():
    (folder / name).write_bytes(content)

# Cut at every kind of place, with bytes changed: whatever happens, no program may crash on them.
strange = folder / "strange"
strange.mkdir(exist_ok=True)
generator = random.Random(3)
for name in ("cube.obj", "quads.obj", "negative.obj", "ascii.stl", "binary.STL"):
    for number in range(60):
        content = bytearray(good[name])
        if number % 2:
            del content[generator.randrange(len(content)) :]
        for _ in range(generator.choice((0, 1, 3, 20))):
            if content:
                content[generator.randrange(len(content))] = generator.choice((generator.randrange(256), ord("-"), ord("9")))
        (strange / f"{number:02}_{name}").write_bytes(content)
