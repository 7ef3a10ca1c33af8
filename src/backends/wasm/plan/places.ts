import type { Place, Pointer } from '../../../../bindings/place.js';
import { formatSizes, type Size } from '../../../graph/sizes.js';
import type { Formula } from '../lowering.js';

/** Memory in the arena; placed once its lifetime is known. */
export interface Buffer extends Place {
  readonly kind: 'buffer';
  readonly bytes: number;
  /** The bytes that are its own: those it needs, and what it may grow by before it has to be placed anew. */
  readonly capacity: number;
  /** First and last launch that touch it. */
  first: number;
  last: number;
  /** Position of the last node that reads a value in it. */
  until: number;
  /** Bytes from the start of the arena; −1 until it is placed. */
  offset: number;
  /** Where this buffer shares another's memory. */
  within?: { readonly buffer: Buffer; readonly offset: number };
  /** Where it is no part of the arena, but memory that each run says. */
  readonly slot?: Slot;
}

/** Memory outside the arena that may be another in each run. */
export interface Slot {
  readonly number: number;
  /** Rows from one matrix to the next, where these grow. */
  readonly pitch?: number;
}

/** Memory outside the arena that stays where it is: packed weights. */
export interface Fixed extends Place {
  readonly kind: 'fixed';
  readonly address: number;
}

/** Words or bytes that belong to one program and lie beside it. */
export interface Table extends Place {
  readonly kind: 'table';
  readonly words: readonly Pointer[] | ArrayBufferView;
  /** What its words are made of, where that is to be made anew at other sizes. */
  readonly formula?: Formula | undefined;
  readonly capacity: number;
  /** Its number among the tables of the program, and bytes from the start of the program's block; −1 until it is laid out. */
  number: number;
  offset: number;
}

/** Some bytes into another place: a number of them, but where a plan is traced. */
export interface Shifted extends Place {
  readonly kind: 'shifted';
  readonly base: Place;
  readonly bytes: number;
}

export type AnyPlace = Buffer | Fixed | Table | Shifted;

export const NEVER = -1;

export const buffer = (bytes: number, until = NEVER, capacity = bytes): Buffer => ({
  kind: 'buffer',
  bytes,
  capacity,
  first: NEVER,
  last: NEVER,
  until,
  offset: -1,
});

export const fixed = (address: number): Fixed => ({ kind: 'fixed', address });

export const bytesIn = (words: Table['words']): number =>
  ArrayBuffer.isView(words) ? words.byteLength : words.length * 4;

/** What a table holds, or how that is made. */
export type Contents = readonly (Size | Pointer)[] | ArrayBufferView | Formula;

export const isFormula = (contents: Contents): contents is Formula => 'sizes' in contents;

export function inTable(contents: Contents): Pick<Table, 'words' | 'formula'> {
  if (!isFormula(contents)) return { words: contents as Table['words'], formula: undefined };
  const words = contents.make(contents.sizes as number[]);
  if (!words) throw new Error(`no table is made of [${formatSizes(contents.sizes)}]`);
  return { words, formula: contents };
}

export const table = (contents: Pick<Table, 'words' | 'formula'>, capacity = bytesIn(contents.words)): Table => ({
  ...contents,
  kind: 'table',
  capacity,
  number: -1,
  offset: -1,
});

export const shifted = (base: Place, bytes: Size): Place =>
  bytes === 0 ? base : ({ kind: 'shifted', base, bytes } as Shifted);

/** The buffer that holds `place`, if it is in the arena: `rootOf` without an allocation. */
export function bufferOf(place: Pointer): Buffer | undefined {
  let current = place as AnyPlace | number;
  for (;;) {
    if (typeof current === 'number') return undefined;
    if (current.kind === 'shifted') current = current.base as AnyPlace;
    else if (current.kind !== 'buffer') return undefined;
    else if (!current.within) return current;
    else current = current.within.buffer;
  }
}

/** The buffer that holds `place` and how far into it, if it is in the arena. */
export function rootOf(place: Pointer): { buffer: Buffer; offset: number } | undefined {
  let current = place as AnyPlace | number;
  let offset = 0;
  for (;;) {
    if (typeof current === 'number') return undefined;
    if (current.kind === 'shifted') {
      offset += current.bytes;
      current = current.base as AnyPlace;
    } else if (current.kind === 'buffer') {
      if (!current.within) return { buffer: current, offset };
      offset += current.within.offset;
      current = current.within.buffer;
    } else {
      return undefined;
    }
  }
}
