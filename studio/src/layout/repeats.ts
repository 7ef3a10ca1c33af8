import { at, nth } from './columns.js';

/** A stretch of a sequence that is repeated several times in a row. */
export interface Repeat {
  readonly begin: number;
  readonly period: number;
  readonly times: number;
}

const LEAST_PERIOD = 4;
const LONGEST_PERIOD = 2000;
/** Number of symbols compared together: matching stretches of this length suggest a period. */
const GRAM = 4;
const CANDIDATES = 12;
/** A shorter period is preferred if it covers this share of what a longer one does. */
const AS_GOOD = 0.9;

/** The repeat that covers most; `cut` returns the cost of dividing the sequence before a place. */
export function bestRepeat(symbols: readonly number[], cut: (place: number) => number): Repeat | undefined {
  let best: Run | undefined;
  for (const period of periods(symbols)) {
    const run = longestRun(symbols, period);
    if (run && (!best || covered(run) * AS_GOOD > covered(best))) best = run;
  }
  return best && turned(best, cut);
}

interface Run {
  readonly begin: number;
  readonly period: number;
  readonly length: number;
}

const times = ({ length, period }: Run): number => Math.floor(length / period);
const covered = (run: Run): number => times(run) * run.period;

/** Distances at which the same symbols often recur, longest first. */
function periods(symbols: readonly number[]): number[] {
  const last = new Map<string, number>();
  const counts = new Map<number, number>();
  for (let i = 0; i + GRAM <= symbols.length; i++) {
    const gram = symbols.slice(i, i + GRAM).join();
    const before = last.get(gram);
    last.set(gram, i);
    if (before === undefined || i - before < LEAST_PERIOD || i - before > LONGEST_PERIOD) continue;
    counts.set(i - before, (counts.get(i - before) ?? 0) + 1);
  }
  const often = [...counts].sort(([a, n], [b, m]) => m - n || a - b).slice(0, CANDIDATES);
  return often.map(([period]) => period).sort((a, b) => b - a);
}

/** The longest run in which symbols repeat at this period, at least twice. */
function longestRun(symbols: readonly number[], period: number): Run | undefined {
  let best: Run | undefined;
  let begin = 0;
  for (let i = 0; i + period <= symbols.length; i++) {
    if (i + period < symbols.length && nth(symbols, i) === nth(symbols, i + period)) continue;
    const run = { begin, period, length: i - begin + period };
    if (times(run) >= 2 && (!best || covered(run) > covered(best)) && !isMonotonous(symbols, run)) best = run;
    begin = i + 1;
  }
  return best;
}

/** Whether a period shorter than LEAST_PERIOD repeats within it. */
function isMonotonous(symbols: readonly number[], { begin, period }: Run): boolean {
  for (let step = 1; step < LEAST_PERIOD; step++) {
    let i = begin;
    while (i + step < begin + period && nth(symbols, i) === nth(symbols, i + step)) i++;
    if (i + step === begin + period) return true;
  }
  return false;
}

/** Moves the start to where dividing costs least, without losing a repetition; one of four or more may be lost. */
function turned({ begin, period, length }: Run, cut: (place: number) => number): Repeat {
  const most = times({ begin, period, length });
  let best = { begin, period, times: most };
  let least = Number.POSITIVE_INFINITY;
  for (let offset = 0; offset < period; offset++) {
    const left = Math.floor((length - offset) / period);
    if (left < most && most < 4) break;
    const cost = cut(begin + offset + period) + (left < most ? 0.5 : 0);
    if (cost >= least) continue;
    least = cost;
    best = { begin: begin + offset, period, times: left };
  }
  return best;
}

/** The number of items before each place that are still read from there on; readers further than `near` are ignored. */
export function cuts(reads: readonly (readonly number[])[], near: number): (place: number) => number {
  const change = new Int32Array(reads.length + 2);
  const lastRead = new Int32Array(reads.length).fill(-1);
  reads.forEach((of, reader) => {
    for (const item of of) if (reader - item <= near) lastRead[item] = Math.max(at(lastRead, item), reader);
  });
  lastRead.forEach((reader, item) => {
    if (reader <= item) return;
    change[item + 1] = at(change, item + 1) + 1;
    change[reader + 1] = at(change, reader + 1) - 1;
  });
  for (let i = 1; i < change.length; i++) change[i] = at(change, i) + at(change, i - 1);
  return (place) => at(change, Math.min(place, reads.length));
}
