import { intAttribute } from '../../../graph/attributes.js';
import { coordinatesIn } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { isKnown } from '../../../graph/sizes.js';
import { type ConvAttributes, geometryOf } from '../../../primitives/conv-geometry.js';
import type { KnownWindow } from '../../../primitives/window.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, emitOne, reshapeTo } from '../../emit.js';
import type { Spellings } from './backward.js';

type Context = Decomposition<ConvAttributes & { readonly offset_group: number }>;

/** Sizes of a deformable convolution, all known. */
interface Sizes {
  readonly batch: number;
  readonly channels: number;
  readonly image: readonly number[];
  readonly kernel: readonly number[];
  readonly outs: readonly number[];
  readonly taps: number;
  readonly windows: readonly KnownWindow[];
}

function sizesOf(c: Context): Sizes | undefined {
  const [x, w] = [c.dims(0), c.dims(1)];
  if (!isKnown(x) || !isKnown(w)) return undefined;
  const windows = geometryOf(c, x, w)?.windows as KnownWindow[];
  const [batch, channels, ...image] = x as [number, number, ...number[]];
  const kernel = w.slice(2);
  return { batch, channels, image, kernel, outs: windows.map(({ out }) => out), taps: elementCount(kernel), windows };
}

/** Positions that each tap of each output reads without offsets, in pixels, by the axes in `order`. */
const placesOf = ({ kernel, outs, windows }: Sizes, order: readonly number[]): number[] =>
  coordinatesIn(kernel).flatMap((within) =>
    coordinatesIn(outs).flatMap((at) =>
      order.map((i) => {
        const { stride, dilation, padBefore } = windows[i] as KnownWindow;
        return (at[i] as number) * stride - padBefore + (within[i] as number) * dilation;
      }),
    ),
  );

/** These positions plus offsets, in −1…1 and with the last axis first, as GridSample takes them: [batch · parts, taps · rows, …, axes]. */
function gridOf(c: Context, sizes: Sizes): Value {
  const { batch, image, outs, taps } = sizes;
  const [axes, parts] = [image.length, c.attributes.offset_group];
  const f = arithmeticOn(c, c.element(0));
  const constant = (dims: readonly number[], values: readonly number[]) =>
    c.constant(tensorOf(c.element(0), dims, values));
  const order = image.map((_, i) => axes - 1 - i);
  const base = constant([taps, ...outs, axes], placesOf(sizes, order));
  const split = reshapeTo(c, c.input(2), [batch * parts, taps, axes, ...outs]);
  const turned = emitOne(c, 'Transpose', [split], permutation([0, 1, ...outs.map((_, i) => i + 3), 2]));
  const axis = { axis: intAttribute(-1) };
  const flipped = emitOne(c, 'Gather', [turned, c.constant(tensorOf('int64', [axes], order))], axis);
  const lengths = constant([axes], image.toReversed());
  const moved = f('Sub', f('Div', f('Add', f('Mul', f('Add', flipped, base), 2), 1), lengths), 1);
  const [rows, ...rest] = outs as [number, ...number[]];
  return reshapeTo(c, moved, [batch * parts, taps * rows, ...rest, axes]);
}

/** Samples the image at the positions of every tap, plus offsets, and multiplies by the weights. */
function deformConv(c: Context): Value[] | undefined {
  const sizes = sizesOf(c);
  if (!sizes) return undefined;
  const { batch, channels, image, kernel, outs, taps } = sizes;
  const { group, offset_group: parts } = c.attributes;
  const [outChannels, own] = c.dims(1) as [number, number];
  const grid = gridOf(c, sizes);
  const pictures = reshapeTo(c, c.input(0), [batch * parts, channels / parts, ...image]);
  const sampled = emitOne(c, 'GridSample', [pictures, grid]);
  const samples = reshapeTo(c, sampled, [batch, parts, channels / parts, taps, ...outs]);
  const mask = c.given(4) ? reshapeTo(c, c.input(4), [batch, parts, 1, taps, ...outs]) : null;
  const masked = mask ? arithmeticOn(c, c.element(0))('Mul', samples, mask) : samples;
  const columns = reshapeTo(c, masked, [batch, channels * taps, ...outs]);
  const weights = reshapeTo(c, c.input(1), [outChannels, own * taps, ...kernel.map(() => 1)]);
  const bias = c.given(3) ? c.input(3) : null;
  return c.emit('Conv', [columns, weights, bias], { group: intAttribute(group) });
}

export const deform: Spellings = { DeformConv: deformConv };
