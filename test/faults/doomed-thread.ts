import { STEP_BYTES } from '../../bindings/engine.js';

/** Words of a team (`assembly/team.ts`) that the product leaves alone, at 36…60: what a test says to its kernel thread. */
export const DOOM = { tile: 9, mode: 10, held: 11, elected: 12, claimed: 13 } as const;

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
const [BEGIN, END, THREADS, FROM, LIMIT, GATE, DONE] = [3, 4, 5, 6, 7, 64 / 4, 128 / 4];
const [SHARES, SHARE] = [256 / 8, 64 / 8];
const OPEN = 1 << 16;
const [PROGRAM, TILES, BARRIER, PHASE] = [2, 2, 3, 4];
const { Instance } = WebAssembly;
WebAssembly.Instance = function (module, imports) {
  const { exports } = new Instance(module, imports);
  const { memory } = imports.env;
  let words = null;

  const waiting = (kernel) => (params, begin, end) => {
    if (words && words[${DOOM.tile}]) Atomics.wait(words, ${DOOM.claimed}, 0, ${PATIENCE});
    kernel(params, begin, end);
  };
  const kernels = Object.entries(exports).filter(([, each]) => each.length === 3);
  const launched = kernels.map(([name, kernel]) => [name, new Instance(passage, { k: { f: waiting(kernel) } }).exports.f]);

  function serveTeam(team) {
    words = new Int32Array(memory.buffer, team);
    if (Atomics.compareExchange(words, ${DOOM.elected}, 0, 1) !== 0) return exports.serveTeam(team);
    const shares = new BigInt64Array(memory.buffer, team);
    for (;;) {
      if (!Atomics.load(words, ${DOOM.tile}) || !enter(words)) continue;
      const tile = Atomics.load(words, ${DOOM.tile}) - 1;
      if (tile >= 0) work(words, shares, tile);
      Atomics.sub(words, GATE, 1);
      Atomics.notify(words, GATE);
    }
  }

  function enter(words) {
    const gate = Atomics.load(words, GATE);
    return (gate & OPEN) !== 0 && Atomics.compareExchange(words, GATE, gate, gate + 1) === gate;
  }

  /** The phases of the run's steps up to the tile: their tiles, and those that must be done before. */
  function phasesUpTo(words, tile) {
    const all = new Int32Array(memory.buffer);
    const found = [];
    let [first, barrier] = [0, 0];
    for (let index = words[BEGIN]; index < words[END] && first <= tile; index++) {
      const step = words[PROGRAM] / 4 + ${STEP_BYTES / 4} * index;
      const last = first + all[step + TILES];
      if (all[step + BARRIER]) barrier = first;
      for (let phase = first, next = first; phase < last && phase <= tile; phase = next) {
        next = all[step + PHASE] ? phase + all[step + PHASE] : last;
        if (phase > first) barrier = phase;
        found.push({ number: phase + 1, barrier, from: Math.max(phase, words[FROM]), to: Math.min(next, words[LIMIT]) });
      }
      first = last;
    }
    return found.filter(({ from, to }) => from < to);
  }

  /** The tiles of a phase that are a thread's own. */
  function shareOf({ from, to }, share) {
    const at = (i) => from + Math.floor(((to - from) * i) / words[THREADS]);
    return [at(share), at(share + 1)];
  }

  /** Claims of a share what is left up to the tile; what others had claimed of it before: the number of a phase, and where they were. */
  function claim(shares, share, phase, tile) {
    const [begin, end] = shareOf(phase, share);
    const at = SHARES + SHARE * share;
    for (;;) {
      const word = Atomics.load(shares, at);
      const [number, next] = [Number(word >> 32n), Number(word & 0xffffffffn)];
      if (number > phase.number) return [number, next];
      const taken = Math.max(Math.min(Math.max(tile + 1, begin), end), number === phase.number ? next : 0);
      const ours = (BigInt(phase.number) << 32n) | BigInt(taken);
      if (Atomics.compareExchange(shares, at, word, ours) === word) return [number, next];
    }
  }

  /** Takes all tiles up to the fatal one, and does those before it; gives up where another thread has that. */
  function work(words, shares, tile) {
    const [program, begin, end] = [words[PROGRAM], words[BEGIN], words[END]];
    const phases = phasesUpTo(words, tile);
    const last = phases.at(-1);
    const before = Array.from({ length: words[THREADS] }, (_, share) => claim(shares, share, last, tile));
    Atomics.store(words, ${DOOM.claimed}, 1);
    Atomics.notify(words, ${DOOM.claimed});
    for (const phase of phases) {
      while (Atomics.load(words, DONE) < phase.barrier);
      before.forEach(([number, next], share) => {
        const [first, limit] = shareOf(phase, share);
        const from = number < phase.number ? first : number === phase.number ? next : limit;
        if (phase === last && from > tile && tile >= first && tile < limit) throw new Error('another thread has the tile');
        const to = phase === last ? Math.min(limit, tile) : limit;
        if (from >= to) return;
        exports.runProgram(program, begin, end, from, to);
        Atomics.add(words, DONE, to - from);
      });
    }
    if (Atomics.load(words, ${DOOM.mode}) === ${MODES.after}) exports.runProgram(program, begin, end, tile, tile + 1);
    Atomics.store(words, ${DOOM.held}, 1);
    for (;;) Atomics.wait(words, ${DOOM.held}, 1);
  }

  return { exports: { ...exports, ...Object.fromEntries(launched), serveTeam } };
};
await import('${new URL('../../build/kernel-worker.js', import.meta.url)}');`;
