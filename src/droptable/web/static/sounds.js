// @ts-check
// A few soft notes, made by the browser itself; off until somebody turns them on.

const NOTES = { turn: [523, 784], move: [392], end: [523, 659, 784] }; // hertz

/** @type {AudioContext | null} */
let context = null;

export function soundIsOn() {
  return localStorage.getItem("sound") === "on";
}

/** @param {boolean} on */
export function turnSound(on) {
  localStorage.setItem("sound", on ? "on" : "off");
}

/** @param {string} kind */
export function play(kind) {
  if (!soundIsOn() || !isKnown(kind)) return;
  context ??= new AudioContext();
  for (const [number, pitch] of NOTES[kind].entries())
    playNote(context, pitch, context.currentTime + number * 0.12);
}

/**
 * @param {string} kind
 * @returns {kind is keyof typeof NOTES}
 */
function isKnown(kind) {
  return kind in NOTES;
}

/**
 * @param {AudioContext} output
 * @param {number} pitch
 * @param {number} start
 */
function playNote(output, pitch, start) {
  const tone = output.createOscillator();
  const volume = output.createGain();
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(0.12, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
  tone.connect(volume).connect(output.destination);
  tone.start(start);
  tone.stop(start + 0.3);
}
