#!/usr/bin/env python3
"""What the library is made of besides its own code: names, sources, licences, known advisories. Needs no network.

    dependencies.py [<folder of an advisory database>]

Without a folder, FEELER_ADVISORIES names it; it is a copy of https://github.com/rustsec/advisory-db. Without any, the
advisories are left out, and the last line says so. With a network, this is the whole check:

    git clone --depth 1 https://github.com/rustsec/advisory-db target/advisory-db
    python3 scripts/tests/dependencies.py target/advisory-db

What the library, its tests and tools, and the fuzz targets are made of are looked at.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tomllib

# What is compiled into the library. Whoever adds a name here has read its code and its licence.
SHIPPED = {"arrayvec", "fearless_simd", "glam", "libc", "robust"}
# One of these is enough for what is shipped; the others for what only tests and tools need.
SHIPPED_LICENCES = {"MIT", "Apache-2.0"}
LICENCES = SHIPPED_LICENCES | {"Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "MPL-2.0", "NCSA",
                               "Unicode-3.0",
                               "Unlicense", "Zlib"}
# The library's own workspace, and that of the fuzz targets.
MANIFESTS = ["Cargo.toml", "fuzz/Cargo.toml"]
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"


def allows(expression, allowed):
    """Whether an SPDX expression can be met by allowed licences; '/' is an old way to write OR."""
    tokens = re.findall(r"\(|\)|[^\s()]+", expression.replace("/", " OR "))

    def alternatives():
        holds = combination()
        while tokens and tokens[0] == "OR":
            tokens.pop(0)
            holds = combination() or holds
        return holds

    def combination():
        holds = single()
        while tokens and tokens[0] == "AND":
            tokens.pop(0)
            holds = single() and holds
        return holds

    def single():
        token = tokens.pop(0)
        if token == "(":
            holds = alternatives()
            tokens.pop(0)
            return holds
        if tokens and tokens[0] == "WITH":
            tokens.pop(0)
            token += f" WITH {tokens.pop(0)}"
        return token in allowed

    return alternatives() and not tokens


def shipped_packages(metadata):
    """Ids of what a build of the library compiles, build scripts excluded."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [package["id"] for package in metadata["packages"] if package["name"] == "feeler"]
    found = set()
    while waiting:
        identity = waiting.pop()
        if identity in found:
            continue
        found.add(identity)
        for dependency in nodes[identity]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    return found


def number(version):
    """A version as numbers that compare; what is before a release sorts before it."""
    core, _, before = version.partition("+")[0].partition("-")
    parts = [int(part) for part in core.split(".")]
    return parts + [0] * (3 - len(parts)), before == "", before


def is_within(version, requirement):
    """One line of an advisory: comparisons joined by commas."""
    for comparison in requirement.split(","):
        operator, bound = re.fullmatch(r"\s*(>=|<=|>|<|=|\^|~|)\s*([0-9][^\s]*)\s*", comparison).groups()
        here, there = number(version), number(bound)
        if operator in ("^", ""):
            place = next((i for i in range(3) if there[0][i] > 0), 2)
            holds = here >= there and here[0][:place + 1] == there[0][:place + 1]
        elif operator == "~":
            holds = here >= there and here[0][:2] == there[0][:2]
        else:
            holds = {">=": here >= there, "<=": here <= there, ">": here > there, "<": here < there,
                     "=": here == there}[operator]
        if not holds:
            return False
    return True


def advisories(folder, name, version):
    """Ids of advisories that concern this version; those that only inform are told as well."""
    for path in sorted(pathlib.Path(folder, "crates", name).glob("*.md")):
        front = re.search(r"```toml\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)
        advisory = tomllib.loads(front[1])
        versions = advisory.get("versions", {})
        safe = versions.get("patched", []) + versions.get("unaffected", [])
        if "withdrawn" not in advisory["advisory"] and not any(is_within(version, line) for line in safe):
            yield advisory["advisory"]["id"]


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("FEELER_ADVISORIES")
    host = re.search(r"host: (\S+)", subprocess.run(["rustc", "-vV"], capture_output=True, text=True, check=True).stdout)[1]
    read = []
    for manifest in MANIFESTS:
        command = ["cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", host, "--manifest-path", manifest]
        read.append(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))
    metadata = read[0]
    shipped, complaints = shipped_packages(metadata), []
    known = {package["id"] for package in metadata["packages"]}
    metadata["packages"] += [package for package in read[1]["packages"] if package["id"] not in known]
    names = {package["name"] for package in metadata["packages"] if package["id"] in shipped} - {"feeler"}
    if names != SHIPPED:
        complaints.append(f"the library is made of {sorted(names)}, not of {sorted(SHIPPED)}")
    for package in metadata["packages"]:
        what = f"{package['name']} {package['version']}"
        if package["source"] not in (None, REGISTRY):
            complaints.append(f"{what} comes from {package['source']}")
        allowed = SHIPPED_LICENCES if package["id"] in shipped else LICENCES
        if not package["license"] or not allows(package["license"], allowed):
            complaints.append(f"{what} has the licence {package['license']}")
        if folder:
            complaints += [f"{what}: {advisory}" for advisory in advisories(folder, package["name"], package["version"])]
    print("\n".join(complaints))
    told = f"advisories of {folder}" if folder else "no advisories, because FEELER_ADVISORIES names no folder"
    print(f"dependencies: {len(names)} shipped, {len(metadata['packages'])} in all, {told}: {len(complaints)} complaints")
    sys.exit(bool(complaints))


def test_of_itself():
    """The parts that decide can say no."""
    assert allows("MIT OR GPL-3.0", {"MIT"}) and not allows("MIT AND GPL-3.0", {"MIT"})
    assert allows("(MIT OR Apache-2.0) AND Unicode-3.0", LICENCES) and not allows("GPL-3.0-only", LICENCES)
    assert allows("Unlicense/MIT", {"MIT"}) and not allows("Apache-2.0 WITH LLVM-exception", {"Apache-2.0"})
    assert is_within("1.2.3", ">= 1.2.0, < 2") and not is_within("1.2.3", ">= 1.3") and is_within("0.7.8", "^0.7.4")
    assert not is_within("0.8.0", "^0.7.4") and is_within("1.0.0", "> 1.0.0-rc.1") and is_within("1.4.9", "~1.4.2")


test_of_itself()
main()
