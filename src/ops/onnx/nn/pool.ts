import { intAttribute } from '../../../graph/attributes.js';
import { type Dim, tensorType } from '../../../graph/types.js';
import { type AttributeSpecs, float, int } from '../../../schema/attributes.js';
import {
  type AnyOperator,
  type Decomposition,
  defineOp,
  type Evaluation,
  type Inference,
} from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import type { ElementType } from '../../../tensor/element-types.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';
import { type Fold, maximaOf, poolOnHost } from './pool-on-host.js';
import { hasWindowKernel, type KnownWindow, poolAttributes, type WindowAttributes, windowsOf } from './window.js';

export interface PoolAttributes extends WindowAttributes {
  readonly kernel_shape: readonly number[];
  readonly count_include_pad?: number;
  readonly p?: number;
  readonly storage_order?: number;
}

function spatialOut(c: Inference<PoolAttributes>, spatial: readonly Dim[]): Dim[] {
  return windowsOf(c, spatial, c.attributes.kernel_shape).map((w) => w.out);
}

interface PoolDeclaration {
  readonly name: string;
  readonly hasIndices?: boolean;
  readonly attributes: AttributeSpecs;
  readonly types?: readonly ElementType[];
  readonly since?: number;
  /** What the host does with one window. */
  fold(attributes: PoolAttributes): Fold;
}

const knownWindows = (c: Inference<PoolAttributes>, dims: readonly number[]) =>
  windowsOf(c, dims.slice(2), c.attributes.kernel_shape) as KnownWindow[];

/** The operator on [N, C, spatial…]; output 1, where there is one, says where the maxima are. */
function pool({ name, hasIndices, types = FLOATS, since = 1, fold, ...own }: PoolDeclaration): AnyOperator {
  return defineOp({
    name,
    since,
    types: { T: types },
    attributes: { ...poolAttributes, ...own.attributes } as typeof poolAttributes,
    signature: hasIndices ? 'X: T -> Y: T, Indices?: int64' : 'X: T -> Y: T',
    infer(c: Inference<PoolAttributes>) {
      const dims = c.dims(0);
      const out = dims && [...dims.slice(0, 2), ...spatialOut(c, dims.slice(2))];
      return [tensorType(c.element(0), out), tensorType('int64', out)];
    },
    decompose(c: Decomposition<PoolAttributes>) {
      const rank = c.attributes.kernel_shape.length + 2;
      const { p = 2 } = c.attributes;
      if (c.wanted(1) || !hasWindowKernel(rank) || !Number.isInteger(p)) return undefined;
      const ordered = c.node.attributes.p ? { ...c.node.attributes, p: intAttribute(p) } : c.node.attributes;
      if (c.element(0) !== 'float32') return throughFloat32(c, [c.element(0)], ordered);
      return throughChannelsLast(c, rank, [], ordered);
    },
    evaluate(c: Evaluation<PoolAttributes>) {
      const x = c.tensor(0);
      const windows = knownWindows(c, x.dims);
      const y = poolOnHost(x, windows, fold(c.attributes));
      return c.wanted(1) ? [y, maximaOf(x, windows, c.attributes.storage_order === 1)] : [y];
    },
  });
}

/** The operator on [N, spatial…, C]. */
const channelsLast = (name: string, own: AttributeSpecs): AnyOperator =>
  defineOp({
    domain: 'sardonyx',
    name,
    types: { T: ['float32'] },
    attributes: { ...poolAttributes, ...own } as typeof poolAttributes,
    signature: 'X: T -> Y: T',
    infer(c: Inference<PoolAttributes>) {
      const dims = c.dims(0);
      return [
        tensorType(c.element(0), dims && [dims[0] as Dim, ...spatialOut(c, dims.slice(1, -1)), dims.at(-1) as Dim]),
      ];
    },
  });

const total = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const maximum = {
  name: 'MaxPool',
  hasIndices: true,
  attributes: { storage_order: int(0) },
  types: [...FLOATS, 'int8', 'uint8'],
  fold: () => (values) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
} as const satisfies PoolDeclaration;

/** MaxPool of [N, C, height, width], windows one or two columns apart. */
const planarMaxPool: AnyOperator = defineOp({
  domain: 'sardonyx',
  name: 'PlanarMaxPool',
  types: { T: ['float32'] },
  attributes: { ...poolAttributes, ...maximum.attributes } as typeof poolAttributes,
  signature: 'X: T -> Y: T',
  infer(c: Inference<PoolAttributes>) {
    const dims = c.dims(0);
    return [tensorType(c.element(0), dims && [...dims.slice(0, 2), ...spatialOut(c, dims.slice(2))])];
  },
});

/** https://onnx.ai/onnx/operators/onnx__MaxPool.html */
export const maxPool = [pool(maximum), channelsLast('MaxPool', maximum.attributes), planarMaxPool];

const average = {
  name: 'AveragePool',
  attributes: { count_include_pad: int(0) },
  fold: (attributes) => (values, places) => total(values) / (attributes.count_include_pad ? places : values.length),
} as const satisfies PoolDeclaration;

/** https://onnx.ai/onnx/operators/onnx__AveragePool.html */
export const averagePool = [pool(average), channelsLast('AveragePool', average.attributes)];

const norm = {
  name: 'LpPool',
  attributes: { p: int(2) },
  since: 2,
  fold:
    ({ p = 2 }) =>
    (values) =>
      total(values.map((x) => Math.abs(x) ** p)) ** (1 / p),
} as const satisfies PoolDeclaration;

/** https://onnx.ai/onnx/operators/onnx__LpPool.html; at first the order was a float. */
export const lpPool = [
  pool(norm),
  pool({ ...norm, since: 1, attributes: { p: float(2) } }),
  channelsLast('LpPool', norm.attributes),
];
