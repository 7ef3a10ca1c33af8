import { isTensorValue } from '../tensor/tensor-value.js';
import { describeValue, jsonValue } from './describe-value.js';
import type { Io } from './io.js';
import type { NamedValue } from './output-files.js';
import { formatMilliseconds, plural } from './quantities.js';
import { table } from './table.js';
import { isScores, topEntries } from './top-entries.js';

export interface Ran {
  readonly milliseconds: { readonly create: number; readonly run: number };
  readonly threads: number;
  readonly values: readonly NamedValue[];
}

/** How much of each value to show. */
export interface Shape {
  /** Number of elements; undefined for the default of the format. */
  readonly elements: number | undefined;
  /** Largest entries along the last dimension; 0: none. */
  readonly top: number;
  readonly labels: readonly string[] | undefined;
}

const ELEMENTS_ON_A_LINE = 8;

export function timeOf({ milliseconds: { create, run }, threads }: Ran): string {
  return `created in ${formatMilliseconds(create)}, first run in ${formatMilliseconds(run)}, ${plural(threads, 'thread')}`;
}

/** @param left how many further values were written to files */
export function printRun(io: Io, ran: Ran, shape: Shape, left: number): void {
  const { elements = ELEMENTS_ON_A_LINE } = shape;
  const rows = ran.values.map(({ name, value }) => [name, describeValue(value, elements)]);
  io.print(table(['', ''], rows));
  for (const value of ran.values) printTop(io, value, shape);
  if (left > 0) io.print(`${plural(left, 'captured value')} written to files only`);
  io.print(`\n${timeOf(ran)}`);
}

/** Prints all elements as `data`, or the requested number as `first`. */
export function printRunJson(io: Io, { milliseconds, threads, values }: Ran, shape: Shape): void {
  const part = (isCaptured: boolean) =>
    new Map(
      values.filter((value) => value.isCaptured === isCaptured).map((value) => [value.name, jsonOf(value, shape)]),
    );
  const captured = part(true);
  io.printJson({ milliseconds, threads, outputs: part(false), ...(captured.size > 0 && { captured }) });
}

function topOf({ value, isCaptured }: NamedValue, { top, labels }: Shape) {
  const isRanked = top > 0 && !isCaptured && isTensorValue(value) && (!labels || isScores(value, labels));
  return isRanked ? topEntries(value, top, labels) : [];
}

function printTop(io: Io, named: NamedValue, shape: Shape): void {
  for (const [row, entries] of topOf(named, shape).entries()) {
    io.print(`\n${named.name}[${row}]`);
    const lines = entries.map((e) => [String(e.index), e.label ?? '', String(Number(e.value.toPrecision(6)))]);
    io.print(table(['>', '', '>'], lines).replace(/^/gm, '  '));
  }
}

function jsonOf(named: NamedValue, shape: Shape): unknown {
  const { elements = Number.POSITIVE_INFINITY } = shape;
  const json = jsonValue(named.value, Number.isFinite(elements) ? elements : undefined);
  const top = topOf(named, shape);
  return top.length > 0 ? { ...(json as object), top } : json;
}
