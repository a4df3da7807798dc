#!/usr/bin/env python3
"""Checks that the imports of src point down only.

LAYERS is the order of the folders of src, the highest first; docs/design.md explains it. A file may use its own layer and those
below. Code behind #[cfg(test)] may use everything: tests of a layer may ask the layers above for the truth.
Prints every import that points up and returns 1 if there is one, or if a folder is missing from the list.
"""

import pathlib
import re
import sys

LAYERS = [
    "ffi",
    "pair",
    "reference",
    "query",
    "search",
    "posed",
    "coherence",
    "model",
    "tree",
    "volume",
    "primitive",
    "math",
    "simd",
    "allocation",
    "error",
]

# The roof and what it shows to tests and tools.
ROOF = {"lib"}


def without_tests(text, path):
    """The text without comments and without items behind #[cfg(test)]."""
    text = re.sub(r"//[^\n]*", "", text)
    while (start := text.find("#[cfg(test)]")) >= 0:
        end = start + len("#[cfg(test)]")
        depth = 0
        while end < len(text):
            if text[end] == "{":
                depth += 1
            elif text[end] == "}":
                depth -= 1
                if depth == 0:
                    break
            elif text[end] == ";" and depth == 0:
                break
            end += 1
        if depth != 0:
            sys.exit(f"layers: the braces of {path} do not match")
        # Keeps the lines, so that what is reported has the right number.
        text = text[:start] + "\n" * text.count("\n", start, end) + text[end + 1 :]
    return text


def test_modules(source):
    """Files that are modules behind #[cfg(test)], declared in the file of their parent."""
    files = set()
    for path in source.rglob("*.rs"):
        text = path.read_text()
        for name in re.findall(r"#\[cfg\(test\)\]\s*(?:pub(?:\([a-z]+\))? )?mod (\w+);", text):
            folder = path.parent if path.name in ("mod.rs", "lib.rs") else path.with_suffix("")
            files.update(folder.glob(f"{name}.rs"))
            # The folders of volumes are declared in one macro (src/volume/mod.rs).
            files.update(folder.glob(f"*/{name}.rs"))
    return files


def main():
    source = pathlib.Path(__file__).resolve().parents[2] / "src"
    height = {layer: len(LAYERS) - index for index, layer in enumerate(LAYERS)}
    skipped = test_modules(source)
    imports, failures = 0, []
    for path in sorted(source.rglob("*.rs")):
        layer = path.relative_to(source).parts[0].removesuffix(".rs")
        if layer in ROOF or path in skipped:
            continue
        if layer not in height:
            failures.append(f"src/{layer} is not in the list of layers")
            continue
        for number, line in enumerate(without_tests(path.read_text(), path).splitlines(), 1):
            if "crate::{" in line:
                failures.append(f"{path.relative_to(source.parent)}:{number}: one import per layer, please")
            for used in re.findall(r"\bcrate::(\w+)", line):
                imports += 1
                if used not in height:
                    failures.append(f"{path.relative_to(source.parent)}:{number}: crate::{used} is not a layer")
                elif height[used] > height[layer]:
                    failures.append(f"{path.relative_to(source.parent)}:{number}: {layer} uses {used}, which is above it")
    if imports < 100:
        failures.append(f"only {imports} imports were seen")
    for failure in failures:
        print(f"layers: {failure}", file=sys.stderr)
    print(f"layers: {imports} imports, {len(failures)} point up")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
