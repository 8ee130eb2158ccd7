"""Panels of curves as one SVG picture that follows light and dark: for bench/growth and bench/scale."""
import math

WIDTH, PANEL, HEIGHT, LEFT, TOP, GAP = 960, 178, 128, 58, 68, 50
STYLE = """
    .card { fill: #f6f8fa; stroke: #d0d7de; }
    .ink { fill: #1f2328; }
    .dim { fill: #656d76; }
    .grid { stroke: #d0d7de; }
    .step { stroke: #0969da; fill: none; stroke-width: 2; }
    .step-dot { fill: #0969da; }
    .limit { stroke: #656d76; fill: none; stroke-width: 1.5; stroke-dasharray: 5 4; }
    .bytes { stroke: #bc4c00; fill: none; stroke-width: 2; }
    .bytes-dot { fill: #bc4c00; }
    text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; font-size: 12px; }
    .head { font-weight: 600; font-size: 14px; }
    @media (prefers-color-scheme: dark) {
      .card { fill: #161b22; stroke: #30363d; }
      .ink { fill: #e6edf3; }
      .dim { fill: #9198a1; }
      .grid { stroke: #30363d; }
      .step { stroke: #58a6ff; }
      .step-dot { fill: #58a6ff; }
      .limit { stroke: #9198a1; }
      .bytes { stroke: #f0883e; }
      .bytes-dot { fill: #f0883e; }
    }
"""



def short(number):
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:g}{letter}"
    return f"{number:g}"


class Counted:
    """An axis of a few whole numbers."""

    def __init__(self, values, start, length):
        self.values, self.start, self.length = sorted(set(values)), start, length

    def place(self, value):
        margin = 12
        first, last = self.values[0], self.values[-1]
        return self.start + margin + (value - first) / (last - first) * (self.length - 2 * margin)

    def ticks(self):
        return self.values


class Axis:
    """A logarithmic axis over whole decades, or over less where values span less than one."""

    def __init__(self, values, start, length):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(self.low + 1, math.ceil(math.log10(max(values)) - 1e-9))
        self.start, self.length = start, length

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return self.start + share * self.length

    def ticks(self):
        return [10.0**power for power in range(self.low, self.high + 1)]


def panel(x, y, label, rows, curves, across=Axis):
    """Curves are (function of a row, class, whether it has dots)."""
    across = across([row["at"] for row in rows], x, PANEL)
    values = [curve(row) for curve, _, _ in curves for row in rows]
    up = Axis(values, y + HEIGHT, -HEIGHT)
    parts = []
    for tick in up.ticks():
        at = up.place(tick)
        parts.append(f'<line class="grid" x1="{x}" y1="{at:.1f}" x2="{x + PANEL}" y2="{at:.1f}"/>')
        parts.append(f'<text class="dim" x="{x - 6}" y="{at + 4:.1f}" text-anchor="end">{short(tick)}</text>')
    for tick in across.ticks():
        at = across.place(tick)
        parts.append(f'<line class="grid" x1="{at:.1f}" y1="{y}" x2="{at:.1f}" y2="{y + HEIGHT}"/>')
        parts.append(
            f'<text class="dim" x="{at:.1f}" y="{y + HEIGHT + 16}" text-anchor="middle">{short(tick)}</text>')
    middle = x + PANEL / 2
    parts.append(f'<text class="ink" x="{middle}" y="{y + HEIGHT + 34}" text-anchor="middle">{label}</text>')
    for curve, name, dots in curves:
        places = [(across.place(row["at"]), up.place(curve(row))) for row in rows]
        path = " ".join(f"{left:.1f},{top:.1f}" for left, top in places)
        parts.append(f'<polyline class="{name}" points="{path}"/>')
        if dots:
            parts += [f'<circle class="{name}-dot" cx="{left:.1f}" cy="{top:.1f}" r="3.5"/>'
                      for left, top in places]
    return parts


def picture(title, text, head, fixed, panels):
    """Rows of panels, each (label, rows, curves[, kind of axis])."""
    height = TOP + len(panels) * (HEIGHT + GAP + 18) + 8
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
        'aria-labelledby="title text">',
        f'<title id="title">{title}</title>',
        f'<desc id="text">{text}</desc>',
        f"<style>{STYLE}</style>",
        f'<rect class="card" x="1" y="1" width="{WIDTH - 2}" height="{height - 2}" rx="12"/>',
        f'<text class="ink head" x="20" y="26">{head}</text>',
        f'<text class="dim" x="20" y="46">{fixed}</text>',
    ]
    for line, row in enumerate(panels):
        for column, (label, rows, curves, *axis) in enumerate(row):
            parts += panel(LEFT + column * (PANEL + GAP), TOP + line * (HEIGHT + GAP + 12), label, rows, curves,
                           *axis)
    return "\n  ".join(parts) + "\n</svg>\n"


def write_between(page, first, last, body):
    """Into a page, between two marks that it has once."""
    text = page.read_text(encoding="utf-8")
    if text.count(first) != 1 or text.count(last) != 1:
        raise SystemExit(f"{page} has no place between {first} and {last}")
    before, rest = text.split(first)
    page.write_text(before + first + body + last + rest.split(last)[1], encoding="utf-8")
