import type { Attributes, Value } from '../graph/graph.js';
import { toChannelsFirst, toChannelsLast } from '../primitives/channels-last.js';
import { permutation } from './channels-last.js';
import { type Emitting, emitOne } from './emit.js';

/** Operands of products and convolutions of 8-bit integers. A result without a scale is int32; one without a zero point is float32. */
export interface IntegerOperands {
  readonly x: Value;
  readonly w: Value;
  readonly xZero: Value | null;
  readonly wZero: Value | null;
  readonly scale?: Value | null;
  readonly bias?: Value | null;
  readonly yZero?: Value | null;
}

const inOrder = ({ x, w, xZero, wZero, scale = null, bias = null, yZero = null }: IntegerOperands) => {
  const all = [x, w, xZero, wZero, scale, bias, yZero];
  return all.slice(0, all.findLastIndex((value) => value !== null) + 1);
};

export const emitIntegerMatMul = (c: Emitting, operands: IntegerOperands, attributes: Attributes = {}): Value =>
  emitOne(c, 'sardonyx:IntegerMatMul', inOrder(operands), { ...attributes });

/** Emits a convolution of [N, C, spatial…]. */
export function emitIntegerConv(c: Emitting, rank: number, operands: IntegerOperands, attributes: Attributes): Value {
  const x = emitOne(c, 'Transpose', [operands.x], permutation(toChannelsLast(rank)));
  const y = emitOne(c, 'sardonyx:IntegerConv', inOrder({ ...operands, x }), { ...attributes });
  return emitOne(c, 'Transpose', [y], permutation(toChannelsFirst(rank)));
}
