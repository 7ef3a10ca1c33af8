import type { Place, Pointer } from '../../../../bindings/place.js';
import { formatSizes, type Size } from '../../../graph/sizes.js';
import type { Formula } from '../lowering.js';

/** Memory in the arena; placed once its lifetime is known. */
export interface Buffer extends Place {
  readonly kind: 'buffer';
  readonly bytes: number;
  /** Bytes reserved for it: those it needs, and room to grow before it must be placed again. */
  readonly capacity: number;
  /** First and last launch that touch it. */
  first: number;
  last: number;
  /** Position of the last node that reads a value in it. */
  until: number;
  /** Bytes from the start of the arena; −1 until it is placed. */
  offset: number;
  /** The place in another buffer whose memory it shares. */
  within?: { readonly buffer: Buffer; readonly offset: number };
  /** Present if it is not in the arena, but at an address that each run sets. */
  readonly slot?: Slot;
}

/** Memory outside the arena, at an address that may change with each run. */
export interface Slot {
  readonly number: number;
  /** Rows from one matrix to the next, if they grow. */
  readonly pitch?: number;
}

/** Memory at a fixed address outside the arena: packed weights. */
export interface Fixed extends Place {
  readonly kind: 'fixed';
  readonly address: number;
}

/** Words or bytes that belong to one program and lie beside it. */
export interface Table extends Place {
  readonly kind: 'table';
  readonly words: readonly Pointer[] | ArrayBufferView;
  /** The formula of its words, if they depend on sizes. */
  readonly formula?: Formula | undefined;
  readonly capacity: number;
  /** Index among the tables of the program, and offset in bytes from the start of the program; −1 until laid out. */
  number: number;
  offset: number;
}

/** An offset in bytes into another place: a number, except in a trace. */
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

/** The contents of a table, or a formula for them. */
export type Contents = readonly (Size | Pointer)[] | ArrayBufferView | Formula;

export const isFormula = (contents: Contents): contents is Formula => 'sizes' in contents;

export function inTable(contents: Contents): Pick<Table, 'words' | 'formula'> {
  if (!isFormula(contents)) return { words: contents as Table['words'], formula: undefined };
  const words = contents.make(contents.sizes as number[]);
  if (!words) throw new Error(`no table can be made for the sizes [${formatSizes(contents.sizes)}]`);
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

/** The buffer that holds `place`, if any: `rootOf` without an allocation. */
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

/** The buffer that holds `place`, if any, and the offset in it. */
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
