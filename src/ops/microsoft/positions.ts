import { intAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import type { Decomposition } from '../../schema/definition.js';
import { emitOne, scalarOf } from '../emit.js';

type Context = Decomposition<unknown>;

/** The size of axis `axis` of x, as int64. */
export const sizeAlong = (c: Context, x: Value, axis: number): Value =>
  emitOne(c, 'Squeeze', [emitOne(c, 'Shape', [x], { start: intAttribute(axis), end: intAttribute(axis + 1) })]);

/** 0, 1, 2 … along `axis` of x. */
export const placesAlong = (c: Context, x: Value, axis: number): Value =>
  emitOne(c, 'Range', [scalarOf(c, 0), sizeAlong(c, x, axis), scalarOf(c, 1)]);
