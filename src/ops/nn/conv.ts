import { type Dim, tensorType } from '../../graph/types.js';
import { int, ints } from '../attributes.js';
import { asChannelsFirst, throughChannelsLast } from '../channels-last.js';
import { defineOp, type Inference } from '../definition.js';
import { FLOATS } from '../element-sets.js';
import { epilogueAttributes } from '../epilogue.js';
import { throughFloat32 } from '../through-float32.js';
import { lowerConvolution } from './conv-algorithms.js';
import { convolveOnHost } from './convolve-on-host.js';
import { type AxisWindow, type KnownWindow, type WindowAttributes, windowAttributes, windowsOf } from './window.js';

export interface ConvAttributes extends WindowAttributes {
  readonly group: number;
  readonly kernel_shape: readonly number[] | undefined;
}

export interface ConvGeometry {
  readonly batch: Dim;
  readonly channels: Dim;
  readonly outChannels: number;
  readonly windows: readonly AxisWindow[];
}

const convAttributes = { ...windowAttributes, group: int(1), kernel_shape: ints() };

/** Geometry from the dims of input 0, given as [N, C, spatial…], and the weights; undefined while a rank is unknown. */
function geometryOf(c: Inference<ConvAttributes>, x: readonly Dim[] | undefined): ConvGeometry | undefined {
  const w = c.dims(1);
  if (!x || !w) return undefined;
  if (x.length < 3 || w.length !== x.length) c.fail('INVALID_SHAPE', `convolves [${x}] with weights [${w}]`);
  const [outChannels, groupChannels, ...kernel] = w as readonly number[];
  const { group, kernel_shape } = c.attributes;
  const channels = x[1] as Dim;
  if (typeof channels === 'number' && channels !== (groupChannels as number) * group) {
    c.fail(
      'INVALID_SHAPE',
      `X has ${channels} channels; weights [${w}] in ${group} groups take ${(groupChannels as number) * group}`,
    );
  }
  if ((outChannels as number) % group !== 0)
    c.fail('INVALID_SHAPE', `${outChannels} output channels do not divide into ${group} groups`);
  if (kernel_shape && String(kernel_shape) !== String(kernel)) {
    c.fail('INVALID_ATTRIBUTE', `kernel_shape [${kernel_shape}] is not that of the weights, [${kernel}]`);
  }
  return {
    batch: x[0] as Dim,
    channels,
    outChannels: outChannels as number,
    windows: windowsOf(c, x.slice(2), kernel),
  };
}

/** https://onnx.ai/onnx/operators/onnx__Conv.html */
export const conv = defineOp({
  name: 'Conv',
  signature: 'X: T, W: T, B?: T -> Y: T',
  types: { T: FLOATS },
  attributes: convAttributes,
  infer(c) {
    const g = geometryOf(c, c.dims(0));
    return [tensorType(c.element(0), g && [g.batch, g.outChannels, ...g.windows.map((w) => w.out)])];
  },
  decompose(c) {
    const rank = c.dims(1)?.length ?? c.dims(0)?.length;
    if (rank === undefined) return undefined;
    if (c.element(0) !== 'float32') return throughFloat32(c);
    return throughChannelsLast(c, rank, [c.input(1), c.given(2) ? c.input(2) : null]);
  },
  evaluate(c) {
    const { windows } = geometryOf(c, c.dims(0)) as ConvGeometry;
    const bias = c.given(2) ? c.tensor(2) : undefined;
    const { group } = c.attributes;
    return [convolveOnHost({ x: c.tensor(0), w: c.tensor(1), bias, group, windows: windows as KnownWindow[] })];
  },
});

/**
 * Conv on [N, spatial…, C] with bias, residual (of the result's shape) and activation. Where `exact`, nothing is computed
 * but the products and their sums.
 */
export const fusedConv = defineOp({
  domain: 'sardonyx',
  name: 'Conv',
  signature: 'X: T, W: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...convAttributes, ...epilogueAttributes, exact: int(0) },
  infer(c) {
    const g = geometryOf(c, asChannelsFirst(c.dims(0)));
    return [tensorType(c.element(0), g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels])];
  },
  lower(c): undefined {
    lowerConvolution(c, geometryOf(c, asChannelsFirst(c.dims(0))) as ConvGeometry);
  },
});
