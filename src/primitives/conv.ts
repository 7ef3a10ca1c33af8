import { areDecided, fixed } from '../graph/guards.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { elementCount } from '../tensor/tensor-value.js';
import { asChannelsFirst, onChannelsFirst } from './channels-last.js';
import { type ConvAttributes, type ConvGeometry, geometryOf } from './conv-geometry.js';
import { convolveOnHost } from './convolve-on-host.js';
import { type EpilogueAttributes, epilogueAttributes, finished, requireEpilogue } from './epilogue.js';
import { convAttributes, type KnownWindow } from './window.js';

/** A convolution with known sizes. */
export interface ConvParameters extends EpilogueAttributes {
  readonly batch: number;
  readonly channels: number;
  readonly outChannels: number;
  readonly group: number;
  readonly windows: readonly KnownWindow[];
}

/** activate(X convolved with W + bias + residual) on [N, spatial…, C], W [M, C / group, kernel…]. */
export const convolution: Primitive<ConvParameters> = {
  name: 'convolution',
  facts: {
    layout: 'channels-last',
    epilogue: 'full',
    channelStride: (weights) => elementCount(weights.slice(1)),
    multiplyAdds: (c, { batch, outChannels, windows }) =>
      elementCount([batch, outChannels, ...windows.map(({ out }) => out)]) *
      elementCount((c.dims(1) as readonly number[]).slice(1)),
  },
  reference(c, { group, windows, ...epilogue }) {
    const w = c.tensor(1);
    const sums = onChannelsFirst(c.tensor(0), (x) => convolveOnHost({ x, w, bias: undefined, group, windows }));
    return [finished(c, sums, epilogue)];
  },
};

type FusedConvAttributes = ConvAttributes & EpilogueAttributes;

function parametersOf(c: Inference<FusedConvAttributes>): ConvParameters | undefined {
  const geometry = geometryOf(c, asChannelsFirst(c.dims(0)), c.dims(1)) as KnownGeometry | undefined;
  if (!geometry || !areDecided([geometry.outChannels])) return undefined;
  return { ...c.attributes, ...geometry, outChannels: fixed(geometry.outChannels) };
}

type KnownGeometry = ConvGeometry & Pick<ConvParameters, 'batch' | 'channels' | 'outChannels' | 'windows'>;

export const convOperator = defineOp({
  domain: 'sardonyx',
  name: 'Conv',
  signature: 'X: T, W: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...convAttributes, ...epilogueAttributes },
  guarded: true,
  infer(c) {
    const g = geometryOf(c, asChannelsFirst(c.dims(0)), c.dims(1));
    const dims = g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels];
    requireEpilogue(c, g?.outChannels, dims);
    return [tensorType(c.element(0), dims)];
  },
  computes: by(convolution, parametersOf),
});
