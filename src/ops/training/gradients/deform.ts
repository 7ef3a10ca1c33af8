import { intAttribute } from '../../../graph/attributes.js';
import { coordinatesIn, isKnown } from '../../../graph/dims.js';
import type { Value } from '../../../graph/graph.js';
import { type ConvAttributes, geometryOf } from '../../../primitives/conv-geometry.js';
import type { KnownWindow } from '../../../primitives/window.js';
import type { Decomposition } from '../../../schema/definition.js';
import { tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { permutation } from '../../channels-last.js';
import { arithmeticOn, emitOne, reshapeTo } from '../../emit.js';
import type { Spellings } from './backward.js';

type Context = Decomposition<ConvAttributes & { readonly offset_group: number }>;

/** Every tap of the kernel as samples of the image at its places, moved by their offsets, and a product with the weights. */
function deformConv(c: Context): Value[] | undefined {
  const [x, w] = [c.dims(0), c.dims(1)];
  if (!isKnown(x) || !isKnown(w)) return undefined;
  const windows = geometryOf(c, x, w)?.windows as KnownWindow[];
  const { group, offset_group: parts } = c.attributes;
  const [batch, channels, ...sizes] = x as [number, number, ...number[]];
  const [outChannels, own, ...kernel] = w as [number, number, ...number[]];
  const outs = windows.map(({ out }) => out);
  const [taps, axes] = [elementCount(kernel), sizes.length];
  const f = arithmeticOn(c, c.element(0));

  /** Per tap and pixel, the last axis first: in pixels, then in −1…1. */
  const order = windows.map((_, i) => axes - 1 - i);
  const places = coordinatesIn(kernel).flatMap((within) =>
    coordinatesIn(outs).flatMap((at) =>
      order.map((i) => {
        const { stride, dilation, padBefore } = windows[i] as KnownWindow;
        return (at[i] as number) * stride - padBefore + (within[i] as number) * dilation;
      }),
    ),
  );
  const constant = (dims: readonly number[], values: readonly number[]) =>
    c.constant(tensorOf(c.element(0), dims, values));
  const base = constant([taps, ...outs, axes], places);
  const split = reshapeTo(c, c.input(2), [batch * parts, taps, axes, ...outs]);
  const pixelAxes = outs.map((_, i) => i + 3);
  const turned = emitOne(c, 'Transpose', [split], permutation([0, 1, ...pixelAxes, 2]));
  const flipped = emitOne(c, 'Gather', [turned, c.constant(tensorOf('int64', [axes], order))], {
    axis: intAttribute(-1),
  });
  const lengths = constant(
    [axes],
    order.map((i) => sizes[i] as number),
  );
  const moved = f('Sub', f('Div', f('Add', f('Mul', f('Add', flipped, base), 2), 1), lengths), 1);
  const [rows, ...rest] = outs as [number, ...number[]];
  const grid = reshapeTo(c, moved, [batch * parts, taps * rows, ...rest, axes]);
  const image = reshapeTo(c, c.input(0), [batch * parts, channels / parts, ...sizes]);
  const samples = reshapeTo(c, emitOne(c, 'GridSample', [image, grid]), [
    batch,
    parts,
    channels / parts,
    taps,
    ...outs,
  ]);
  const mask = c.given(4) ? reshapeTo(c, c.input(4), [batch, parts, 1, taps, ...outs]) : null;
  const columns = reshapeTo(c, mask ? f('Mul', samples, mask) : samples, [batch, channels * taps, ...outs]);
  const weights = reshapeTo(c, c.input(1), [outChannels, own * taps, ...kernel.map(() => 1)]);
  const bias = c.given(3) ? c.input(3) : null;
  return c.emit('Conv', [columns, weights, bias], { group: intAttribute(group) });
}

export const deform: Spellings = { DeformConv: deformConv };
