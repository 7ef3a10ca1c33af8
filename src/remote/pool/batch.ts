import { SardonyxError } from '../../base/errors.js';
import type { ValueMetadata } from '../../graph/metadata.js';
import type { Feeds } from '../../session/feeds.js';
import type { Results } from '../../session/inference-session.js';
import { dataLength, ELEMENTS, type ElementType, type TypedArray } from '../../tensor/element-types.js';
import { Tensor } from '../../tensor/tensor.js';
import { elementCount, type HostValue, isTensorValue, type TensorValue } from '../../tensor/tensor-value.js';
import { bytesOf, type Copy, copyAll, oneAfterAnother } from '../worker/in-pieces.js';

/** Rows `begin…end` of a batch. */
export interface Part {
  readonly begin: number;
  readonly end: number;
}

const fail = (name: string, complaint: string) => new SardonyxError('INVALID_SHAPE', complaint, { value: name });

/** The size of the batch: the first dimension of all feeds that are split. */
export function batchSize(feeds: Feeds, whole: readonly string[]): number {
  const sizes = Object.entries(feeds ?? {}).flatMap(([name, feed]) =>
    isSplit(name, feed, whole) ? [{ name, rows: feed.dims[0] as number }] : [],
  );
  const [first] = sizes;
  if (!first) throw new SardonyxError('INVALID_ARGUMENT', 'none of the feeds has a batch axis to split');
  const other = sizes.find(({ rows }) => rows !== first.rows);
  if (other)
    throw fail(
      other.name,
      `has ${other.rows} rows, but "${first.name}" has ${first.rows}: list inputs that must not be split in "whole"`,
    );
  return first.rows;
}

const isSplit = (name: string, feed: HostValue, whole: readonly string[]): feed is TensorValue =>
  isTensorValue(feed) && feed.dims.length > 0 && !whole.includes(name);

/** The fixed number of rows per part, if the model has one. */
export function fixedRows(
  metadata: readonly ValueMetadata[],
  feeds: Feeds,
  whole: readonly string[],
): number | undefined {
  const isFed = (name: string) => feeds[name] !== undefined && !whole.includes(name);
  const shapes = metadata.flatMap((input) => (input.isTensor && isFed(input.name) ? [input.shape] : []));
  return shapes.map(([rows]) => rows).find((rows) => typeof rows === 'number');
}

/** Splits rows into parts whose sizes differ by at most one. */
export function evenParts(rows: number, count: number): Part[] {
  const bound = (i: number) => Math.floor((i * rows) / count);
  return Array.from({ length: count }, (_, i) => ({ begin: bound(i), end: bound(i + 1) }));
}

export function feedsOf(feeds: Feeds, part: Part, whole: readonly string[]): Feeds {
  return Object.fromEntries(
    Object.entries(feeds).map(([name, feed]) => [name, isSplit(name, feed, whole) ? rowsOf(name, feed, part) : feed]),
  );
}

function rowsOf(name: string, { type, dims, data }: TensorValue, { begin, end }: Part): TensorValue {
  const [, ...row] = dims;
  const elements = elementCount(row);
  checkWholeBytes(name, type, elements);
  const [from, to] = [begin, end].map((r) => dataLength(type, r * elements)) as [number, number];
  const rows = ArrayBuffer.isView(data) ? (data as TypedArray).subarray(from, to) : data.slice(from, to);
  return { type, dims: [end - begin, ...row], data: rows as TensorValue['data'] };
}

/** Refuses outputs with a fixed first axis if the batch is dynamic, because a match of their sizes would be a coincidence. */
export function checkOpen(metadata: readonly ValueMetadata[], names: readonly string[]): void {
  for (const output of metadata)
    if (output.isTensor && typeof output.shape[0] === 'number' && names.includes(output.name))
      throw fail(output.name, `does not have the batch as its first axis: its shape is [${output.shape}]`);
}

function checkWholeBytes(name: string, type: ElementType, elements: number): void {
  if (((elements * ELEMENTS[type]?.bits) % 8 || 0) === 0) return;
  throw new SardonyxError('INVALID_TYPE', `rows of ${elements} ${type} elements do not begin at byte boundaries`, {
    value: name,
  });
}

/** Joins the outputs of the parts along the first axis. */
export async function joined(results: readonly Results[], parts: readonly Part[]): Promise<Results> {
  const names = Object.keys(results[0] as Results);
  const copies: Copy[] = [];
  const outputs = names.map((name) => {
    const pieces = results.map((result) => result[name] as HostValue);
    return [name, join(name, pieces, parts, copies)];
  });
  await copyAll(copies);
  return Object.fromEntries(outputs);
}

/** Joins an output; adds remaining copies to `copies`. */
function join(name: string, pieces: readonly HostValue[], parts: readonly Part[], copies: Copy[]): HostValue {
  for (const [i, piece] of pieces.entries()) checkRows(name, piece, parts[i] as Part);
  const [first] = pieces;
  if (pieces.length === 1) return first as HostValue;
  if (!isTensorValue(first)) return pieces.flat() as HostValue;
  const tensors = pieces as readonly TensorValue[];
  const [, ...row] = first.dims;
  const other = tensors.find(({ type, dims }) => type !== first.type || String(dims.slice(1)) !== String(row));
  if (other) throw fail(name, `is [${first.dims}] for one part of the batch and [${other.dims}] for another`);
  checkWholeBytes(name, first.type, elementCount(row));
  const rows = tensors.reduce((sum, { dims }) => sum + (dims[0] as number), 0);
  return new Tensor(first.type, concatenated(tensors, copies), [rows, ...row]);
}

function checkRows(name: string, piece: HostValue, { begin, end }: Part): void {
  const rows = isTensorValue(piece) ? piece.dims[0] : Array.isArray(piece) ? piece.length : undefined;
  if (rows === end - begin) return;
  const is = isTensorValue(piece) ? `[${piece.dims}]` : `${rows ?? 'no'} elements`;
  throw fail(name, `does not have the batch as its first axis: it is ${is} for ${end - begin} rows`);
}

function concatenated(tensors: readonly TensorValue[], copies: Copy[]): TypedArray | readonly string[] {
  const arrays = tensors.map(({ data }) => data);
  const [first] = arrays;
  if (!ArrayBuffer.isView(first)) return (arrays as readonly (readonly string[])[]).flat();
  const length = arrays.reduce((sum, array) => sum + array.length, 0);
  const all = new (first.constructor as new (length: number) => TypedArray)(length);
  copies.push(...oneAfterAnother((arrays as readonly TypedArray[]).map(bytesOf), bytesOf(all)));
  return all;
}
