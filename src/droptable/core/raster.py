"""Pictures as files: SVG that looks the same in any program, and PNG. `film.py` makes GIFs.

Pages style pictures with `scene.css`, whose variables and media queries few programs other than
browsers support. A file gets the same style as plain values, light or dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from droptable.core.extras import MissingExtra, extra
from droptable.core.scene import stylesheet
from droptable.core.svg import NOT_XML, Svg, el

PAINTED = ("fill", "stroke")  # alpha becomes a property: many programs cannot read #rrggbbaa
MOTION = ("cursor", "pointer-events", "user-select", "transition", "translate", "outline")
Declarations = dict[str, str]


# -- standalone SVG -------------------------------------------------------------------------------


def standalone(svg: str, *, dark: bool = False, paper: bool = True) -> str:
    """A scene with its size and a style of plain values.

    Its background has the paper's colour, or, without `paper`, is transparent.
    """
    head, title, body = _parts(svg)
    width, height = size_of(svg)
    used = {name for names in re.findall(r'class="([^"]*)"', svg) for name in names.split()}
    rules = [rule for classes, rule in _written_rules(stylesheet(), dark) if classes <= used]
    sheet = el("rect", width=width, height=height, fill=ground(dark)) if paper else ""
    sized = f'{head} width="{width}" height="{height}">'
    return sized + title + el("style", Svg("\n".join(rules))) + sheet + body


def colours(dark: bool) -> list[str]:
    """The colours of all things, as #rrggbb."""
    values = _variables(stylesheet(), dark).values()
    named = {_solid(value) for value in values if value.startswith("#")}
    return sorted(colour for colour, alpha in named if alpha == 1)


def ground(dark: bool) -> str:
    """The paper's colour."""
    return _variables(stylesheet(), dark)["paper"]


def size_of(svg: str) -> tuple[int, int]:
    """Width and height of a scene, in its units."""
    box = re.search(r'viewBox="0 0 (\d+) (\d+)"', svg)
    if box is None:
        raise ValueError("this is not a scene: its svg has no viewBox from 0 0")
    return int(box[1]), int(box[2])


def _parts(svg: str) -> tuple[str, str, str]:
    """The first tag, left open, the title, and the rest."""
    head, _, inside = svg.partition(">")
    title, end, body = inside.partition("</title>")
    return head, title + end, body


@cache
def _written_rules(css: str, dark: bool) -> tuple[tuple[frozenset[str], str], ...]:
    """The plain rules as text, each with the classes that it applies to."""
    return tuple(
        (
            frozenset(re.findall(r"\.([\w-]+)", selector)),
            f"{selector}{{{';'.join(f'{key}:{value}' for key, value in declarations.items())}}}",
        )
        for selector, declarations in _plain_rules(css, dark)
    )


@cache
def _plain_rules(css: str, dark: bool) -> tuple[tuple[str, Declarations], ...]:
    """The rules for static pictures: no variables, no media queries, nothing about touching."""
    variables = _variables(css, dark)
    plain = []
    for selectors, declarations in _rules(css):
        values: Declarations = {}
        for key, value in declarations.items():
            if not key.startswith(("--", "background")) and key not in MOTION:
                values |= _paint(key, _resolve(value, variables, dark))
        for selector in selectors.split(","):
            if values and ":" not in selector:
                plain.append((selector.strip(), values))
    return tuple(plain)


@cache
def _variables(css: str, dark: bool) -> Mapping[str, str]:
    """Every variable's value: the last one that is set."""
    values: dict[str, str] = {}
    for _, declarations in _rules(css):
        values |= {key[2:]: value for key, value in declarations.items() if key.startswith("--")}
    return {name: _resolve(value, values, dark) for name, value in values.items()}


def _rules(css: str) -> Iterator[tuple[str, Declarations]]:
    """Selectors and declarations of the rules that apply to a static picture."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    css = re.sub(r"@[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", css)  # media queries, key frames
    for selectors, block in re.findall(r"([^{}]+)\{([^{}]*)\}", css):
        pairs = (line.partition(":") for line in block.split(";") if ":" in line)
        yield selectors.strip(), {key.strip(): value.strip() for key, _, value in pairs}


def _resolve(value: str, variables: Mapping[str, str], dark: bool) -> str:
    """A value without var(), light-dark() and color-mix()."""
    while "var(" in value:
        value = re.sub(r"var\(--([\w-]+)\)", lambda name: variables[name[1]], value)
    value = re.sub(
        r"light-dark\(([^,()]+),([^,()]+)\)", lambda pair: pair[2 if dark else 1].strip(), value
    )
    return re.sub(
        r"color-mix\(in srgb, (#\w+) (\d+)%, transparent\)",
        lambda mix: _with_alpha(mix[1], int(mix[2]) / 100),
        value,
    )


def _with_alpha(colour: str, share: float) -> str:
    solid, alpha = _solid(colour)
    return f"{solid}{round(alpha * share * 255):02x}"


def _solid(colour: str) -> tuple[str, float]:
    """A colour #rgb, #rgba, #rrggbb or #rrggbbaa as #rrggbb and its alpha."""
    digits = colour[1:]
    if len(digits) < 6:
        digits = "".join(digit * 2 for digit in digits)
    return f"#{digits[:6]}", int(digits[6:] or "ff", 16) / 255


def _paint(key: str, value: str) -> Declarations:
    if key in PAINTED and value == "transparent":
        return {key: "none"}
    if key in PAINTED and value.startswith("#"):
        colour, alpha = _solid(value)
        return {key: colour} | ({f"{key}-opacity": f"{alpha:.3g}"} if alpha < 1 else {})
    return {key: value}


# -- pixels ---------------------------------------------------------------------------------------


def png(svg: str, width: int) -> bytes:
    """A standalone picture as PNG of that width. Text looks the same on every machine."""
    with extra("plot"):
        import resvg_py

    fonts = [str(file) for file in _fonts()]
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=NOT_XML.sub("", svg), width=width, skip_system_fonts=True, font_files=fonts,
            font_family="DejaVu Sans", sans_serif_family="DejaVu Sans",
        )
    )  # fmt: skip


@cache
def can_draw() -> bool:
    """Whether there is what it takes to make pixels: the extra `plot`."""
    try:
        with extra("plot"):
            import resvg_py  # noqa: F401
        _fonts()
    except MissingExtra:
        return False
    return True


@cache
def _fonts() -> tuple[Path, ...]:
    """Fonts that are always available: those that come with matplotlib."""
    with extra("plot"):
        import matplotlib

    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return folder / "DejaVuSans.ttf", folder / "DejaVuSans-Bold.ttf"
