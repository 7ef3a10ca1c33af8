import { areDecided, fixed } from '../graph/guards.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { elementCount } from '../tensor/tensor-value.js';
import { asChannelsFirst, onChannelsFirst } from './channels-last.js';
import { type ConvAttributes, geometryOf } from './conv-geometry.js';
import { convolveOnHost } from './convolve-on-host.js';
import {
  centered,
  finishedIntegers,
  type IntegerEpilogue,
  integerAttributes,
  integerSignature,
  integerTypes,
  requireIntegerEpilogue,
  resultOf,
  W,
  W_ZERO,
  X,
  X_ZERO,
} from './integer-epilogue.js';
import { convAttributes, type KnownWindow } from './window.js';

/** An integer convolution with known sizes. */
export interface IntegerConvParameters extends IntegerEpilogue {
  readonly batch: number;
  readonly channels: number;
  readonly outChannels: number;
  readonly group: number;
  readonly windows: readonly KnownWindow[];
}

/** finish(X − x_zero convolved with W − w_zero) on [N, spatial…, C], W [M, C / group, kernel…]; sums are int32, modulo 2³². */
export const integerConvolution: Primitive<IntegerConvParameters> = {
  name: 'integer convolution',
  facts: {
    layout: 'channels-last',
    multiplyAdds: (c, { batch, outChannels, windows }) =>
      elementCount([batch, outChannels, ...windows.map(({ out }) => out)]) *
      elementCount((c.dims(W) as readonly number[]).slice(1)),
  },
  reference(c, { group, windows, outChannels, ...epilogue }) {
    const terms = elementCount(c.tensor(W).dims.slice(1));
    const w = centered(c, W, W_ZERO, (at) => Math.floor(at / terms));
    const sums = onChannelsFirst(
      centered(c, X, X_ZERO, () => 0),
      (x) => convolveOnHost({ x, w, bias: undefined, group, windows }),
    );
    return [finishedIntegers(c, Int32Array.from(sums), outChannels, epilogue)];
  },
};

type IntegerConvAttributes = ConvAttributes & IntegerEpilogue;
type KnownGeometry = Pick<IntegerConvParameters, 'batch' | 'channels' | 'outChannels' | 'windows'>;

function parametersOf(c: Inference<IntegerConvAttributes>): IntegerConvParameters | undefined {
  const geometry = geometryOf(c, asChannelsFirst(c.dims(X)), c.dims(W)) as KnownGeometry | undefined;
  const { group, low, high } = c.attributes;
  if (!geometry || !areDecided([geometry.outChannels])) return undefined;
  return { ...geometry, outChannels: fixed(geometry.outChannels), group, low, high };
}

export const integerConvOperator = defineOp({
  domain: 'sardonyx',
  name: 'IntegerConv',
  signature: integerSignature,
  types: integerTypes,
  attributes: { ...convAttributes, ...integerAttributes },
  guarded: true,
  infer(c) {
    const g = geometryOf(c, asChannelsFirst(c.dims(X)), c.dims(W));
    requireIntegerEpilogue(c, 1, g?.outChannels);
    return [tensorType(resultOf(c), g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels])];
  },
  computes: by(integerConvolution, parametersOf),
});
