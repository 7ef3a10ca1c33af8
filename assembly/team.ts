import { runProgram, Step } from './program';

/**
 * What the threads of one linear memory share during a run: all zero at first, aligned to 64. Tiles of all steps are
 * numbered through the program; a thread claims the next few, and before the tiles behind a barrier waits until all before it
 * are done. So a thread that is late, or never comes, holds up no one: who is there does the work.
 */
@unmanaged
class Team {
  /** Number of the current run; −1 sends the threads home. They sleep on this word. */
  run: i32 = 0;
  asleep: i32 = 0;
  program: u32 = 0;
  begin: i32 = 0;
  end: i32 = 0;
  /** Threads that may come, the caller's included. */
  threads: i32 = 0;
}

/** Words that threads write at the same time lie on cache lines of their own. */
const GATE: usize = 64;
const NEXT: usize = 128;
const DONE: usize = 192;
const WAITING: usize = 256;
export enum TeamLayout {
  Bytes = 320,
  Threads = 20,
}

/** The gate of a team: whether a run is open, and how many threads are inside beside the caller's. */
const OPEN: i32 = 1 << 16;

/** Loads before a thread goes to sleep: about 20 µs. */
const SPINS: i32 = 8000;

/** A chunk is what remains, shared by the threads, over this: chunks shrink towards the end of a step. */
const SHARES: i32 = 4;

/** Tiles, of some ten microseconds each, that others could do: below this, waking them takes longer. */
const WORTH_WAKING: i32 = 4;

/** A browser's main thread must not sleep. */
let maySleep: bool = true;

export function setMaySleep(may: bool): void {
  maySleep = may;
}

/** Runs steps `begin…end` of the program together with the threads that serve the team. */
export function runTogether(team: usize, program: usize, begin: i32, end: i32): void {
  if (!ASC_FEATURE_THREADS || !isWorthSharing(program, begin, end)) return runProgram(program, begin, end);
  const shared = changetype<Team>(team);
  shared.program = <u32>program;
  shared.begin = begin;
  shared.end = end;
  atomic.store<i32>(team + NEXT, 0);
  atomic.store<i32>(team + DONE, 0);
  atomic.store<i32>(team + GATE, OPEN);
  atomic.add<i32>(team, 1);
  if (atomic.load<i32>(team, offsetof<Team>('asleep')) > 0) atomic.notify(team, -1);
  awaitDone(team, work(team));
  atomic.sub<i32>(team + GATE, OPEN);
  for (let inside = atomic.load<i32>(team + GATE); inside != 0; inside = atomic.load<i32>(team + GATE)) {
    awaitChange(team, team + GATE, inside);
  }
}

/** Works in the team's runs, asleep between them, until the team is dismissed. */
export function serveTeam(team: usize): void {
  if (!ASC_FEATURE_THREADS) return;
  let last: i32 = 0;
  for (;;) {
    const run = nextRun(team, last);
    if (run == -1) return;
    last = run;
    if (!enter(team)) continue;
    work(team);
    atomic.sub<i32>(team + GATE, 1);
    wake(team, team + GATE);
  }
}

export function dismissTeam(team: usize): void {
  if (!ASC_FEATURE_THREADS) return;
  atomic.store<i32>(team, -1);
  atomic.notify(team, -1);
}

/** The number of the run after `last`, once it is there. */
function nextRun(team: usize, last: i32): i32 {
  for (let i = 0; i < SPINS; i++) {
    const run = atomic.load<i32>(team);
    if (run != last) return run;
  }
  atomic.add<i32>(team, 1, offsetof<Team>('asleep'));
  while (atomic.load<i32>(team) == last) atomic.wait<i32>(team, last, -1);
  atomic.sub<i32>(team, 1, offsetof<Team>('asleep'));
  return atomic.load<i32>(team);
}

/** Joins the run that is open; false if it has ended. */
function enter(team: usize): bool {
  let gate = atomic.load<i32>(team + GATE);
  while ((gate & OPEN) != 0) {
    const found = atomic.cmpxchg<i32>(team + GATE, gate, gate + 1);
    if (found == gate) return true;
    gate = found;
  }
  return false;
}

/** Whether there is more to share than it takes to wake the others. */
function isWorthSharing(program: usize, begin: i32, end: i32): bool {
  let others = 0;
  for (let i = begin; i < end && others < WORTH_WAKING; i++) {
    others += max(changetype<Step>(program + <usize>i * offsetof<Step>()).tiles - 1, 0);
  }
  return others >= WORTH_WAKING;
}

/** Does tiles until none are left to claim; gives how many the run has. */
function work(team: usize): i32 {
  const shared = changetype<Team>(team);
  const program = <usize>shared.program;
  const end = shared.end;
  let first: i32 = 0;
  let barrier: i32 = 0;
  for (let index = shared.begin; index < end; index++) {
    const step = changetype<Step>(program + <usize>index * offsetof<Step>());
    const last = first + step.tiles;
    if (step.barrier) barrier = first;
    if (atomic.load<i32>(team + NEXT) < last) {
      // Waiting comes before claiming: in a chain of small steps, the thread that ends one goes on with the next.
      awaitDone(team, barrier);
      workOn(team, step, first, last, shared.threads * SHARES);
    }
    first = last;
  }
  return first;
}

/** Does tiles of one step, numbered `first…last` in the run. */
function workOn(team: usize, step: Step, first: i32, last: i32, shares: i32): void {
  for (let from = atomic.load<i32>(team + NEXT); from < last; from = atomic.load<i32>(team + NEXT)) {
    const to = from + max((last - from) / shares, 1);
    if (atomic.cmpxchg<i32>(team + NEXT, from, to) != from) continue;
    call_indirect<void>(step.kernel, <usize>step.params, from - first, to - first);
    atomic.add<i32>(team + DONE, to - from);
    wake(team, team + DONE);
  }
}

/** Returns once `tiles` tiles are done. */
function awaitDone(team: usize, tiles: i32): void {
  for (let done = atomic.load<i32>(team + DONE); done < tiles; done = atomic.load<i32>(team + DONE)) {
    awaitChange(team, team + DONE, done);
  }
}

/** Returns when the word at `address` is no longer `value`, or somewhat before. */
function awaitChange(team: usize, address: usize, value: i32): void {
  for (let i = 0; i < SPINS; i++) if (atomic.load<i32>(address) != value) return;
  if (!maySleep) return;
  atomic.add<i32>(team + WAITING, 1);
  atomic.wait<i32>(address, value, -1);
  atomic.sub<i32>(team + WAITING, 1);
}

/** Wakes who waits for a change of the word at `address`. */
function wake(team: usize, address: usize): void {
  if (atomic.load<i32>(team + WAITING) > 0) atomic.notify(address, -1);
}
