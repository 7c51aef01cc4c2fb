// Two soft notes made by the browser itself; off until somebody wants them.
let context = null;

export function soundOn(on) {
  if (on !== undefined) localStorage.setItem("sound", on ? "on" : "off");
  return localStorage.getItem("sound") === "on";
}

export function play(kind) {
  if (!soundOn()) return;
  context ??= new AudioContext();
  const notes = { turn: [523, 784], move: [392], end: [523, 659, 784] }[kind];
  notes.forEach((pitch, i) => {
    const start = context.currentTime + i * 0.12;
    const tone = context.createOscillator(),
      volume = context.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, start);
    volume.gain.exponentialRampToValueAtTime(0.001, start + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + 0.3);
  });
}
