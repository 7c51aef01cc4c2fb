"""A match as an animated GIF, faster than rasterizing every picture as a whole.

Pictures are lists of things (a card, a plate), most of which stay as they are. Each thing is
rasterized once per subpixel offset and cached; a frame is the frame before it with the region
redrawn in which things have come, gone or moved.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from math import ceil, floor
from typing import TYPE_CHECKING

from droptable.core.extras import extra
from droptable.core.raster import colours, ground, png, size_of, standalone

if TYPE_CHECKING:
    from PIL.Image import Image

COLOURS = 64  # of a GIF, besides those of things: blends at their edges
SUBPIXELS = 4  # things are placed to a quarter of a pixel
EDGE = 3  # units around a thing that are drawn at first, for strokes; more if needed
TAG = re.compile(r"<(/?)(\w+)([^>]*?)(/?)>")
PLACE = re.compile(r' transform="translate\((-?[\d.]+) (-?[\d.]+)\)"')
ELEMENT = re.compile(r"<(/?)(\w+)([^>]*?)(/?)>([^<]*)")
ATTRIBUTE = re.compile(r' ([\w-]+)="([^"]*)"')
NUMBER = re.compile(r"-?\d*\.?\d+")
CLASSES = re.compile(r' class="([^"]*)"')
X, Y = re.compile(r' x="(-?[\d.]+)"'), re.compile(r' y="(-?[\d.]+)"')
UNSTYLED = {"still", "held"}  # classes that only concern touching
IDENTITY = re.compile(r' (?:id|data-\w+|aria-label|role)="[^"]*"')

Region = tuple[int, int, int, int]  # left, top, right, bottom, in pixels


@dataclass(frozen=True)
class Patch:
    """A thing as an image, and the offset of its upper left corner."""

    image: Image
    left: int
    top: int


@dataclass(frozen=True)
class Thing:
    """A patch at its place in a frame."""

    patch: Patch
    x: int
    y: int

    @cached_property
    def region(self) -> Region:
        left, top = self.x + self.patch.left, self.y + self.patch.top
        return left, top, left + self.patch.image.width, top + self.patch.image.height

    @property
    def key(self) -> tuple[int, int, int]:
        return id(self.patch), self.x, self.y


class Film:
    """Frames of one width, as high as the highest picture."""

    def __init__(self, width: int, *, dark: bool = False) -> None:
        self._width = width
        self._dark = dark
        self._paper = ground(dark)
        self._scale = 1.0
        self._patches: dict[tuple[str, float, float], Patch] = {}

    def frames(self, pictures: Iterable[str]) -> list[Image]:
        """Scenes (`Picture.svg()`) as images on the paper's colour."""
        with extra("plot"):
            import PIL.Image

        scenes = list(pictures)
        sizes = [size_of(svg) for svg in scenes]
        heights = [ceil(self._width * high / wide) for wide, high in sizes]
        drawn, before = [], list[Thing]()
        sheet = PIL.Image.new("RGB", (self._width, max(heights)), self._paper)
        for svg, height, (wide, _high) in zip(scenes, heights, sizes, strict=True):
            lower = (sheet.height - height) // 2
            self._scale = scale = self._width / wide
            things = [self._thing(x * scale, y * scale, part, lower) for x, y, part in parts(svg)]
            sheet = self._next(sheet, before, things)
            drawn.append(sheet)
            before = things
        return drawn

    def _next(self, sheet: Image, before: Sequence[Thing], now: Sequence[Thing]) -> Image:
        """The sheet with what has changed; the same sheet if nothing has."""
        changed = _changed(before, now)
        if not changed:
            return sheet
        fresh = sheet.copy()
        left, top, right, bottom = _clipped(_around(changed), sheet.size)
        if right <= left or bottom <= top:
            return sheet
        region = fresh.crop((left, top, right, bottom))
        region.paste(self._paper, (0, 0, *region.size))
        for thing in now:
            x, y, x2, y2 = thing.region
            if x < right and x2 > left and y < bottom and y2 > top:
                region.paste(thing.patch.image, (x - left, y - top), thing.patch.image)
        fresh.paste(region, (left, top))
        return fresh

    def _thing(self, x: float, y: float, part: str, lower: int) -> Thing:
        """A thing at a place in pixels."""
        left, top = floor(x), floor(y)
        dx, dy = (round((way % 1) * SUBPIXELS) / SUBPIXELS for way in (x, y))
        key = (IDENTITY.sub("", part), dx, dy)
        if key not in self._patches:
            self._patches[key] = self._draw(key[0], dx, dy)
        return Thing(self._patches[key], left, top + lower)

    def _draw(self, part: str, dx: float, dy: float) -> Patch:
        """Rasterize a thing in the box that it seems to need, or a larger one if it is cut off."""
        import PIL.Image

        scale = self._scale
        x, y, x2, y2 = (way * scale for way in extent(part))
        grown = EDGE * scale
        while True:
            left, top = floor(x - grown), floor(y - grown)
            width, height = ceil(x2 + grown) - left, ceil(y2 + grown) - top
            svg = (
                f'<svg xmlns="http://www.w3.org/2000/svg" class="scene" '
                f'viewBox="0 0 {width} {height}"><title></title>'
                f'<g transform="translate({dx - left} {dy - top}) scale({scale:.6f})">'
                f"{part}</g></svg>"
            )
            drawn = png(standalone(svg, dark=self._dark, paper=False), width)
            image = PIL.Image.open(BytesIO(drawn)).convert("RGBA")
            box = image.getbbox()
            if box is None:
                return Patch(PIL.Image.new("RGBA", (1, 1)), 0, 0)
            whole = box[0] > 0 and box[1] > 0 and box[2] < image.width and box[3] < image.height
            if whole or grown > self._width:
                return Patch(image.crop(box), left + box[0], top + box[1])
            grown *= 4


def extent(part: str) -> tuple[float, float, float, float]:
    """The approximate bounding box of a thing, in units: left, top, right, bottom."""
    places = [(0.0, 0.0)]
    xs, ys = [0.0], [0.0]
    for closes, kind, attributes, single, words in ELEMENT.findall(part):
        if closes:
            places.pop()
            continue
        x, y = places[-1]
        has = dict(ATTRIBUTE.findall(attributes))
        moved = NUMBER.findall(has.get("transform", "0 0"))
        if not single:
            places.append((x + float(moved[0]), y + float(moved[1])))
        x += float(has.get("x", 0)) + float(has.get("cx", 0))
        y += float(has.get("y", 0)) + float(has.get("cy", 0))
        if kind == "text":
            size = float(has.get("font-size", 14))
            xs += [x - len(words) * size * 0.7, x + len(words) * size * 0.7]
            ys += [y - size * 0.8, y + size * 0.8]
        elif kind in ("path", "polygon"):
            written = has.get("d", "") + has.get("points", "")
            ways = [0.0, *map(float, NUMBER.findall(written))]
            xs += [x + min(ways), x + max(ways)]
            ys += [y + min(ways), y + max(ways)]
        else:
            radius = float(has.get("r", 0))
            xs += [x - radius, x + max(radius, float(has.get("width", 0)))]
            ys += [y - radius, y + max(radius, float(has.get("height", 0)))]
    return min(xs), min(ys), max(xs), max(ys)


def parts(svg: str) -> Iterator[tuple[float, float, str]]:
    """What a scene is made of, in order: shapes, texts and groups with a look of their own.

    Each with its place, which is taken out of it: equal things are equal texts wherever they lie.
    """
    start = svg.index("</title>") + len("</title>")
    places, depth, begin = [(0.0, 0.0)], 0, 0
    for tag in TAG.finditer(svg, start):
        closes, kind, attributes, single = tag.groups()
        if depth:  # inside an element that is drawn as a whole
            depth += -1 if closes else 0 if single else 1
        elif closes:
            places.pop()
            if not places:
                return
            continue
        elif kind == "g" and not single and _only_places(attributes):
            shift = PLACE.search(attributes)
            x, y = places[-1]
            places.append((x + float(shift[1]), y + float(shift[2])) if shift else (x, y))
            continue
        else:
            begin, depth = tag.start(), 0 if single else 1
        if not depth and not svg.startswith("<title", begin):
            yield _placed(*places[-1], svg[begin : tag.end()])


def _only_places(attributes: str) -> bool:
    """Whether a group only places what is in it, and does not style it."""
    classes = CLASSES.search(attributes)
    return classes is None or set(classes[1].split()) <= UNSTYLED


def _placed(x: float, y: float, part: str) -> tuple[float, float, str]:
    """A thing with its own place taken out of it."""
    head = part[: part.index(">")]
    shift = PLACE.search(head)
    if shift:
        return x + float(shift[1]), y + float(shift[2]), PLACE.sub("", part, 1)
    across, down = X.search(head), Y.search(head)
    if part.startswith(("<text", "<rect")) and across and down:
        plain = Y.sub(' y="0"', X.sub(' x="0"', part, 1), 1)
        return x + float(across[1]), y + float(down[1]), plain
    return x, y, part


def _changed(before: Sequence[Thing], now: Sequence[Thing]) -> list[Region]:
    """The regions where something came, went, moved or changed its order."""
    was, new = [thing.key for thing in before], [thing.key for thing in now]
    same = set(was) & set(new)
    if [key for key in was if key in same] != [key for key in new if key in same]:
        same = set()
    return [t.region for t in (*before, *now) if t.key not in same]


def _around(regions: Sequence[Region]) -> Region:
    lefts, tops, rights, bottoms = zip(*regions, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _clipped(region: Region, size: tuple[int, int]) -> Region:
    left, top, right, bottom = region
    return max(left, 0), max(top, 0), min(right, size[0]), min(bottom, size[1])


# -- GIF ------------------------------------------------------------------------------------------


def gif(frames: Sequence[Image], milliseconds: Sequence[int], *, dark: bool = False) -> bytes:
    """Images of one size as an endless animation, each shown for its milliseconds.

    All share one palette; only what changes is stored.
    """
    import PIL.Image

    palette = _palette(frames, dark)
    drawn = [frame.quantize(palette=palette, dither=PIL.Image.Dither.NONE) for frame in frames]
    file = BytesIO()
    drawn[0].save(
        file, "GIF", save_all=True, append_images=drawn[1:], duration=list(milliseconds), loop=0,
        optimize=False,
    )  # fmt: skip
    return file.getvalue()


def _palette(frames: Sequence[Image], dark: bool) -> Image:
    """The colours of all things, even rare ones, and the most common blends of them."""
    import PIL.Image

    some = [frames[0], frames[len(frames) // 2], frames[-1]]
    width, height = frames[0].size
    strip = PIL.Image.new("RGB", (width, 3 * height))
    for number, frame in enumerate(some):
        strip.paste(frame, (0, number * height))
    between = strip.quantize(COLOURS).getpalette() or []
    things = [int(colour[i : i + 2], 16) for colour in colours(dark) for i in (1, 3, 5)]
    palette = PIL.Image.new("P", (1, 1))
    palette.putpalette((things + between)[: 3 * 256])
    return palette
