import type { Formula } from '../lowering.js';
import { type Form, formsThrough, numberAt } from './multi-affine.js';
import { bytesIn, type Table } from './places.js';
import type { Revised } from './revise.js';
import type { Lowered } from './stage.js';

/** A table that is made anew at each place, of numbers that change by equal steps. */
export interface Formed {
  readonly table: Table;
  readonly numbers: readonly Form[];
  readonly make: Formula['make'];
}

/** The tables of a node that have formulas, of plans for the corners and the last place; undefined where their numbers are on no line. */
export function formedThrough(
  { tables }: Lowered,
  made: readonly Revised[],
  last: readonly number[],
): readonly Formed[] | undefined {
  const formed: Formed[] = [];
  for (const table of tables) {
    const formulas = made.map(({ revision }) => revision.tables.get(table.number)?.formula);
    const known = formulas.filter((formula) => formula !== undefined);
    const [first] = known;
    if (!first) continue;
    const numbers =
      known.length === made.length &&
      formsThrough(
        known.map((each) => each.numbers),
        last,
      );
    if (!numbers) return undefined;
    formed.push({ table, numbers, make: first.make });
  }
  return formed;
}

/** Their words at a place of such monomials; undefined where one cannot be made, or has no room. */
export function formedAt(formed: readonly Formed[], place: readonly number[]): Table['words'][] | undefined {
  const all: Table['words'][] = [];
  for (const { table, numbers, make } of formed) {
    const words = make(numbers.map((form) => numberAt(form, place)));
    if (!words || bytesIn(words) > table.capacity) return undefined;
    all.push(words);
  }
  return all;
}
