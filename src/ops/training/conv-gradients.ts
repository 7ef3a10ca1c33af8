import { intAttribute, intsAttribute } from '../../graph/attributes.js';
import type { Value } from '../../graph/graph.js';
import { isKnown } from '../../graph/sizes.js';
import type { ConvAttributes } from '../../primitives/conv-geometry.js';
import { convAttributes, type KnownWindow, windowsOf } from '../../primitives/window.js';
import { type Decomposition, defineOp } from '../../schema/definition.js';
import { FLOATS } from '../../schema/element-sets.js';
import { like } from '../../schema/shapes.js';
import { permutation } from '../channels-last.js';
import { arithmeticOn, emitOne, listOf } from '../emit.js';
import { shapeOf, sizesAlong } from '../emit-shapes.js';

/** Windows of the convolution of `x`; undefined if a size is unknown. */
function windows(c: Decomposition<ConvAttributes>, x: number, w: number): KnownWindow[] | undefined {
  const [dims, kernel] = [c.dims(x), c.dims(w)];
  if (!isKnown(dims) || !isKnown(kernel) || !isKnown(c.dims(0))) return undefined;
  return windowsOf(c, dims.slice(2), kernel.slice(2) as number[]) as KnownWindow[];
}

const padsOf = (list: readonly KnownWindow[]) =>
  intsAttribute([...list.map((w) => w.padBefore), ...list.map((w) => w.padAfter)]);

/** Gradient of a convolution with respect to its input; `g` is the gradient of its output. */
export const convInputGradient = defineOp({
  domain: 'sardonyx',
  name: 'ConvInputGradient',
  signature: 'g: T, w: T, x: T -> dx: T',
  types: { T: FLOATS },
  attributes: convAttributes,
  infer: (c) => [like(c, 0, c.dims(2))],
  decompose(c) {
    const list = windows(c, 2, 1);
    if (!list) return undefined;
    const missing = list.map(
      (w) => w.size + w.padBefore + w.padAfter - (w.out - 1) * w.stride - (w.kernel - 1) * w.dilation - 1,
    );
    const attributes = {
      group: intAttribute(c.attributes.group),
      strides: intsAttribute(list.map((w) => w.stride)),
      dilations: intsAttribute(list.map((w) => w.dilation)),
      pads: padsOf(list),
      output_padding: intsAttribute(missing),
    };
    return c.emit('ConvTranspose', [c.input(0), c.input(1)], attributes);
  },
});

const axesFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);

/** Reorders [N, groups·C, spatial…] to [C, groups·N, spatial…]. */
function batchAsChannels(c: Decomposition<ConvAttributes>, x: Value, dims: readonly number[]): Value {
  const { group } = c.attributes;
  const own = (dims[1] as number) / group;
  const [n, spatial] = [sizesAlong(c, x, 0, 1), sizesAlong(c, x, 2, dims.length)];
  const split = emitOne(c, 'Reshape', [x, shapeOf(c, n, group, own, spatial)]);
  const turned = emitOne(c, 'Transpose', [split], permutation([2, 1, 0, ...axesFrom(3, dims.length - 2)]));
  const count = arithmeticOn(c, 'int64')('Mul', n, group);
  return emitOne(c, 'Reshape', [turned, shapeOf(c, own, count, spatial)]);
}

/** Gradient of a convolution with respect to its weights: x convolved with `g`, with stride and dilation exchanged. */
export const convWeightGradient = defineOp({
  domain: 'sardonyx',
  name: 'ConvWeightGradient',
  signature: 'g: T, x: T, w: T -> dw: T',
  types: { T: FLOATS },
  attributes: convAttributes,
  infer: (c) => [like(c, 0, c.dims(2))],
  decompose(c) {
    const list = windows(c, 1, 2);
    if (!list) return undefined;
    const swap = permutation([1, 0, ...axesFrom(2, list.length)]);
    const x = batchAsChannels(c, c.input(1), c.dims(1) as number[]);
    const g = emitOne(c, 'Transpose', [c.input(0)], swap);
    const attributes = {
      group: intAttribute(c.attributes.group),
      strides: intsAttribute(list.map((w) => w.dilation)),
      dilations: intsAttribute(list.map((w) => w.stride)),
      pads: padsOf(list),
    };
    const whole = emitOne(c, 'Conv', [x, g], attributes);
    const taken = [list.map(() => 0), list.map((w) => w.kernel), axesFrom(2, list.length)].map((values) =>
      listOf(c, values),
    );
    return c.emit('Transpose', [emitOne(c, 'Slice', [whole, ...taken])], swap);
  },
});
