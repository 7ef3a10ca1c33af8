import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { type Program, STEP_PARAMS, STEP_TILES } from './program.js';
import type { Revised } from './revise.js';
import { countOf, type Quotient } from './tiles.js';

/** The 32-bit words of a program that differ from size to size, by their numbers. */
export interface Slopes {
  readonly words: readonly number[];
  /** How much each changes by with each step. */
  readonly steps: readonly number[];
  readonly quotients: readonly TileSlope[];
  readonly areTilesMoved: boolean;
}

/** Tiles whose count changes by equal steps. */
interface TileSlope {
  readonly word: number;
  readonly first: Quotient;
  readonly step: number;
}

/** Bytes from the start of a program that are left out: tables that are written anew. */
export type Span = readonly [begin: number, end: number];

type Three<T> = readonly [T, T, T];

/** The slopes of plans for the first, the second and the last of some sizes, `steps` behind the first; undefined where these are on no line. */
export function slopesOf(
  { i32 }: Engine,
  made: Three<Revised>,
  steps: number,
  besides: readonly Span[],
): Slopes | undefined {
  const quotients = tileSlopes(made, steps);
  if (!quotients) return undefined;
  const [first, second, last] = made.map(({ stage }) => stage.program) as unknown as Three<Program>;
  const own = ownWords(first);
  const skipped = new Set(besides.flatMap(([begin, end]) => wordsIn(begin, end)));
  for (const { word } of quotients) skipped.add(word);
  const slopes = { words: [] as number[], steps: [] as number[] };
  const at = (program: Program, word: number) => i32[program.address / 4 + word] as number;
  for (let word = 0; word < first.bytes / 4; word++) {
    if (skipped.has(word)) continue;
    const moved = (program: Program) => at(program, word) - (own.has(word) ? program.address - first.address : 0);
    const [a, b, c] = [moved(first), moved(second), moved(last)];
    const slope = (b - a) | 0;
    if (((c - a) | 0) !== Math.imul(slope, steps)) return undefined;
    if (slope === 0) continue;
    slopes.words.push(word);
    slopes.steps.push(slope);
  }
  const areTilesMoved = quotients.length > 0 || slopes.words.some((word) => isOfTiles(word, first));
  return { ...slopes, quotients, areTilesMoved };
}

const WORDS_OF_STEP = STEP_BYTES / 4;

const tileWord = (step: number): number => step * WORDS_OF_STEP + STEP_TILES;

const isOfTiles = (word: number, { steps }: Program): boolean =>
  word < steps * WORDS_OF_STEP && word % WORDS_OF_STEP === STEP_TILES;

/** The launches whose tiles are told as quotients that change; undefined where more than their counts do. */
function tileSlopes(made: Three<Revised>, steps: number): TileSlope[] | undefined {
  const slopes: TileSlope[] = [];
  const [first, second, last] = made.map(({ revision }) => revision.launches);
  for (const [i, { tiles: a }] of first ?? []) {
    const [b, c] = [second?.get(i)?.tiles, last?.get(i)?.tiles];
    if (typeof a !== 'object' || typeof b !== 'object' || typeof c !== 'object') continue;
    if ([b, c].some(({ per, times }) => per !== a.per || times !== a.times)) return undefined;
    const step = b.count - a.count;
    if (c.count !== a.count + step * steps) return undefined;
    if (step !== 0) slopes.push({ word: tileWord(i), first: a, step });
  }
  return slopes;
}

const wordsIn = (begin: number, end: number): number[] =>
  Array.from({ length: Math.ceil((end - begin) / 4) }, (_, i) => begin / 4 + i);

/** Words that hold addresses inside the program itself. */
function ownWords({ steps, pointers }: Program): Set<number> {
  const ofSteps = Array.from({ length: steps }, (_, step) => step * WORDS_OF_STEP + STEP_PARAMS);
  return new Set([...ofSteps, ...pointers.flatMap(({ own }) => own.map((byte) => byte / 4))]);
}

/** Moves a program from so many steps behind the first size to so many. */
export function moveProgram({ i32 }: Engine, { address }: Program, slopes: Slopes, from: number, to: number): void {
  const { words, steps, quotients } = slopes;
  const start = address / 4;
  for (let i = 0; i < words.length; i++) {
    const at = start + (words[i] as number);
    i32[at] = (i32[at] as number) + Math.imul(steps[i] as number, to - from);
  }
  for (const { word, first, step } of quotients)
    i32[start + word] = countOf({ ...first, count: first.count + step * to });
}
