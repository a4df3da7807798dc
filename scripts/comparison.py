"""Writes the table of the README from the CSV file of benches/peers: exact distance on at most ten workloads.

usage: python3 scripts/comparison.py peers.csv [--only rings,spinning] [--readme README.md]
"""

import argparse
import csv
import math
import re
import sys
from pathlib import Path

QUERY = "distance"
MOST_LINES = 10
# What the README shows: scanned models near each other and along a path, CAD parts, machine parts that fit, a cave, thin rings,
# nested spheres.
SHOWN = "buddha_d1 bunny_bunny_path dense_armadillo falling_tori fcl_env_rob hand_plane machine_parts rings spheres_1e-3 torus_cave".split()


def number(text):
    """The number in a cell, or None when the cell is empty or holds nothing usable."""
    try:
        value = float(text)
    except (TypeError, ValueError):
        return None
    return value if math.isfinite(value) and value > 0 else None


def microseconds(value):
    if value is None:
        return ""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def table(rows):
    """One line per workload: microseconds of each library, and how many times as long as feeler the others take."""
    cells = {}
    for row in rows:
        if row["query"] == QUERY:
            cells.setdefault(row["workload"], {})[row["library"]] = row
    peers = [name for name in ("FCL", "Coal") if any(name in libraries or name.lower() in libraries for libraries in cells.values())]
    lines = ["| workload | feeler | feeler, cold | " + "".join(f"{peer} | " for peer in peers) + "FCL / feeler, cold | PQP / feeler, cold |"]
    lines.append("|---" * (5 + len(peers)) + "|")
    for workload, libraries in cells.items():
        shipped, cold = libraries.get("feeler shipped"), libraries.get("feeler cold")
        if cold is None:
            continue
        mean = lambda row: microseconds(number(row["mean_us"])) if row else ""
        fcl, pqp = number(cold["fcl_ratio"]), number(cold["pqp_ratio"])
        line = [workload, mean(shipped), mean(cold)]
        line += [mean(libraries.get(peer) or libraries.get(peer.lower())) for peer in peers]
        line += [f"{fcl:.1f}" if fcl else "", f"{pqp:.1f}" if pqp else ""]
        lines.append("| " + " | ".join(line) + " |")
    if len(lines) - 2 > MOST_LINES:
        sys.exit(f"comparison: the README shows at most {MOST_LINES} workloads, choose them by --only")
    return lines if len(lines) > 2 else []


def main():
    parser = argparse.ArgumentParser(description="Writes the table of the README.")
    parser.add_argument("csv", type=Path)
    parser.add_argument("--only", default="", help="workloads to show, separated by commas; those of the README when absent")
    parser.add_argument("--readme", type=Path, default=Path(__file__).resolve().parent.parent / "README.md")
    arguments = parser.parse_args()
    try:
        with arguments.csv.open(newline="") as file:
            rows = list(csv.DictReader(file))
    except OSError as problem:
        sys.exit(f"comparison: {problem}")
    shown = set(filter(None, arguments.only.split(",")))
    if unknown := shown - {row.get("workload") for row in rows}:
        sys.exit(f"comparison: {arguments.csv} has no workload {', '.join(sorted(unknown))}")
    # Without the stored workloads, the first ones in the order of the file.
    names = list(dict.fromkeys(row.get("workload") for row in rows))
    shown = shown or set(names) & set(SHOWN) or set(names[:MOST_LINES])
    rows = [row for row in rows if row.get("workload") in shown]
    missing = {"workload", "query", "library", "mean_us", "fcl_ratio", "pqp_ratio"} - set(rows[0] if rows else ())
    if missing:
        sys.exit(f"comparison: {arguments.csv} has no columns {', '.join(sorted(missing))}")
    body = table(rows)
    if not body:
        sys.exit(f"comparison: {arguments.csv} has no measurement of feeler")
    text = arguments.readme.read_text(encoding="utf-8")
    pattern = re.compile(r"(<!-- comparison: begin[^\n]*-->\n).*?(<!-- comparison: end -->)", re.S)
    if len(pattern.findall(text)) != 1:
        sys.exit(f"comparison: {arguments.readme} has no place for the comparison")
    arguments.readme.write_text(pattern.sub(lambda m: m[1] + "\n".join(body) + "\n" + m[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
