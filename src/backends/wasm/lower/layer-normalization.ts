import type { Pointer } from '../../../../bindings/place.js';
import { type NormAttributes, rowsOf, stashElement } from '../../../ops/onnx/nn/layer-normalization.js';
import type { Lower, Lowering, Lowerings } from '../lowering.js';
import { grainOf } from './grain.js';

/** Which inputs and outputs of a node the kernel's pointers are. */
interface Positions {
  readonly scale: number;
  readonly bias?: number;
  readonly mean?: number;
  readonly inverseStd?: number;
}

function lowerNorm(c: Lowering<NormAttributes>, kernel: 'layerNorm' | 'rmsNorm', at: Positions): 'host' | undefined {
  const hasStatistics = [at.mean, at.inverseStd].some((i) => i !== undefined && c.wanted(i));
  if (c.element(0) !== 'float32' || (hasStatistics && stashElement(c) !== 'float32')) return 'host';
  const { rows, length } = rowsOf(c, c.shape(0));
  if (rows * length === 0) return;
  const input = (i: number | undefined): Pointer => (i !== undefined && c.given(i) ? c.input(i) : 0);
  const output = (i: number | undefined) => (i !== undefined && c.wanted(i) ? [c.output(i)] : []);
  const y = c.wanted(0) ? c.output(0) : c.temporary(4 * rows * length);
  const [mean, inverseStd] = [output(at.mean), output(at.inverseStd)];
  const grain = grainOf(rows, 8 * length);
  const params = {
    x: c.input(0),
    residual: 0,
    inputBias: 0,
    scale: input(at.scale),
    bias: input(at.bias),
    y,
    sum: 0,
    mean: mean[0] ?? 0,
    inverseStd: inverseStd[0] ?? 0,
    rows,
    length,
    epsilon: c.attributes.epsilon,
    grain,
  };
  c.launch(kernel, params, Math.ceil(rows / grain), {
    writes: [y, ...mean, ...inverseStd],
    inPlace: [[y, c.input(0)]],
  });
}

const LAYER = { scale: 1, bias: 2, mean: 1, inverseStd: 2 };
const RMS = { scale: 1, inverseStd: 1 };

const layerNorm: Lower<NormAttributes> = (c) => lowerNorm(c, 'layerNorm', LAYER);

/** Scale and result have a type of their own. */
const rmsNorm =
  (at: Positions): Lower<NormAttributes> =>
  (c) =>
    c.element(1) === 'float32' ? lowerNorm(c, 'rmsNorm', at) : 'host';

export const normalizations: Lowerings = {
  LayerNormalization: layerNorm,
  RMSNormalization: rmsNorm({ scale: 1 }),
  SimplifiedLayerNormalization: rmsNorm(RMS),
  'sardonyx:LayerNormalization': layerNorm,
  'sardonyx:RMSNormalization': (c) => lowerNorm(c, 'rmsNorm', RMS),
};
