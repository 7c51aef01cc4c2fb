// Walking the paths of legal moves: what was touched, what can be touched next, which move that is.
// A path is a list of names; a list inside it is a group that is touched in any order.

/** What a path allows after these touches: {next: names, done}, or null if they lead elsewhere. */
function follow(path, touched) {
  const left = [...touched];
  for (const step of path) {
    const group = typeof step === "string" ? [step] : [...step];
    while (group.length) {
      if (!left.length) return { next: [...new Set(group)], done: false };
      const at = group.indexOf(left[0]);
      if (at < 0) return null;
      group.splice(at, 1);
      left.shift();
    }
  }
  return left.length ? null : { next: [], done: true };
}

export class Walk {
  constructor(moves = [], switches = {}) {
    this.moves = moves;
    this.switches = switches;
    this.touched = [];
  }

  /** The names that can be touched now. */
  get next() {
    const names = new Set();
    for (const move of this.moves)
      follow(move.path, this.touched)?.next.forEach((name) => names.add(name));
    for (const [name, table] of Object.entries(this.switches))
      if (this.touched.at(-1) in table) names.add(name);
    return names;
  }

  /** The moves that begin with what was touched. */
  get possible() {
    return this.moves.filter((move) => follow(move.path, this.touched));
  }

  /** The move that touching this as well would make, if it is one whole. */
  moveAfter(name) {
    const touched = [...this.touched, name];
    return this.moves.find((move) => follow(move.path, touched)?.done) ?? null;
  }

  /** Touch something: true if it can be touched now. */
  touch(name) {
    const other = this.switches[name]?.[this.touched.at(-1)];
    if (other) this.touched = [...this.touched.slice(0, -1), other];
    else if (this.next.has(name)) this.touched = [...this.touched, name];
    else return false;
    return true;
  }

  /** The move whose path has been touched to its end. */
  get move() {
    return this.moves.find((move) => follow(move.path, this.touched)?.done) ?? null;
  }

  /** Take a touch back, and what came after it unless that still makes sense without it. */
  untouch(name) {
    const at = this.touched.lastIndexOf(name);
    if (at < 0) return;
    const without = this.touched.toSpliced
      ? this.touched.toSpliced(at, 1)
      : this.touched.filter((_, i) => i !== at);
    const fits = this.moves.some((move) => follow(move.path, without));
    this.touched = fits ? without : this.touched.slice(0, at);
  }

  reset() {
    this.touched = [];
  }
}
