import { floatAttribute, intAttribute, intsAttribute } from '../../../graph/attributes.js';
import type { Attributes, Value } from '../../../graph/graph.js';
import { isKnown } from '../../../graph/sizes.js';
import { type ConvTransposeAttributes, transposedGeometry } from '../../../primitives/conv-transpose-geometry.js';
import type { Inference } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount, integers } from '../../../tensor/tensor-value.js';
import { castTo, emitOne, listOf } from '../../emit.js';
import {
  arithmetic,
  type Backward,
  type BackwardRule,
  type BackwardRules,
  rankOf,
  type Spelling,
  type Spellings,
  shapeOf,
  upstreamOf,
} from './backward.js';

/** Sums over all axes except the channels. */
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

/** The pads that an output shape implies. */
function explicitPads(c: Backward): Attributes {
  const windows = transposedGeometry(c as unknown as Inference<ConvTransposeAttributes>, c.dims(0))?.windows;
  const pads = windows ? [...windows.map((w) => w.padBefore), ...windows.map((w) => w.padAfter)] : undefined;
  if (!isKnown(pads)) return c.fail('INVALID_SHAPE', 'its sizes must be known for the derivative');
  return { pads: intsAttribute(pads), auto_pad: { type: 'string', value: 'NOTSET' } };
}

/** A transposed convolution is the gradient of the convolution in the other direction. */
function convTranspose(c: Backward): (Value | null)[] {
  const g = upstreamOf(c);
  const { output_padding, output_shape, ...rest } = c.node.attributes;
  const attributes = output_shape ? { ...rest, ...explicitPads(c) } : rest;
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

/** The gradient of the columns: a convolution of the image with one-hot blocks. */
function col2Im(c: Backward): (Value | null)[] {
  const block = c.contents(2);
  if (!block) return c.fail('INVALID_VALUE', 'the block must be known for the derivative');
  const kernel = integers(block);
  const size = elementCount(kernel);
  const hot = Float64Array.from({ length: size * size }, (_, i) => Number(i % (size + 1) === 0));
  const weights = c.constant(tensorOf(c.element(0), [size, 1, ...kernel], hot));
  const planes = emitOne(c, 'Concat', [listOf(c, [-1, 1]), c.input(1)], { axis: intAttribute(0) });
  const image = emitOne(c, 'Reshape', [upstreamOf(c), planes]);
  const columns = emitOne(c, 'Conv', [image, weights], c.node.attributes);
  return [emitOne(c, 'Reshape', [columns, shapeOf(c, c.input(0))]), null, null];
}

const reduceSpatial =
  (reduction: string): Spelling =>
  (c) => {
    const rank = c.dims(0)?.length;
    return rank === undefined
      ? undefined
      : c.emit(reduction, [
          c.input(0),
          listOf(
            c,
            Array.from({ length: rank - 2 }, (_, i) => i + 2),
          ),
        ]);
  };

export const windowSpellings: Spellings = { GlobalMaxPool: reduceSpatial('ReduceMax') };

/** Gradients of operators with windows over [N, C, spatial…]. */
export const windows: BackwardRules = {
  AveragePool: pooled('AveragePool'),
  Col2Im: col2Im,
  Conv: conv,
  ConvTranspose: convTranspose,
  GlobalAveragePool: averaged,
  LpPool: (c) => {
    const order = { p: floatAttribute(c.attributes.p as number) };
    return [emitOne(c, 'sardonyx:LpPoolGradient', [upstreamOf(c), c.input(0)], { ...c.node.attributes, ...order })];
  },
  MaxPool: pooled('MaxPool'),
};
