// @ts-check
// Sounds, made by the browser itself from tones and noise. They begin with the first gesture:
// browsers allow none before.

import { setting, settings } from "./settings.js";

/** @typedef {{ audio: BaseAudioContext, out: AudioNode, start: number }} Desk where a sound is made */

/**
 * @typedef {object} Tone
 * @property {OscillatorType} [type]
 * @property {number} [to] hertz at the end
 * @property {number} [at] seconds after the start
 * @property {number} [time] seconds
 * @property {number} [loud]
 */

/** The lowest loudness that an exponential ramp can reach. */
const SILENCE = 0.0001;

/**
 * A tone that fades, and glides to another pitch if there is one.
 * @param {Desk} desk
 * @param {number} pitch hertz
 * @param {Tone} tone
 */
function tone(desk, pitch, { type = "sine", to = pitch, at = 0, time = 0.25, loud = 0.3 } = {}) {
  const { audio, out } = desk;
  const start = desk.start + at;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = type;
  source.frequency.setValueAtTime(pitch, start);
  if (to !== pitch) source.frequency.exponentialRampToValueAtTime(to, start + time);
  volume.gain.setValueAtTime(SILENCE, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.008, time / 4));
  volume.gain.exponentialRampToValueAtTime(SILENCE, start + time);
  source.connect(volume).connect(out);
  source.start(start);
  source.stop(start + time);
}

/**
 * A bell: a tone and two fainter ones above it.
 * @param {Desk} desk
 * @param {number} pitch
 */
function bell(desk, pitch, at = 0, time = 0.7, loud = 0.2) {
  tone(desk, pitch, { at, time, loud });
  tone(desk, pitch * 2.01, { at, time: time * 0.6, loud: loud * 0.35 });
  tone(desk, pitch * 3.9, { at, time: time * 0.25, loud: loud * 0.15 });
}

/**
 * A plucked string.
 * @param {Desk} desk
 * @param {number} pitch
 */
function pluck(desk, pitch, at = 0, time = 0.35, loud = 0.22) {
  tone(desk, pitch, { type: "triangle", at, time, loud });
  tone(desk, pitch * 2, { at, time: time * 0.4, loud: loud * 0.3 });
}

/**
 * @typedef {object} Hiss
 * @property {number} [to] hertz at the end
 * @property {BiquadFilterType} [type]
 * @property {number} [sharp]
 * @property {number} [at]
 * @property {number} [time]
 * @property {number} [loud]
 */

/**
 * Filtered noise that fades.
 * @param {Desk} desk
 * @param {number} pitch hertz
 * @param {Hiss} hiss
 */
function noise(desk, pitch, hiss = {}) {
  const { to = pitch, type = "bandpass", sharp = 1, at = 0, time = 0.1, loud = 0.3 } = hiss;
  const { audio, out } = desk;
  const start = desk.start + at;
  const source = audio.createBufferSource();
  const filter = audio.createBiquadFilter();
  const volume = audio.createGain();
  source.buffer = whiteNoise(audio);
  source.loop = true;
  filter.type = type;
  filter.Q.value = sharp;
  filter.frequency.setValueAtTime(pitch, start);
  if (to !== pitch) filter.frequency.exponentialRampToValueAtTime(to, start + time);
  volume.gain.setValueAtTime(SILENCE, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + Math.min(0.006, time / 4));
  volume.gain.exponentialRampToValueAtTime(SILENCE, start + time);
  source.connect(filter).connect(volume).connect(out);
  source.start(start, at % 0.5);
  source.stop(start + time);
}

/** @type {WeakMap<BaseAudioContext, AudioBuffer>} */
const noises = new WeakMap();

/** @param {BaseAudioContext} audio */
function whiteNoise(audio) {
  const known = noises.get(audio);
  if (known) return known;
  const made = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = made.getChannelData(0);
  for (let number = 0; number < samples.length; number++) samples[number] = Math.random() * 2 - 1;
  noises.set(audio, made);
  return made;
}

/**
 * Something heavy that lands.
 * @param {Desk} desk
 * @param {number} pitch
 */
function thud(desk, pitch, at = 0, loud = 0.5) {
  tone(desk, pitch, { to: pitch / 2.4, at, time: 0.16, loud });
  noise(desk, pitch * 6, { type: "lowpass", at, time: 0.05, loud: loud * 0.7 });
}

/** A click of wood or plastic. @param {Desk} desk @param {number} pitch */
function click(desk, pitch, at = 0, loud = 0.45) {
  noise(desk, pitch, { sharp: 6, at, time: 0.045, loud: loud * 1.6 });
  tone(desk, pitch / 4, { type: "triangle", at, time: 0.05, loud: loud * 0.4 });
}

/** A card that slides. @param {Desk} desk */
function swish(desk, at = 0, loud = 0.42) {
  noise(desk, 2200, { to: 5200, sharp: 0.8, at, time: 0.1, loud });
}

/** @type {Record<string, (desk: Desk) => void>} */
const SOUNDS = {
  turn: (desk) => {
    bell(desk, 659, 0, 0.5);
    bell(desk, 988, 0.13, 0.8);
  },
  move: (desk) => click(desk, 1500, 0, 0.8),
  drop: (desk) => {
    tone(desk, 620, { to: 210, time: 0.15, loud: 0.1 });
    thud(desk, 170, 0.13);
  },
  card: (desk) => {
    swish(desk);
    click(desk, 2600, 0.07, 0.16);
  },
  flip: (desk) => {
    swish(desk, 0, 0.16);
    noise(desk, 5200, { to: 1800, at: 0.08, time: 0.09, loud: 0.2 });
    click(desk, 3200, 0.16, 0.2);
  },
  shuffle: (desk) => {
    for (let number = 0; number < 9; number++)
      noise(desk, 2600 + 300 * (number % 3), { at: number * 0.045, time: 0.05, loud: 0.16 });
    thud(desk, 260, 0.46, 0.2);
  },
  dice: (desk) => {
    for (const [number, at] of [0, 0.07, 0.12, 0.2, 0.25, 0.34, 0.46].entries())
      click(desk, 1700 + 420 * (number % 3), at, 0.4 - number * 0.035);
  },
  write: (desk) => {
    noise(desk, 3300, { to: 4600, sharp: 2, time: 0.1, loud: 0.55 });
    noise(desk, 4800, { to: 3000, sharp: 2, at: 0.12, time: 0.08, loud: 0.5 });
  },
  combo: (desk) => {
    for (const [number, pitch] of [523, 659, 784, 1047].entries())
      pluck(desk, pitch, number * 0.075);
    bell(desk, 2093, 0.3, 0.5, 0.08);
  },
  block: (desk) => {
    thud(desk, 105, 0, 0.8);
    noise(desk, 320, { type: "lowpass", to: 90, time: 0.28, loud: 0.4 });
  },
  push: (desk) => {
    noise(desk, 380, { type: "lowpass", to: 1100, time: 0.22, loud: 0.3 });
    click(desk, 900, 0.2);
  },
  burst: (desk) => {
    noise(desk, 3800, { to: 350, sharp: 0.6, time: 0.3, loud: 0.42 });
    tone(desk, 240, { to: 60, time: 0.22, loud: 0.35 });
  },
  pop: (desk) => {
    tone(desk, 280, { to: 1050, time: 0.075, loud: 0.4 });
    noise(desk, 2400, { at: 0.05, time: 0.03, loud: 0.22 });
  },
  score: (desk) => {
    pluck(desk, 988, 0, 0.18, 0.16);
    bell(desk, 1319, 0.07, 0.5, 0.14);
  },
  round: (desk) => {
    for (const pitch of [262, 392, 523]) bell(desk, pitch, 0, 1.4, 0.15);
    bell(desk, 784, 0.22, 1.2, 0.12);
  },
  win: (desk) => {
    for (const [number, pitch] of [523, 523, 523, 698].entries())
      pluck(desk, pitch, number * 0.11, 0.2);
    for (const pitch of [523, 659, 784, 1047]) bell(desk, pitch, 0.48, 1.6, 0.14);
  },
  loss: (desk) => {
    for (const [number, pitch] of [392, 370, 330].entries())
      pluck(desk, pitch, number * 0.2, 0.4, 0.2);
    tone(desk, 262, { type: "triangle", to: 247, at: 0.6, time: 0.9, loud: 0.22 });
  },
  draw: (desk) => {
    for (const pitch of [440, 554]) bell(desk, pitch, 0, 0.7, 0.15);
    for (const pitch of [440, 554]) bell(desk, pitch, 0.3, 1, 0.13);
  },
  chat: (desk) => {
    tone(desk, 880, { time: 0.08, loud: 0.16 });
    tone(desk, 1320, { at: 0.08, time: 0.16, loud: 0.16 });
  },
  error: (desk) => {
    tone(desk, 150, { type: "square", time: 0.09, loud: 0.09 });
    tone(desk, 120, { type: "square", at: 0.11, time: 0.14, loud: 0.09 });
  },
};

/** The sounds there are; pictures name them. */
export const soundNames = Object.keys(SOUNDS);

const CLOSE = 0.05; // seconds within which a sound is not repeated
/** @type {AudioContext | null} */
let context = null;
/** @type {Map<string, number>} */
const playedAt = new Map();

for (const gesture of ["pointerdown", "keydown"])
  addEventListener(gesture, wake, { capture: true, passive: true });

settings.on("change", (name) => name === "sound" && wake());

function wake() {
  if (setting("sound") === "off") return;
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume();
}

/**
 * Play a sound; silent if there is none of that name, before the first gesture, or if turned off.
 * @param {string} name
 */
export function play(name) {
  if (context?.state !== "running" || setting("sound") === "off") return;
  const now = context.currentTime;
  if (now - (playedAt.get(name) ?? -1) < CLOSE) return;
  playedAt.set(name, now);
  make(name, context, Number(setting("volume")) / 100);
}

/**
 * Make a sound on any kind of context.
 * @param {string} name
 * @param {BaseAudioContext} audio
 */
export function make(name, audio, loud = 1) {
  const volume = audio.createGain();
  volume.gain.value = loud;
  volume.connect(audio.destination);
  SOUNDS[name]?.({ audio, out: volume, start: audio.currentTime });
}
