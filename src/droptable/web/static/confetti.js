// @ts-check
// Paper that rains once over the page when somebody has won; nothing for those who like it calm.

import { h } from "./dom.js";
import { speedFactor } from "./settings.js";

const PIECES = 130;
const SECONDS = 4;
const GRAVITY = 620; // pixels per second, per second
const COLOURS = ["--seat-0", "--seat-1", "--seat-2", "--seat-3", "--seat-4", "--accent"];
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** Let it rain. Clicks fall through. */
export function confetti() {
  if (calm.matches || speedFactor() === 0) return;
  const canvas = h("canvas", { class: "confetti", width: innerWidth, height: innerHeight });
  const brush = canvas.getContext("2d");
  if (!brush) return;
  const style = getComputedStyle(document.documentElement);
  const probe = document.body.appendChild(h("i", { hidden: true }));
  const colours = COLOURS.map((name) => {
    probe.style.color = style.getPropertyValue(name);
    return getComputedStyle(probe).color; // what light-dark() comes to
  });
  probe.remove();
  const pieces = Array.from({ length: PIECES }, (_, number) => ({
    x: number % 2 ? innerWidth : 0,
    y: innerHeight * (0.35 + 0.3 * Math.random()),
    across: (number % 2 ? -1 : 1) * innerWidth * (0.1 + 0.55 * Math.random()),
    up: innerHeight * (0.35 + 0.6 * Math.random()),
    size: 6 + 7 * Math.random(),
    spin: 3 + 9 * Math.random(),
    colour: colours[number % colours.length],
  }));
  document.body.append(canvas);
  const start = performance.now();
  requestAnimationFrame(function draw(now) {
    const time = Math.max(0, now - start) / 1000;
    if (time > SECONDS) return canvas.remove();
    brush.clearRect(0, 0, canvas.width, canvas.height);
    brush.globalAlpha = Math.min(1, SECONDS - time);
    for (const { x, y, across, up, size, spin, colour } of pieces) {
      const drag = (1 - Math.exp(-1.6 * time)) / 1.6; // the air slows them down
      const flat = Math.abs(Math.cos(spin * time));
      brush.fillStyle = colour;
      const left = x + across * drag;
      const top = y - 1.9 * up * drag + (GRAVITY * time * time) / (2 + 2 * time);
      brush.fillRect(left, top, size, 2 + size * flat);
    }
    requestAnimationFrame(draw);
  });
}
