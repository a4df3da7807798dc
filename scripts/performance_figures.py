"""Reads the figures that scripts/performance.sh keeps, and compares them with the targets."""

import csv
import math
import re
import sys
from dataclasses import dataclass

QUERIES = {"distance": "Exact distance", "collide": "First contact", "contacts": "All contacts", "tolerance": "Closer than a tolerance"}
COLD, SHIPPED = "feeler cold", "feeler shipped"
LIBRARIES = (COLD, SHIPPED, "FCL", "Coal")
ROOT_REJECTED_BELOW_US, ROOT_REJECTED_TARGET_US = 0.5, 0.08
P99_PATH, P99_TARGET_US = ("bunny_bunny_path_0.1", "bunny_bunny_path@0.1%"), 15
BYTES_TARGET, BUILD_TARGET = 112, 0.7
# Faces that coincide or rest on each other: a goal of their own.
FLAT = ("robust_boxes", "robust_coincident")
STEPS = (0.1, 0.03, 0.01)
NEEDED = "workload query library poses mean_us median_us p99_us p999_us max_us pqp_ratio disagreements build_s model_bytes expansions".split()
NEEDED += "triangle_tests robust_tests triangles_a triangles_b path".split()


@dataclass(frozen=True)
class Target:
    title: str
    query: str
    library: str
    where: tuple  # the places of the cells: ordinary, flat, or a step in percent
    every: float
    mean: float
    stretch: float


TARGETS = (
    Target("exact distance, cold", "distance", COLD, ("ordinary",), 7, 13, 15),
    Target("first contact, cold", "collide", COLD, ("ordinary",), 5, 8, 10),
    Target("all contacts, cold", "contacts", COLD, ("ordinary",), 5, 8, 10),
    Target("closer than a tolerance, cold", "tolerance", COLD, ("ordinary",), 5, 10, 12),
    *(Target(f"flat and coinciding faces, {query}, cold", query, COLD, ("flat",), 3, 5, 8) for query in QUERIES),
    Target("exact distance, steps of 0.1 %", "distance", SHIPPED, (0.1,), 8, 15, 25),
    Target("exact distance, steps of 0.01 %", "distance", SHIPPED, (0.01,), 10, 20, 40),
    Target("first contact, steps of 0.1 % and less", "collide", SHIPPED, STEPS, 8, 25, 50),
    Target("closer than a tolerance, steps of 0.1 % and less", "tolerance", SHIPPED, STEPS, 6, 15, 30),
    Target("all contacts, steps of 0.1 % and less", "contacts", SHIPPED, STEPS, 6, 12, 25),
)


def number(text):
    """The number in a cell, or None when the cell is empty or holds nothing usable."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) else None


def ratio(numerator, denominator):
    return numerator / denominator if numerator and denominator else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def verdict(target, met):
    return f"{target} met" if met else f"**{target} missed**"


def rows_of(path, needed=()):
    try:
        with path.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    except OSError as problem:
        sys.exit(f"performance: {problem}")
    missing = [name for name in needed if not rows or name not in rows[0]]
    if missing:
        sys.exit(f"performance: {path} has no columns {', '.join(missing)}")
    return rows


class Cell:
    """One query on one workload: the rows of all libraries."""

    def __init__(self, workload, query):
        self.workload, self.query, self.rows = workload, query, {}
        self.reference = None  # the row of clock.csv, where PQP was measured

    def value(self, library, column):
        return number(self.rows.get(library, {}).get(column))

    def mean(self, library):
        return self.value(library, "mean_us")

    def over(self, peer, library):
        """How many times as long as feeler a peer takes; PQP's ratio is implied by FCL's and the clock."""
        if peer == "PQP":
            return self.value(library, "pqp_ratio")
        return ratio(self.mean(peer), self.mean(library))

    def is_path(self):
        return self.value(COLD, "path") == 1

    def step(self):
        """The step of a path that was resampled, in percent of B's diagonal: `path_0.1` is stored, `path@0.1%` made by the bench."""
        found = re.search(r"[_@](0\.\d+)%?$", self.workload)
        return float(found[1]) if found else None

    def is_resampled(self):
        return self.step() is not None

    def place(self):
        return self.step() or ("flat" if self.workload in FLAT else "ordinary")

    def pqp_cold(self):
        times = [number(self.reference[name]) for name in ("pqp_cold", "pqp_cold_q200")] if self.reference else []
        return min([time for time in times if time], default=None)

    def has_absolute_target(self):
        return self.pqp_cold() is not None and self.pqp_cold() < ROOT_REJECTED_BELOW_US

    def counts(self):
        """Whether the cell enters means and minima: PQP was measured on it and looked past the roots."""
        return self.is_resampled() or self.reference is not None and not self.has_absolute_target()

    def is_cut(self):
        return self.reference is not None and self.value(COLD, "poses") < number(self.reference["poses"])

    def label(self):
        return self.workload + (f" (first {self.value(COLD, 'poses'):.0f} poses)" if self.is_cut() else "")

    def target(self, library):
        for target in TARGETS:
            if target.query == self.query and target.library == library and self.place() in target.where:
                return target
        return None

    def verdict(self, library):
        """What the target column says; empty where none is set."""
        target = self.target(library)
        if target is None:
            return ""
        if self.has_absolute_target():
            return verdict(f"{ROOT_REJECTED_TARGET_US} µs", self.mean(library) <= ROOT_REJECTED_TARGET_US)
        pqp = self.over("PQP", library)
        return verdict(f"{target.every:g}", pqp >= target.every) if pqp else ""


def cells_of(path, clock):
    """The cells of a CSV file of benches/peers, in its order."""
    references = {(row["query"], row["workload"]): row for row in rows_of(clock)}
    cells = {}
    for row in rows_of(path, NEEDED):
        key = (row["workload"], row["query"])
        cell = cells.setdefault(key, Cell(*key))
        cell.rows[row["library"]] = row
        cell.reference = references.get((row["query"], row["workload"]))
    kept = [cell for cell in cells.values() if COLD in cell.rows]
    if not kept:
        sys.exit(f"performance: {path} has no measurement of feeler")
    return kept
