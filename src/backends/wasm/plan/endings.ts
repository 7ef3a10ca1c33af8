import { type Form, formsThrough, numberAt } from './multi-affine.js';
import type { Revised } from './revise.js';
import { samePlace } from './revision.js';
import type { Guard, Resident, Source, Stage } from './stage.js';

/** What is read where it lies, whose dims are other ones at each place. */
export interface Ending {
  readonly source: { dims: readonly number[] };
  readonly dims: readonly Form[];
}

/** All of some things that are read at the end, and those of which the dims move on. */
interface Endings<T> {
  readonly all: readonly T[];
  readonly moving: readonly Ending[];
}

/** Gives outputs their dims at a place of such monomials; those of the layers of a network share them. */
export function showSizes(endings: readonly Ending[], place: readonly number[]): void {
  let last: readonly number[] = [];
  for (const { source, dims } of endings) {
    if (dims.length !== last.length || !dims.every((form, d) => last[d] === numberAt(form, place)))
      last = Object.freeze(dims.map((form) => numberAt(form, place)));
    source.dims = last;
  }
}

export const movingOutputs = (
  made: readonly Revised[],
  last: readonly number[],
): Endings<Stage['outputs'][number]> | undefined =>
  endingsOf(
    made.map(({ stage }) => stage.outputs),
    last,
    ({ value }) => made[0]?.revision.changed.has(value) ?? false,
  );

/** Guards say of the sizes of now what is wrong with data. */
export function movingGuards(
  made: readonly Revised[],
  last: readonly number[],
  now: (i: number) => Guard | undefined,
): Endings<Guard> | undefined {
  const found = endingsOf(
    made.map(({ stage }) => stage.guards),
    last,
    () => true,
  );
  const all = found?.all.map(
    (guard, i): Guard => ({
      ...guard,
      complaint: (data) => (now(i) ?? guard).complaint(data),
    }),
  );
  return found && all && { all, moving: found.moving };
}

/** Items with sources of their own where these move on; undefined where one is on no line. */
function endingsOf<T extends { readonly source: Source }>(
  lists: readonly (readonly T[])[],
  last: readonly number[],
  isMoving: (item: T) => boolean,
): Endings<T> | undefined {
  const moving: Ending[] = [];
  const all: T[] = [];
  for (const [i, item] of (lists[0] as readonly T[]).entries()) {
    const sources = lists.map((items) => items[i]?.source);
    const ending = isMoving(item) ? endingThrough(sources, last) : null;
    if (ending === undefined) return undefined;
    if (ending) moving.push(ending);
    all.push(ending ? { ...item, source: ending.source as Resident } : item);
  }
  return { all, moving };
}

/** Sources at the corners and the last place as one that moves; undefined where they lie elsewhere, or on no line. */
function endingThrough(sources: readonly (Source | undefined)[], last: readonly number[]): Ending | undefined {
  if (!sources.every((source): source is Resident => source?.kind === 'memory')) return undefined;
  const [first] = sources as [Resident];
  if (!sources.every(({ place }) => samePlace(first.place, place))) return undefined;
  const dims = formsThrough(
    sources.map((source) => source.dims),
    last,
  );
  return dims && { source: { ...first }, dims };
}
