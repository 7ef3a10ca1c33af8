import { type Engine, STEP_BYTES } from '../../../../bindings/engine.js';
import { kernelSize } from '../../../../bindings/parameters.js';
import type { Quotient, Tiles } from '../../../../bindings/tiles.js';
import type { Launch } from './launch.js';
import { coefficientsOf, type Form, formThrough, isStill, numberAt } from './multi-affine.js';
import type { Table } from './places.js';
import { type Program, STEP_PARAMS, STEP_TILES } from './program.js';
import type { Revised } from './revise.js';
import type { Lowered } from './stage.js';

/** The 32-bit words of a program that differ from size to size, by their numbers. */
export interface Slopes {
  readonly words: readonly number[];
  /** How much each changes by: its coefficients behind the first. */
  readonly steps: readonly Form[];
  readonly quotients: readonly TileSlope[];
}

/** Tiles of a launch at each place. */
interface TileSlope {
  readonly word: number;
  readonly tiles: TilesOn;
}

type TilesOn = Form | { readonly count: TilesOn; readonly per: number; readonly times: TilesOn };

/** Bytes from the start of a program that are left out: they are written anew. */
export type Span = readonly [begin: number, end: number];

/** The slopes of plans for the corners and the last place, which has these monomials; undefined where they are on no line. */
export function slopesOf(
  { i32 }: Engine,
  made: readonly Revised[],
  last: readonly number[],
  besides: readonly Span[],
): Slopes | undefined {
  const quotients = tileSlopes(made, last);
  if (!quotients) return undefined;
  const programs = made.map(({ stage }) => stage.program);
  const [first] = programs as [Program];
  const own = ownWords(first);
  const skipped = new Set(besides.map(([begin]) => begin));
  for (const { word } of quotients) skipped.add(4 * word);
  const slopes = { words: [] as number[], steps: [] as Form[] };
  const values = programs.map(() => 0);
  for (const [begin, end] of spansWritten(made)) {
    if (skipped.has(begin)) continue;
    for (let word = begin / 4; word < end / 4; word++) {
      let differs = false;
      for (let i = 0; i < programs.length; i++) {
        const { address } = programs[i] as Program;
        values[i] = (i32[address / 4 + word] as number) - (own.has(word) ? address - first.address : 0);
        differs ||= values[i] !== values[0];
      }
      if (!differs) continue;
      const form = coefficientsOf(values.slice(0, -1));
      if ((numberAt(form, last) - (values.at(-1) as number)) % WRAP !== 0) return undefined;
      slopes.words.push(word);
      slopes.steps.push(form.slice(1));
    }
  }
  return { ...slopes, quotients };
}

/** Where programs may differ: in what revisions have written, which lies at the same places in all. */
function spansWritten(made: readonly Revised[]): Span[] {
  const [first] = made as [Revised];
  const launches = new Set(made.flatMap(({ revision }) => [...revision.launches.keys()]));
  const tables = new Map(made.flatMap(({ revision }) => [...revision.tables]));
  const ofLaunches = [...launches].flatMap((i) => spansOfLaunch(first.stage.program, i));
  return [...ofLaunches, ...Array.from(tables.values(), spanOfTable)];
}

/** Addresses above 2 GiB are negative words. */
const WRAP = 2 ** 32;

const WORDS_OF_STEP = STEP_BYTES / 4;

const tileWord = (step: number): number => step * WORDS_OF_STEP + STEP_TILES;

/** The launches whose tiles are told as quotients that change; undefined where they do so by no equal steps. */
function tileSlopes(made: readonly Revised[], last: readonly number[]): TileSlope[] | undefined {
  const slopes: TileSlope[] = [];
  for (const i of made[0]?.revision.launches.keys() ?? []) {
    const all = made.map(({ revision }) => revision.launches.get(i)?.tiles ?? 0);
    if (typeof all[0] === 'number') continue;
    const tiles = tilesThrough(all, last);
    if (!tiles) return undefined;
    if (!isStillAlong(tiles)) slopes.push({ word: tileWord(i), tiles });
  }
  return slopes;
}

function tilesThrough(all: readonly Tiles[], last: readonly number[]): TilesOn | undefined {
  if (all.every((tiles) => typeof tiles === 'number')) return formThrough(all, last);
  if (!all.every((tiles) => typeof tiles === 'object')) return undefined;
  const [{ per }] = all as [Quotient];
  const [count, times] = [all.map((tiles) => tiles.count), all.map((tiles) => tiles.times)].map((each) =>
    tilesThrough(each, last),
  );
  return count && times && all.every((tiles) => tiles.per === per) ? { count, per, times } : undefined;
}

const isStillAlong = (tiles: TilesOn): boolean =>
  'per' in tiles ? isStillAlong(tiles.count) && isStillAlong(tiles.times) : isStill(tiles);

/** As `countOf` has it. */
const countAt = (tiles: TilesOn, place: readonly number[]): number =>
  'per' in tiles
    ? countAt(tiles.times, place) * Math.ceil(countAt(tiles.count, place) / tiles.per)
    : numberAt(tiles, place);

/** What of a program belongs to the launches of one node. */
export function spansOf(program: Program, { firstLaunch, steps, tables }: Lowered): Span[] {
  return [...tables.map(spanOfTable), ...steps.flatMap((_, i) => spansOfLaunch(program, firstLaunch + i))];
}

export const spanOfTable = ({ offset, capacity }: Table): Span => [offset, offset + capacity];

/** Its parameters, and how many tiles it has. */
function spansOfLaunch({ launches, paramsAt }: Program, i: number): Span[] {
  const at = paramsAt[i] as number;
  const tiles = 4 * tileWord(i);
  return [
    [at, at + kernelSize((launches[i] as Launch).kernel)],
    [tiles, tiles + 4],
  ];
}

/** Words that hold addresses inside the program itself. */
function ownWords({ steps, pointers }: Program): Set<number> {
  const ofSteps = Array.from({ length: steps }, (_, step) => step * WORDS_OF_STEP + STEP_PARAMS);
  return new Set([...ofSteps, ...pointers.flatMap(({ own }) => own.map((byte) => byte / 4))]);
}

/** Moves a program from one place to another, of such monomials. */
export function moveProgram(
  { i32 }: Engine,
  { address }: Program,
  { words, steps, quotients }: Slopes,
  from: readonly number[],
  to: readonly number[],
): void {
  const start = address / 4;
  const more = to.slice(1).map((monomial, i) => monomial - (from[i + 1] as number));
  for (let i = 0; i < words.length; i++) {
    const at = start + (words[i] as number);
    i32[at] = (i32[at] as number) + numberAt(steps[i] as Form, more);
  }
  for (const { word, tiles } of quotients) i32[start + word] = countAt(tiles, to);
}
