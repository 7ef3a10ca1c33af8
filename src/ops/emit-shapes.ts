import { intAttribute } from '../graph/attributes.js';
import type { Value } from '../graph/graph.js';
import type { Decomposition } from '../schema/definition.js';
import { arithmeticOn, castTo, emitOne, listOf, scalarOf } from './emit.js';

type Context = Decomposition<unknown>;

/** The sizes of the axes of x from `start` to `end`, as an int64 list. */
export const sizesAlong = (c: Context, x: Value, start: number, end: number): Value =>
  emitOne(c, 'Shape', [x], { start: intAttribute(start), end: intAttribute(end) });

/** The size of axis `axis` of x, as int64. */
export const sizeAlong = (c: Context, x: Value, axis: number): Value =>
  emitOne(c, 'Squeeze', [sizesAlong(c, x, axis, axis + 1)]);

/** 0, 1, 2 … along `axis` of x. */
export const placesAlong = (c: Context, x: Value, axis: number): Value =>
  emitOne(c, 'Range', [scalarOf(c, 0), sizeAlong(c, x, axis), scalarOf(c, 1)]);

/** The size of axis `axis` of x, as int32. */
export const int32SizeAlong = (c: Context, x: Value, axis: number): Value => castTo(c, sizeAlong(c, x, axis), 'int32');

/** 0, 1, 2 … along `axis` of x, as int32. */
export const int32PlacesAlong = (c: Context, x: Value, axis: number): Value =>
  arithmeticOn(c, 'int32')('Range', 0, int32SizeAlong(c, x, axis), 1);

/** Reshapes to the sizes of `model`. */
export const reshapeLike = (c: Context, x: Value, model: Value): Value =>
  emitOne(c, 'Reshape', [x, emitOne(c, 'Shape', [model])], { allowzero: intAttribute(1) });

/** Joins lists of sizes to a shape. */
export const shapeOf = (c: Context, ...parts: readonly (Value | number)[]): Value => {
  const lists = parts.map((part) => (typeof part === 'number' ? listOf(c, [part]) : part));
  return emitOne(c, 'Concat', lists, { axis: intAttribute(0) });
};

/** Adds `count` elements, an int64 list of one, after the others along the last of `rank` axes. */
export const paddedBy = (c: Context, x: Value, rank: number, count: Value, fill: Value | null = null): Value => {
  const none = listOf(c, new Array<number>(2 * rank - 1).fill(0));
  return emitOne(c, 'Pad', [x, shapeOf(c, none, count), fill]);
};
