"""The pictures of README.md and docs/performance.md: plain SVG on a light panel, readable on white and on dark pages."""

import math

COLOURS = {"feeler shipped": "#0a7d4f", "feeler cold": "#74c9a1", "PQP": "#a34a6b", "FCL": "#d9822b", "Coal": "#5566c3"}
NAMES = {"feeler shipped": "feeler", "feeler cold": "feeler, cold", "PQP": "PQP (implied)", "FCL": "FCL", "Coal": "Coal"}
WIDTH, LEFT, RIGHT, TOP = 920, 190, 80, 92
STYLE = (
    "<style>text{font-family:'Segoe UI',Helvetica,Arial,sans-serif;font-size:12px;fill:#1b2430}"
    ".title{font-size:16px;font-weight:600}.small{font-size:11px;fill:#4b5768}.end{text-anchor:end}.middle{text-anchor:middle}</style>"
)


def escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def text(x, y, words, classes=""):
    return f'<text x="{x:.0f}" y="{y:.0f}"' + (f' class="{classes}"' if classes else "") + f">{escape(words)}</text>"


def duration(microseconds):
    """A power of ten of microseconds, as people say it."""
    for unit, size in (("s", 1e6), ("ms", 1e3), ("µs", 1)):
        if microseconds >= size * 0.999:
            return f"{microseconds / size:.0f} {unit}"
    return f"{microseconds * 1e3:.0f} ns"


class Axis:
    """A logarithmic axis of whole decades that holds all values."""

    def __init__(self, values):
        self.first = math.floor(math.log10(min(values)) - 1e-9)
        self.last = max(math.ceil(math.log10(max(values)) + 1e-9), self.first + 1)

    def x(self, value):
        share = (math.log10(value) - self.first) / (self.last - self.first)
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def lines(self, top, bottom):
        parts = []
        for decade in range(self.first, self.last + 1):
            x = self.x(10.0**decade)
            parts.append(f'<path d="M{x:.1f} {top:.0f}V{bottom:.0f}" stroke="#d5dbe3"/>')
            parts.append(text(x, top - 6, duration(10.0**decade), "small middle"))
        return parts


def picture(title, subtitle, height, parts):
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}">',
        f"<title>{escape(title)}</title>",
        STYLE,
        f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1:.0f}" rx="8" fill="#fbfcfd" stroke="#c3cad4"/>',
        text(20, 28, title, "title"),
        text(20, 47, subtitle, "small"),
    ]
    return "\n".join(head + parts + ["</svg>"]) + "\n"


def legend(libraries, x=LEFT, y=72):
    parts = []
    for library in libraries:
        parts.append(f'<rect x="{x}" y="{y - 9:.0f}" width="12" height="9" fill="{COLOURS[library]}"/>')
        parts.append(text(x + 17, y, NAMES[library], "small"))
        x += 100
    return parts


def bars(title, groups):
    """Mean time per query. `groups` is a list of (workload, {library: microseconds}), longest first."""
    libraries = [library for library in COLOURS if any(library in times for _, times in groups)]
    axis = Axis([value for _, times in groups for value in times.values()])
    thickness, gap = 7, 9
    pitch = thickness * len(libraries) + gap
    top = TOP + 18
    bottom = top + pitch * len(groups)
    parts = legend(libraries) + axis.lines(top, bottom) + [text(WIDTH - 14, top - 22, "FCL / feeler", "small end")]
    for index, (workload, times) in enumerate(groups):
        y = top + gap / 2 + index * pitch
        parts.append(text(LEFT - 8, y + (pitch - gap) / 2 + 4, workload, "end"))
        for row, library in enumerate(libraries):
            if library in times:
                width = max(axis.x(times[library]) - LEFT, 1)
                parts.append(
                    f'<rect x="{LEFT}" y="{y + row * thickness:.1f}" width="{width:.1f}" height="{thickness - 1}" fill="{COLOURS[library]}"/>'
                )
        if "FCL" in times and "feeler shipped" in times:
            parts.append(text(WIDTH - 14, y + (pitch - gap) / 2 + 4, f"{times['FCL'] / times['feeler shipped']:.3g} ×", "end"))
    return picture(title, "mean time per query, logarithmic scale; shorter is better", bottom + 16, parts)


def factors(title, groups):
    """Ratios of mean times. `groups` is a list of (question, number of workloads, {library: times as long as feeler})."""
    libraries = [library for library in COLOURS if any(library in ratios for _, _, ratios in groups)]
    rows = ["feeler cold"] + libraries
    largest = max(ratio for _, _, ratios in groups for ratio in ratios.values())
    step = 5 if largest > 10 else 2 if largest > 4 else 1
    end = step * math.ceil(largest / step + 1e-9)
    place = lambda value: LEFT + value / end * (WIDTH - LEFT - RIGHT)
    thickness, gap = 12, 14
    pitch = thickness * len(rows) + gap
    top = TOP + 18
    bottom = top + pitch * len(groups)
    parts = legend(rows)
    for value in range(0, end + 1, step):
        parts.append(f'<path d="M{place(value):.1f} {top:.0f}V{bottom:.0f}" stroke="#d5dbe3"/>')
        parts.append(text(place(value), top - 6, f"{value} ×", "small middle"))
    for index, (question, workloads, ratios) in enumerate(groups):
        y = top + gap / 2 + index * pitch
        middle = y + (pitch - gap) / 2
        parts += [text(LEFT - 8, middle, question, "end"), text(LEFT - 8, middle + 15, f"{workloads} workloads", "small end")]
        for row, library in enumerate(rows):
            ratio = 1 if library == "feeler cold" else ratios.get(library)
            if ratio:
                above = y + row * thickness
                width = place(ratio) - LEFT
                parts.append(f'<rect x="{LEFT}" y="{above:.1f}" width="{width:.1f}" height="{thickness - 2}" fill="{COLOURS[library]}"/>')
                parts.append(text(LEFT + width + 5, above + thickness - 3, f"{ratio:.3g}", "small"))
    return picture(title, "time of a cold query, geometric mean over the workloads; feeler is 1; shorter is better", bottom + 16, parts)


MARKS = ("median", "p99", "p99.9", "max")


def mark(kind, x, y, colour):
    """The four quantiles differ by shape as well as by place, because they often lie close together."""
    return {
        "median": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="{colour}"/>',
        "p99": f'<path d="M{x:.1f} {y - 5:.1f}l5 5l-5 5l-5 -5z" fill="{colour}"/>',
        "p99.9": f'<path d="M{x:.1f} {y - 5:.1f}v10" stroke="{colour}" stroke-width="2.5"/>',
        "max": f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#fbfcfd" stroke="{colour}" stroke-width="2"/>',
    }[kind]


def quantiles(title, groups):
    """Latency of single passes. `groups` is a list of (workload, {library: (median, p99, p99.9, max)})."""
    libraries = [library for library in COLOURS if any(library in rows for _, rows in groups)]
    axis = Axis([value for _, rows in groups for values in rows.values() for value in values])
    pitch, gap = 14, 12
    top = TOP + 36
    bottom = top + sum(pitch * len(libraries) + gap for _ in groups)
    parts = legend(libraries)
    x = LEFT
    for kind in MARKS:
        parts.append(mark(kind, x + 6, TOP - 4, "#4b5768"))
        parts.append(text(x + 17, TOP, kind, "small"))
        x += 100
    parts += axis.lines(top, bottom)
    if 10.0**axis.first < 1000 <= 10.0**axis.last:
        deadline = axis.x(1000)
        parts.append(f'<path d="M{deadline:.1f} {top:.0f}V{bottom:.0f}" stroke="#b3261e" stroke-dasharray="5 4"/>')
        parts.append(text(deadline, bottom + 14, "period of a 1 kHz loop", "small middle"))
    y = top + gap / 2
    for workload, rows in groups:
        parts.append(text(LEFT - 8, y + pitch * len(libraries) / 2 + 4, workload, "end"))
        for library in libraries:
            middle = y + pitch / 2
            if library in rows:
                places = [axis.x(value) for value in rows[library]]
                parts.append(f'<path d="M{places[0]:.1f} {middle:.1f}H{places[3]:.1f}" stroke="{COLOURS[library]}" stroke-width="2" opacity="0.5"/>')
                # The median is drawn last: where all coincide it is the one to see.
                parts += [mark(kind, place, middle, COLOURS[library]) for kind, place in reversed(list(zip(MARKS, places)))]
            y += pitch
        y += gap
    return picture(title, "thread CPU time per query of single passes along the path, logarithmic scale", bottom + 24, parts)
