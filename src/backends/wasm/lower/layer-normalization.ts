import type { Pointer } from '../../../../bindings/place.js';
import { viewAbout } from '../../../graph/dims.js';
import { isSame } from '../../../graph/guards.js';
import { ceilDivide, multiply } from '../../../graph/sizes.js';
import { layerNorm } from '../../../primitives/layer-norm.js';
import type { RowNormParameters } from '../../../primitives/normalize-rows.js';
import { rmsNorm } from '../../../primitives/rms-norm.js';
import { type Lowering, type Lowerings, lowers } from '../lowering.js';
import { itemsOfTile } from './grain.js';

/** Positions of the node's inputs and outputs that the kernel's pointers refer to. */
interface Positions {
  readonly scale: number;
  readonly bias?: number;
  readonly mean?: number;
  readonly inverseStd?: number;
}

function lowerNorm(
  c: Lowering,
  { axis, epsilon }: RowNormParameters,
  kernel: 'layerNorm' | 'rmsNorm',
  at: Positions,
): 'host' | undefined {
  const isFloat32 = (i: number) => !c.wanted(i) || c.outputElement(i) === 'float32';
  if (c.element(0) !== 'float32' || ![0, at.mean, at.inverseStd].every((i) => i === undefined || isFloat32(i)))
    return 'host';
  const dims = c.shape(0);
  const { outer: rows, length } = viewAbout(dims, axis, dims.length - axis);
  if (isSame(multiply(rows, length), 0)) return;
  const input = (i: number | undefined): Pointer => (i !== undefined && c.given(i) ? c.input(i) : 0);
  const output = (i: number | undefined) => (i !== undefined && c.wanted(i) ? [c.output(i)] : []);
  const y = c.wanted(0) ? c.output(0) : c.temporary(multiply(multiply(rows, length), 4));
  const [mean, inverseStd] = [output(at.mean), output(at.inverseStd)];
  const grain = itemsOfTile(multiply(length, 8));
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
    epsilon,
    grain,
  };
  c.launch(kernel, params, ceilDivide(rows, grain), {
    writes: [y, ...mean, ...inverseStd],
    inPlace: [[y, c.input(0)]],
  });
}

const LAYER = { scale: 1, bias: 2, mean: 1, inverseStd: 2 };
const RMS = { scale: 1, inverseStd: 1 };

export const normalizations: Lowerings = {
  ...lowers(layerNorm, (c, parameters) => lowerNorm(c, parameters, 'layerNorm', LAYER)),
  ...lowers(rmsNorm, (c, parameters) => lowerNorm(c, parameters, 'rmsNorm', RMS)),
};
