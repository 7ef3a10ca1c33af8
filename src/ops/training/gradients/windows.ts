import type { Value } from '../../../graph/graph.js';
import { castTo, emitOne, listOf } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  rankOf,
  shapeOf,
  upstreamOf,
} from './backward.js';

/** The sum over everything but the channels. */
function bias(c: Backward, g: Value): Value | null {
  if (!c.given(2)) return null;
  const axes = Array.from({ length: rankOf(c, 1) - 1 }, (_, i) => (i === 0 ? 0 : i + 1));
  return emitOne(c, 'ReduceSum', [g, listOf(c, axes)], { keepdims: { type: 'int', value: 0 } });
}

function conv(c: Backward): (Value | null)[] {
  const g = upstreamOf(c);
  const { attributes } = c.node;
  const [x, w] = [c.input(0), c.input(1)];
  return [
    emitOne(c, 'sardonyx:ConvInputGradient', [g, w, x], attributes),
    emitOne(c, 'sardonyx:ConvWeightGradient', [g, x, w], attributes),
    bias(c, g),
  ];
}

/** A transposed convolution is the derivative of the convolution that goes the other way. */
function convTranspose(c: Backward): (Value | null)[] {
  const g = upstreamOf(c);
  const { output_padding, output_shape, ...attributes } = c.node.attributes;
  if (output_shape) return [];
  const [x, w] = [c.input(0), c.input(1)];
  const weights = emitOne(c, 'sardonyx:ConvWeightGradient', [x, g, w], attributes);
  return [emitOne(c, 'Conv', [g, w], attributes), weights, bias(c, g)];
}

const pooled =
  (name: string): BackwardRule =>
  (c) => [emitOne(c, `sardonyx:${name}Gradient`, [upstreamOf(c), c.input(0)], c.node.attributes)];

const averaged: BackwardRule = (c) => {
  const f = arithmetic(c);
  const counted = (value: Value) => castTo(c, emitOne(c, 'Size', [value]), c.element(0));
  const share = f('Mul', upstreamOf(c), f('Div', counted(c.output(0)), counted(c.input(0))));
  return [emitOne(c, 'Expand', [share, shapeOf(c, c.input(0))])];
};

/** Derivatives of what slides windows over [N, C, spatial…]. */
export const windows: BackwardRules = {
  AveragePool: pooled('AveragePool'),
  Conv: conv,
  ConvTranspose: convTranspose,
  GlobalAveragePool: averaged,
  MaxPool: pooled('MaxPool'),
};
