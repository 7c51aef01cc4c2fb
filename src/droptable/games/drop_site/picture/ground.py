"""The ground that crates are dropped on: a map with fields, woods, a river and roads."""

from __future__ import annotations

from functools import lru_cache

from droptable.core.components import box
from droptable.core.svg import Svg, el, join

# Corners as shares of the map's width and height; nothing lies in its round corners.
FIELDS = {
    "ds-meadow": (
        ((0.03, 0.0), (0.24, 0.0), (0.2, 0.42), (0.0, 0.5), (0.0, 0.08)),
        ((0.66, 0.58), (0.9, 0.5), (0.97, 1.0), (0.62, 1.0)),
    ),
    "ds-wheat": (
        ((0.46, 0.0), (0.7, 0.0), (0.66, 0.46), (0.44, 0.4)),
        ((0.0, 0.62), (0.16, 0.56), (0.2, 1.0), (0.03, 1.0), (0.0, 0.92)),
    ),
    "ds-plough": (((0.24, 0.55), (0.34, 0.5), (0.33, 1.0), (0.23, 1.0)),),
}
FURROWS = ((0.49, 0.03, 0.475, 0.36), (0.55, 0.03, 0.535, 0.38), (0.61, 0.03, 0.595, 0.4))
TREES = (
    (0.285, 0.12, 1.0), (0.3, 0.19, 0.8), (0.315, 0.1, 0.7), (0.9, 0.3, 1.0), (0.925, 0.24, 0.7),
    (0.93, 0.36, 0.8), (0.47, 0.86, 0.9), (0.49, 0.93, 0.7), (0.45, 0.94, 0.6),
)  # fmt: skip


@lru_cache(64)
def ground(x: float, y: float, width: float, height: float) -> Svg:
    """The map, by its left upper corner."""

    def place(fx: float, fy: float) -> str:
        return f"{x + fx * width:.0f} {y + fy * height:.0f}"

    fields = [
        el("path", d="M" + "L".join(place(*corner) for corner in corners) + "Z", class_=kind)
        for kind, polygons in FIELDS.items()
        for corners in polygons
    ]
    furrows = "".join(f"M{place(a, b)}L{place(c, d)}" for a, b, c, d in FURROWS)
    river = f"M{place(0.37, 0)}C{place(0.37, 0.3)} {place(0.42, 0.42)} {place(0.41, 0.6)}"
    river += f"C{place(0.4, 0.78)} {place(0.38, 0.8)} {place(0.38, 1)}"
    road = f"M{place(0, 0.56)}C{place(0.2, 0.56)} {place(0.28, 0.44)} {place(0.42, 0.46)}"
    road += f"C{place(0.6, 0.48)} {place(0.75, 0.5)} {place(1, 0.42)}"
    lane = f"M{place(0.8, 0)}C{place(0.8, 0.2)} {place(0.78, 0.3)} {place(0.79, 0.47)}"
    broad = min(width / 30, height / 12)
    return join(
        box(width, height, "ds-land", x=x + width / 2, y=y + height / 2, r=12),
        *fields,
        el("path", d=furrows, class_="ds-furrow"),
        el("path", d=river, class_="ds-river", stroke_width=broad * 1.2),
        el("path", d=road, class_="ds-road", stroke_width=broad * 0.5),
        el("path", d=lane, class_="ds-road", stroke_width=broad * 0.35),
        *(
            el("circle", cx=x + fx * width, cy=y + fy * height, r=broad * 0.6 * r, class_="ds-tree")
            for fx, fy, r in TREES
        ),
    )
