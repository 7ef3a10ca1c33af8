import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { elementCount } from '../tensor/tensor-value.js';
import { asChannelsFirst, onChannelsFirst } from './channels-last.js';
import {
  type ConvTransposeAttributes,
  convTransposeAttributes,
  type Geometry,
  transposedGeometry,
} from './conv-transpose-geometry.js';
import { convolveTransposedOnHost } from './convolve-on-host.js';
import { type EpilogueAttributes, epilogueAttributes, finished, requireEpilogue } from './epilogue.js';
import type { KnownWindow } from './window.js';

/** A transposed convolution with known sizes. The windows are those that each element of the result sums over. */
export interface ConvTransposeParameters extends EpilogueAttributes {
  readonly batch: number;
  readonly channels: number;
  readonly outChannels: number;
  readonly group: number;
  readonly windows: readonly KnownWindow[];
}

/** activate(X transposed-convolved with W + bias + residual) on [N, spatial…, C], W [C, M / group, kernel…]. */
export const transposedConvolution: Primitive<ConvTransposeParameters> = {
  name: 'transposedConvolution',
  facts: {
    layout: 'channels-last',
    epilogue: 'full',
    multiplyAdds: (c) =>
      elementCount(c.dims(0) as readonly number[]) * elementCount((c.dims(1) as readonly number[]).slice(1)),
  },
  reference(c, { group, windows, ...epilogue }) {
    const w = c.tensor(1);
    const sums = onChannelsFirst(c.tensor(0), (x) =>
      convolveTransposedOnHost({ x, w, bias: undefined, group, windows }),
    );
    return [finished(c, sums, epilogue)];
  },
};

type FusedAttributes = ConvTransposeAttributes & EpilogueAttributes;

function parametersOf(c: Inference<FusedAttributes>): ConvTransposeParameters | undefined {
  const geometry = transposedGeometry(c, asChannelsFirst(c.dims(0))) as KnownGeometry | undefined;
  return geometry && { ...c.attributes, ...geometry };
}

type KnownGeometry = Geometry & Pick<ConvTransposeParameters, 'batch' | 'windows'>;

export const convTransposeOperator = defineOp({
  domain: 'sardonyx',
  name: 'ConvTranspose',
  signature: 'X: T, W: T, bias?: T, residual?: T -> Y: T',
  types: { T: ['float32'] },
  attributes: { ...convTransposeAttributes, ...epilogueAttributes },
  guarded: true,
  infer(c) {
    const g = transposedGeometry(c, asChannelsFirst(c.dims(0)));
    const dims = g && [g.batch, ...g.windows.map((w) => w.out), g.outChannels];
    requireEpilogue(c, g?.outChannels, dims);
    return [tensorType(c.element(0), dims)];
  },
  computes: by(transposedConvolution, parametersOf),
});
