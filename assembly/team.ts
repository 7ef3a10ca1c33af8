import { runProgram, Step } from './program';

/**
 * State that the threads of one linear memory share during a run: all zero at first, aligned to 64. Tiles are numbered across all steps.
 * Each step's tiles are divided into shares, one per thread, so that a thread finds in its cache what it wrote in the step before. A thread
 * claims a few tiles at a time of its own share, then of the others'; before the tiles behind a barrier it waits until all earlier tiles
 * are done. A thread that is late, or never starts, holds up no other.
 */
@unmanaged
class Team {
  /** Number of the current run; HOME dismisses the threads. They sleep on this word. */
  run: i32 = 0;
  asleep: i32 = 0;
  program: u32 = 0;
  begin: i32 = 0;
  end: i32 = 0;
  /** The number of threads that may join, including the caller. */
  threads: i32 = 0;
  /** First tile of the run, and the end of its tiles. */
  from: i32 = 0;
  limit: i32 = 0;
  /** Threads that have joined, without the caller. */
  joined: i32 = 0;
}

const HOME: i32 = -1;

/** Words that threads write at the same time are on separate cache lines. */
const GATE: usize = 64;
const DONE: usize = 128;
const WAITING: usize = 192;
/**
 * A word for each thread's share. Upper half: 1 + the first tile of the phase that it was set for; lower half: the first unclaimed tile.
 */
const SHARES: usize = 256;
export const enum TeamLayout {
  Bytes = 256,
  BytesPerThread = 64,
  Threads = 20,
}

/** A bit of the team's gate: whether a run is open. The lower bits count the threads inside, without the caller. */
const OPEN: i32 = 1 << 16;

/** Loads before an idle thread goes to sleep: 3 µs in optimized code, several times that before V8 has optimized it. */
const IDLE_LOADS: i32 = 8000;

/**
 * Loads before a thread that waits for others' tiles goes to sleep: 10 µs in optimized code. With a quarter of that, two threads ran a GRU
 * 1.2 times as fast as one and an LSTM 1.4 times; with this, 1.5 and 1.6 times. Waking a thread takes longer.
 */
const LOADS_AT_BARRIER: i32 = 32000;

/** Loads before a thread helps others with a phase: 1 µs, several times the delay until it sees that they are done. */
const LOADS_BEFORE_HELPING: i32 = 3000;

/** A claimed chunk is the rest of a share divided by this: chunks shrink towards its end. In steps with phases, a share is one chunk. */
const CHUNKS: i32 = 4;

/** Tiles, of about ten microseconds each, that others could run: with fewer, waking them takes longer. */
const WORTH_WAKING: i32 = 4;

/** Nanoseconds of sleep, and loads where a thread may not sleep (some milliseconds), before a thread gives up waiting. */
const PATIENCE: i64 = 200_000_000;
const LOADS_OF_PATIENCE: i32 = 1 << 21;

/** False on a browser's main thread, which must not sleep. */
let maySleep: bool = true;

/** The share that this thread begins with. */
let rank: i32 = 0;

export function setMaySleep(may: bool): void {
  maySleep = may;
}

/**
 * Runs the tiles `from…to` of the steps `begin…end` together with the threads that serve the team. Returns false if other threads take too
 * long over tiles; then `rejoin` must continue the run before anything else runs.
 */
export function runTogether(team: usize, program: usize, begin: i32, end: i32, from: i32, to: i32): bool {
  if (!isWorthSharing(program, begin, end, from, to)) {
    runProgram(program, begin, end, from, to);
    return true;
  }
  const shared = changetype<Team>(team);
  shared.program = <u32>program;
  shared.begin = begin;
  shared.end = end;
  shared.from = from;
  shared.limit = to;
  for (let share = 0; share < shared.threads; share++) atomic.store<i64>(shareAt(team, share), 0);
  atomic.store<i32>(team + DONE, from);
  atomic.store<i32>(team + GATE, OPEN);
  const next = shared.run + 1;
  atomic.store<i32>(team, next == HOME ? 0 : next);
  if (atomic.load<i32>(team, offsetof<Team>('asleep')) > 0) atomic.notify(team, -1);
  return rejoin(team);
}

/** Continues the open run, and closes it when all is done. */
export function rejoin(team: usize): bool {
  if (!work(team) || !awaitDone(team, changetype<Team>(team).limit)) return false;
  atomic.and<i32>(team + GATE, ~OPEN);
  for (let inside = atomic.load<i32>(team + GATE); inside != 0; inside = atomic.load<i32>(team + GATE)) {
    if (!awaitChange(team, team + GATE, inside)) return false;
  }
  return true;
}

/** Works in the team's runs, and sleeps between them, until the team is dismissed. */
export function serveTeam(team: usize): void {
  let last: i32 = 0;
  rank = (atomic.add<i32>(team, 1, offsetof<Team>('joined')) + 1) % changetype<Team>(team).threads;
  for (;;) {
    const run = nextRun(team, last);
    if (run == HOME) return;
    last = run;
    if (!enter(team)) continue;
    work(team);
    atomic.sub<i32>(team + GATE, 1);
    wake(team, team + GATE);
  }
}

export function dismissTeam(team: usize): void {
  atomic.store<i32>(team, HOME);
  atomic.notify(team, -1);
}

/** Waits for the run after `last`; returns its number. */
function nextRun(team: usize, last: i32): i32 {
  for (let i = 0; i < IDLE_LOADS; i++) {
    const run = atomic.load<i32>(team);
    if (run != last) return run;
  }
  atomic.add<i32>(team, 1, offsetof<Team>('asleep'));
  while (atomic.load<i32>(team) == last) atomic.wait<i32>(team, last, -1);
  atomic.sub<i32>(team, 1, offsetof<Team>('asleep'));
  return atomic.load<i32>(team);
}

/** Joins the open run; false if it has ended. */
function enter(team: usize): bool {
  let gate = atomic.load<i32>(team + GATE);
  while ((gate & OPEN) != 0) {
    const found = atomic.cmpxchg<i32>(team + GATE, gate, gate + 1);
    if (found == gate) return true;
    gate = found;
  }
  return false;
}

/** Whether there is enough work for others to make up for waking them. */
function isWorthSharing(program: usize, begin: i32, end: i32, from: i32, to: i32): bool {
  let others = 0;
  let first = 0;
  for (let i = begin; i < end && first < to && others < WORTH_WAKING; i++) {
    const last = first + changetype<Step>(program + <usize>i * offsetof<Step>()).tiles;
    others += max(min(last, to) - max(first, from) - 1, 0);
    first = last;
  }
  return others >= WORTH_WAKING;
}

/** Runs tiles until none is left to claim; false if waiting at a barrier timed out. */
function work(team: usize): bool {
  const shared = changetype<Team>(team);
  const program = <usize>shared.program;
  const end = shared.end;
  const limit = shared.limit;
  let first: i32 = 0;
  let barrier: i32 = 0;
  for (let index = shared.begin; index < end && first < limit; index++) {
    const step = changetype<Step>(program + <usize>index * offsetof<Step>());
    const last = first + step.tiles;
    if (step.barrier) barrier = first;
    for (let phase = first, next = first; phase < last; phase = next) {
      next = step.phase ? phase + step.phase : last;
      if (phase > first) barrier = phase;
      const to = min(next, limit);
      if (atomic.load<i32>(team + DONE) >= to) continue;
      // Waits before it claims: in a chain of small steps, the thread that finishes one continues with the next.
      if (!awaitDone(team, barrier)) return false;
      workOn(team, step, first, phase, max(phase, shared.from), to);
    }
    first = last;
  }
  return true;
}

/**
 * Runs the tiles `from…to` of one phase of a step, this thread's share first. Tiles are numbered across the run; `first` is the step's
 * first tile, and `phase` the phase's.
 */
function workOn(team: usize, step: Step, first: i32, phase: i32, from: i32, to: i32): void {
  const threads = changetype<Team>(team).threads;
  const tiles = to - from;
  for (let i = 0; i < threads; i++) {
    const share = (rank + i) % threads;
    const begin = from + <i32>((<i64>tiles * share) / threads);
    const end = from + <i32>((<i64>tiles * (share + 1)) / threads);
    workOnShare(team, shareAt(team, share), step, phase + 1, first, begin, end);
    if (i == 0 && step.phase && othersEnd(team, to)) return;
  }
}

/** Whether other threads soon finish the tiles before `to`: to look for unclaimed tiles would take cache lines from them. */
function othersEnd(team: usize, to: i32): bool {
  if (atomic.load<i32>(team + GATE) <= OPEN) return false;
  for (let i = 0; i < LOADS_BEFORE_HELPING; i++) if (atomic.load<i32>(team + DONE) >= to) return true;
  return false;
}

/** Runs tiles of a share until none is left to claim. Its word belongs to an earlier phase, to this one, or to a later one. */
function workOnShare(team: usize, share: usize, step: Step, number: i32, first: i32, from: i32, to: i32): void {
  for (;;) {
    const word = atomic.load<i64>(share);
    const reached = <i32>(word >> 32);
    const next = reached == number ? <i32>word : from;
    if (reached > number || next >= to) return;
    const end = step.phase ? to : next + max((to - next) / CHUNKS, 1);
    if (atomic.cmpxchg<i64>(share, word, (<i64>number << 32) | <i64>end) != word) continue;
    call_indirect<void>(step.kernel, <usize>step.params, next - first, end - first);
    atomic.add<i32>(team + DONE, end - next);
    wake(team, team + DONE);
  }
}

const shareAt = (team: usize, share: i32): usize => team + SHARES + <usize>share * TeamLayout.BytesPerThread;

/** Returns once all tiles before number `tiles` are done; false if there is no progress. */
function awaitDone(team: usize, tiles: i32): bool {
  for (let done = atomic.load<i32>(team + DONE); done < tiles; done = atomic.load<i32>(team + DONE)) {
    if (!awaitChange(team, team + DONE, done)) return false;
  }
  return true;
}

/** Returns when the word at `address` is no longer `value`, or somewhat earlier; false on timeout. */
function awaitChange(team: usize, address: usize, value: i32): bool {
  const loads = maySleep ? LOADS_AT_BARRIER : LOADS_OF_PATIENCE;
  for (let i = 0; i < loads; i++) if (atomic.load<i32>(address) != value) return true;
  if (!maySleep) return false;
  atomic.add<i32>(team + WAITING, 1);
  const outcome = atomic.wait<i32>(address, value, PATIENCE);
  atomic.sub<i32>(team + WAITING, 1);
  return outcome != AtomicWaitResult.TIMED_OUT;
}

/** Wakes the threads that wait for a change of the word at `address`. */
function wake(team: usize, address: usize): void {
  if (atomic.load<i32>(team + WAITING) > 0) atomic.notify(address, -1);
}
