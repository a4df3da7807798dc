"""Writes the tables and pictures of docs/performance.md, and the targets beside the figures, from what scripts/performance.sh measured.

usage: python3 scripts/performance.py benches/results/MACHINE [--document docs/performance.md] [--images docs/images]
                                      [--targets benches/results/MACHINE/targets.md]
"""

import argparse
import re
import sys
from pathlib import Path

import performance_plots as plots
from performance_figures import (
    BUILD_TARGET, BYTES_TARGET, COLD, LIBRARIES, P99_PATH, P99_TARGET_US, QUERIES, SHIPPED, TARGETS,
    cells_of, geometric_mean, number, ratio, rows_of, verdict,
)  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent


def figure(value):
    """Three digits, and no exponent where people still read the number."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def table(header, rows):
    return ["| " + " | ".join(header) + " |", "|---" * len(header) + "|"] + ["| " + " | ".join(row) + " |" for row in rows] + [""]


def folded(title, lines):
    return ["<details>", f"<summary>{title}</summary>", ""] + lines + ["</details>", ""]


def place_of(results):
    """The directory of the figures, seen from the repository."""
    resolved = results.resolve()
    return resolved.relative_to(ROOT) if resolved.is_relative_to(ROOT) else resolved


def machine_section(results):
    try:
        lines = (results / "machine.txt").read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        sys.exit(f"performance: {problem}")
    return [f"- {line}" for line in lines] + [f"- figures: `{place_of(results)}`"]


def measured_targets(cells):
    """One row per target: what was measured, and whether it meets the target."""
    rows = []
    for target in TARGETS:
        ratios = {}
        for cell in cells:
            if cell.target(target.library) is target and cell.counts() and cell.over("PQP", target.library):
                ratios[cell.workload] = cell.over("PQP", target.library)
        if not ratios:
            continue
        worst = min(ratios, key=ratios.get)
        mean = geometric_mean(list(ratios.values()))
        below = sum(value < target.every for value in ratios.values())
        rows.append([
            target.title, f"{figure(ratios[worst])} × ({worst})", verdict(f"{target.every:g} ×", below == 0),
            f"{below} of {len(ratios)}", f"{figure(mean)} ×", verdict(f"{target.mean:g} ×", mean >= target.mean), f"{target.stretch:g} ×",
        ])  # fmt: skip
    return table(["PQP / feeler", "least", "target", "below it", "geometric mean", "target", "stretch"], rows)


def absolute_targets(cells):
    rows = []
    for cell in cells:
        if cell.has_absolute_target() and cell.target(COLD):
            rows.append([f"{cell.query}, cold, {cell.workload} (roots apart)", f"{figure(cell.mean(COLD))} µs", cell.verdict(COLD)])
        if cell.workload in P99_PATH and cell.query == "distance":
            p99 = cell.value(SHIPPED, "p99_us")
            rows.append([f"p99 of distance along {cell.workload}", f"{figure(p99)} µs", verdict(f"{P99_TARGET_US} µs", p99 <= P99_TARGET_US)])
    facts = models(cells)
    heaviest = max(facts, key=lambda name: facts[name][1])
    slowest = min(facts, key=lambda name: facts[name][2])
    rows.append([f"memory, most ({heaviest})", f"{facts[heaviest][1]:.0f} bytes per triangle", verdict(BYTES_TARGET, facts[heaviest][1] <= BYTES_TARGET)])
    rows.append([f"build, slowest ({slowest})", f"{facts[slowest][2]:.2f} M triangles/s", verdict(BUILD_TARGET, facts[slowest][2] >= BUILD_TARGET)])
    return table(["absolute", "measured", "target"], rows)


def disagreements(cells):
    wrong = [cell for cell in cells if any((cell.value(library, "disagreements") or 0) > 0 for library in (COLD, SHIPPED))]
    if not wrong:
        return ["feeler agreed with every stored answer, and shipped with cold bit for bit.", ""]
    count = lambda cell: max(cell.value(library, "disagreements") or 0 for library in (COLD, SHIPPED))
    names = [f"{cell.workload} {cell.query} ({count(cell):.0f} of {cell.value(COLD, 'poses'):.0f} poses)" for cell in wrong]
    return ["feeler differs from the stored answers on: " + ", ".join(names) + ".", ""]


def ratio_table(cells, peers):
    """Times and ratios of one query; means and minima of the cells that count."""
    header = ["workload", "feeler cold", "feeler"] + [f"{peer}" for peer in peers]
    over = peers + ["PQP"]
    for name in ("cold", "feeler"):
        header += [f"{peer} / {name}" for peer in over]
    rows = []
    for cell in cells:
        row = [cell.label() + ("" if cell.counts() else " *")] + [figure(cell.mean(library)) for library in (COLD, SHIPPED, *peers)]
        for library in (COLD, SHIPPED):
            row += [figure(cell.over(peer, library)) for peer in over]
        rows.append(row)
    for title, summarise in (("geometric mean", geometric_mean), ("least", min)):
        row = [f"**{title}**"] + [""] * (2 + len(peers))
        for library in (COLD, SHIPPED):
            for peer in over:
                values = [cell.over(peer, library) for cell in cells if cell.counts() and cell.over(peer, library)]
                row.append(f"**{figure(summarise(values))}**" if values else "")
        rows.append(row)
    return table(header, rows)


def ratio_section(cells):
    lines = []
    for query, title in QUERIES.items():
        chosen = [cell for cell in cells if cell.query == query and not cell.is_resampled()]
        if chosen:
            peers = [peer for peer in ("FCL", "Coal") if any(peer in cell.rows for cell in chosen)]
            lines += [f"### {title}", ""] + ratio_table(chosen, peers)
    return lines


def resampled_section(cells):
    """Small steps: times, latencies and ratios of every path, a folded table per query."""
    lines = []
    for query, title in QUERIES.items():
        chosen = [cell for cell in cells if cell.is_resampled() and cell.query == query]
        libraries = [library for library in LIBRARIES if any(library in cell.rows for cell in chosen)]
        rows = []
        for cell in chosen:
            for library in libraries:
                quantiles = [figure(cell.value(library, column)) for column in ("median_us", "p99_us", "p999_us", "max_us")]
                feeler = library in (COLD, SHIPPED)
                ratios = [figure(cell.over(peer, library)) if feeler else "" for peer in ("FCL", "PQP")]
                rows.append([cell.workload, plots.NAMES[library], figure(cell.mean(library))] + quantiles + ratios)
        if rows:
            header = ["path", "library", "mean", "median", "p99", "p99.9", "max", "FCL / feeler", "PQP / feeler"]
            lines += folded(f"{title}: small steps, µs", table(header, rows))
    return step_summary(cells) + lines


def step_summary(cells):
    """How many times as long as feeler PQP takes along paths of small steps: one row per query and step."""
    rows = []
    for query, title in QUERIES.items():
        for step in sorted({cell.step() for cell in cells if cell.query == query and cell.is_resampled()}, reverse=True):
            chosen = [cell for cell in cells if cell.query == query and cell.step() == step and cell.over("PQP", SHIPPED)]
            ratios = [cell.over("PQP", SHIPPED) for cell in chosen]
            gains = [ratio(cell.mean(COLD), cell.mean(SHIPPED)) for cell in chosen]
            if ratios:
                rows.append([title, f"{step:g} %", str(len(chosen)), figure(min(ratios)), figure(geometric_mean(ratios)), figure(geometric_mean(gains))])
    return table(["query", "step", "paths", "PQP / feeler, least", "geometric mean", "cold / feeler"], rows) if rows else []


def latency_section(cells):
    lines = []
    for query, title in QUERIES.items():
        chosen = [cell for cell in cells if cell.query == query and not cell.is_resampled()]
        libraries = [library for library in LIBRARIES if any(library in cell.rows for cell in chosen)]
        rows = []
        for cell in chosen:
            row = [cell.label()]
            for library in libraries:
                row.append(" / ".join(figure(cell.value(library, column)) for column in ("median_us", "p99_us", "p999_us", "max_us")))
            rows.append(row)
        if rows:
            lines += folded(f"{title}: median / p99 / p99.9 / max, µs", table(["workload"] + [plots.NAMES[library] for library in libraries], rows))
    return lines


def counts_section(cells):
    lines = []
    for query, title in QUERIES.items():
        rows = []
        for cell in cells:
            if cell.query == query:
                robust = 100 * (ratio(cell.value(COLD, "robust_tests"), cell.value(COLD, "triangle_tests")) or 0)
                pairs = [figure(cell.value(library, column)) for column in ("expansions", "triangle_tests") for library in (COLD, SHIPPED)]
                rows.append([cell.label()] + pairs + [f"{robust:.2g}"])
        if rows:
            header = ["workload", "expansions, cold", "expansions", "triangle pairs, cold", "triangle pairs", "robust, % of pairs"]
            lines += folded(f"{title}: counts per query", table(header, rows))
    return lines


def instructions_section(path, cells):
    counted = {(cell.workload, cell.query): cell for cell in cells}
    rows = []
    for row in rows_of(path, ("workload", "query", "mode", "instructions")):
        cell = counted.get((row["workload"], row["query"]))
        library = COLD if row["mode"] == "cold" else SHIPPED
        units = [cell.value(library, column) if cell else None for column in ("expansions", "triangle_tests")]
        instructions = number(row["instructions"])
        each = ratio(instructions, sum(units)) if None not in units else None
        rows.append([row["workload"], f"{row['query']}, {'cold' if library == COLD else 'as shipped'}", f"{instructions:,.0f}"] + [figure(unit) for unit in units] + [figure(each)])
    return table(["workload", "query", "instructions per query", "expansions", "triangle pairs", "instructions per expansion or pair"], rows)


def models(cells):
    """Triangles, bytes per triangle and millions of triangles per second, by workload."""
    facts = {}
    for cell in cells:
        triangles = cell.value(COLD, "triangles_a") + cell.value(COLD, "triangles_b")
        if not cell.is_resampled():
            facts[cell.workload] = (triangles, cell.value(COLD, "model_bytes") / triangles, triangles / cell.value(COLD, "build_s") * 1e-6)
    return facts


def models_section(cells):
    rows = [[name, f"{triangles:,.0f}", f"{size:.0f}", f"{rate:.2f}"] for name, (triangles, size, rate) in models(cells).items()]
    return folded("Memory and build by workload", table(["workload", "triangles", "bytes per triangle", "M triangles/s"], rows))


def missed_cells(cells):
    """The workloads that are below a target."""
    rows = []
    for cell in cells:
        for library in (COLD, SHIPPED):
            if cell.verdict(library).endswith("missed**"):
                pqp = cell.over("PQP", library)
                rows.append([cell.workload, cell.query, plots.NAMES[library], f"{figure(cell.mean(library))} µs", figure(pqp), cell.verdict(library)])
    return table(["workload", "query", "library", "mean", "PQP / feeler", "target"], rows)


def targets_document(results, cells):
    """What the project wants to reach, with what was measured: for its developers, so it is kept beside the figures."""
    lines = ["# Targets", "", f"Written by `python3 scripts/performance.py {place_of(results)}` from the figures beside this file; not to be edited.", ""]
    lines += ["The goal is set against PQP: a ratio that every workload reaches, and a geometric mean. Where PQP answers at the roots of the",
              "trees (in less than 0.5 µs) the target is a time.", ""]  # fmt: skip
    return "\n".join(lines + measured_targets(cells) + absolute_targets(cells) + ["## Below a target", ""] + missed_cells(cells)).rstrip("\n") + "\n"


def comparison_chart(cells):
    """How many times as long as a cold query of feeler the others take: geometric means over the workloads that count."""
    groups = []
    for query, title in QUERIES.items():
        chosen = [cell for cell in cells if cell.query == query and cell.counts() and not cell.is_resampled()]
        means = {}
        for peer in ("PQP", "FCL", "Coal"):
            # FCL has no tolerance query: its column there is its collide query, another question.
            values = [cell.over(peer, COLD) for cell in chosen if cell.over(peer, COLD) and (peer, query) != ("FCL", "tolerance")]
            if values:
                means[peer] = geometric_mean(values)
        if means:
            groups.append((title, len(chosen), means))
    return plots.factors("How many times as long as feeler the others take", groups)


def draw(cells, images):
    images.mkdir(parents=True, exist_ok=True)
    (images / "comparison.svg").write_text(comparison_chart(cells), encoding="utf-8")
    for query in ("distance", "collide"):
        chosen = [cell for cell in cells if cell.query == query]
        times = [(cell.workload, {library: cell.mean(library) for library in LIBRARIES if cell.mean(library)}) for cell in chosen if not cell.is_resampled()]
        times.sort(key=lambda group: -group[1].get("FCL", group[1][COLD]))
        (images / f"time_{query}.svg").write_text(plots.bars(f"{QUERIES[query]}: feeler beside FCL and Coal", times), encoding="utf-8")
        paths = []
        for cell in chosen:
            if cell.is_path() and (cell.reference or cell.is_resampled()) and cell.step() in (None, 0.1):
                columns = ("median_us", "p99_us", "p999_us", "max_us")
                paths.append((cell.workload, {library: [cell.value(library, column) for column in columns] for library in LIBRARIES if library in cell.rows}))
        if paths:
            title = f"{QUERIES[query]} along paths: median, p99, p99.9 and slowest query"
            (images / f"latency_{query}.svg").write_text(plots.quantiles(title, paths), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Writes the tables and pictures of docs/performance.md.")
    parser.add_argument("results", type=Path, help="a directory with machine.txt, peers.csv, resampled.csv and instructions.csv")
    parser.add_argument("--document", type=Path, default=ROOT / "docs/performance.md")
    parser.add_argument("--images", type=Path, default=ROOT / "docs/images")
    parser.add_argument("--targets", type=Path, help="where the targets go; beside the figures when absent")
    parser.add_argument("--clock", type=Path, default=ROOT / "benches/peers/clock.csv")
    arguments = parser.parse_args()
    results = arguments.results
    ordinary = cells_of(results / "peers.csv", arguments.clock)
    cells = ordinary + cells_of(results / "resampled.csv", arguments.clock)
    sections = {
        "machine": machine_section(results),
        "answers": disagreements(cells),
        "ratios": ratio_section(cells),
        "resampled": resampled_section(cells),
        "latency": latency_section(cells),
        "counts": counts_section(ordinary),
        "instructions": instructions_section(results / "instructions.csv", ordinary),
        "models": models_section(cells),
    }
    text = arguments.document.read_text(encoding="utf-8")
    for name, lines in sections.items():
        pattern = re.compile(rf"(<!-- {name}: begin[^\n]*-->\n).*?(<!-- {name}: end -->)", re.S)
        if len(pattern.findall(text)) != 1:
            sys.exit(f"performance: {arguments.document} has no place for {name}")
        body = "\n".join(lines).rstrip("\n")
        text = pattern.sub(lambda match: f"{match[1]}\n{body}\n\n{match[2]}", text)
    draw(cells, arguments.images)
    (arguments.targets or results / "targets.md").write_text(targets_document(results, cells), encoding="utf-8")
    arguments.document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
