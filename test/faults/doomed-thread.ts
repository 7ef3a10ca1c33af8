/** Words of a team (`assembly/team.ts`) that the product leaves alone, at 32…60: what a test says to its kernel thread. */
export const DOOM = { tile: 8, mode: 9, held: 10, elected: 11, claimed: 12 } as const;

/** The word that says which tile is claimed next. */
export const NEXT = 128 / 4;

/** How the thread ends with the tile in its hands: before it has worked on it, or when it has written all but not said so. */
export const MODES = { before: 1, after: 2 } as const;

/** Milliseconds for which other threads, with tiles that they have claimed, wait for the doomed one to claim its own. */
export const PATIENCE = 10_000;

// (module (import "k" "f" (func (param i32 i32 i32))) (export "f" (func 0))): tables hold functions of WebAssembly only.
export const PASSAGE = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 7, 1, 96, 3, 127, 127, 127, 0, 2, 7, 1, 1, 107, 1, 102, 0, 0],
  ...[7, 5, 1, 1, 102, 0, 0],
];

/**
 * A kernel thread that claims all tiles left up to the one that `DOOM.tile` says (its number and 1), notes that in
 * `DOOM.claimed`, works as others do up to that tile, notes in `DOOM.held` that it has it in its hands, and never ends it. Of
 * several threads of a team one is so; the others are the product's.
 */
export const doomedThread = `
const passage = new WebAssembly.Module(new Uint8Array([${PASSAGE}]));
const [BEGIN, END, GATE, NEXT, DONE] = [3, 4, 64 / 4, ${NEXT}, 192 / 4];
const OPEN = 1 << 16;
const [PROGRAM, TILES, BARRIER] = [2, 2, 3];
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const { exports } = new Instance(module, imports);
  const { memory } = imports.env;
  let words = null;

  const waiting = (kernel) => (params, begin, end) => {
    if (words && words[NEXT] < words[${DOOM.tile}]) Atomics.wait(words, ${DOOM.claimed}, 0, ${PATIENCE});
    kernel(params, begin, end);
  };
  const kernels = Object.entries(exports).filter(([, each]) => each.length === 3);
  const launched = kernels.map(([name, kernel]) => [name, new Instance(passage, { k: { f: waiting(kernel) } }).exports.f]);

  function serveTeam(team) {
    words = new Int32Array(memory.buffer, team);
    if (Atomics.compareExchange(words, ${DOOM.elected}, 0, 1) !== 0) return exports.serveTeam(team);
    for (;;) {
      if (!Atomics.load(words, ${DOOM.tile}) || !enter(words)) continue;
      const tile = Atomics.load(words, ${DOOM.tile}) - 1;
      if (tile >= 0) work(words, tile);
      Atomics.sub(words, GATE, 1);
      Atomics.notify(words, GATE);
    }
  }

  function enter(words) {
    const gate = Atomics.load(words, GATE);
    return (gate & OPEN) !== 0 && Atomics.compareExchange(words, GATE, gate, gate + 1) === gate;
  }

  /** Takes all tiles up to the fatal one, and does those before it. */
  function work(words, tile) {
    let next = Atomics.load(words, NEXT);
    for (;;) {
      if (next > tile) return;
      const found = Atomics.compareExchange(words, NEXT, next, tile + 1);
      if (found === next) break;
      next = found;
    }
    Atomics.store(words, ${DOOM.claimed}, 1);
    Atomics.notify(words, ${DOOM.claimed});
    const all = new Int32Array(memory.buffer);
    const [program, begin, end] = [words[PROGRAM], words[BEGIN], words[END]];
    let first = 0;
    for (let index = begin; index < end && first <= tile; index++) {
      const step = (program + 16 * index) / 4;
      const last = first + all[step + TILES];
      if (last > next) {
        if (all[step + BARRIER]) while (Atomics.load(words, DONE) < first);
        const [from, to] = [Math.max(first, next), Math.min(last, tile)];
        if (from < to) {
          exports.runProgram(program, begin, end, from, to);
          Atomics.add(words, DONE, to - from);
        }
      }
      first = last;
    }
    if (Atomics.load(words, ${DOOM.mode}) === ${MODES.after}) exports.runProgram(program, begin, end, tile, tile + 1);
    Atomics.store(words, ${DOOM.held}, 1);
    for (;;) Atomics.wait(words, ${DOOM.held}, 1);
  }

  return { exports: { ...exports, ...Object.fromEntries(launched), serveTeam } };
};
await import('${new URL('../../build/kernel-worker.js', import.meta.url)}');`;
