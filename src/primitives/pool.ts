import { intsOf } from '../graph/attributes.js';
import type { Attributes } from '../graph/graph.js';
import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { int } from '../schema/attributes.js';
import { type AnyOperator, by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { tensorOf } from '../tensor/numbers.js';
import { onChannelsFirst } from './channels-last.js';
import { type Fold, poolOnHost } from './pool-on-host.js';
import { type KnownWindow, poolAttributes, type WindowAttributes, windowsOf } from './window.js';

export type PoolKind = 'Average' | 'Max' | 'Lp';

/** The function that folds the numbers of a window. */
export interface PoolFold {
  readonly kind: PoolKind;
  /** Whether an average includes padding. */
  readonly countsPadding: boolean;
  /** The order of an Lp norm. */
  readonly order: number;
}

export interface PoolParameters extends PoolFold {
  readonly windows: readonly KnownWindow[];
}

const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

const FOLDS: Readonly<Record<PoolKind, (own: PoolFold) => Fold>> = {
  Average:
    ({ countsPadding }) =>
    (values, places) =>
      sumOf(values) / (countsPadding ? places : values.length),
  Max: () => (values) => values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY),
  Lp:
    ({ order }) =>
    (values) =>
      sumOf(values.map((x) => Math.abs(x) ** order)) ** (1 / order),
};

export const foldOf = (own: PoolFold): Fold => FOLDS[own.kind](own);

/** Folds each window over the spatial axes of [N, spatial…, C] to one number. */
export const pool: Primitive<PoolParameters> = {
  name: 'pool',
  facts: { layout: 'channels-last' },
  reference(c, { windows, ...own }) {
    const { element, dims } = c.result(0);
    return [
      tensorOf(
        element,
        dims,
        onChannelsFirst(c.tensor(0), (x) => poolOnHost(x, windows, foldOf(own))),
      ),
    ];
  },
};

/** Maximum of each window of [N, C, height, width]. */
export const planarMaxPool: Primitive<readonly KnownWindow[]> = {
  name: 'planarMaxPool',
  facts: { layout: 'channels-first' },
  reference: (c, windows) => [
    poolOnHost(c.tensor(0), windows, foldOf({ kind: 'Max', countsPadding: false, order: 2 })),
  ],
};

/** Attributes of pooling operators in ONNX and in domain `sardonyx`; some kinds lack some. */
export interface PoolAttributes extends WindowAttributes {
  readonly kernel_shape: readonly number[];
  readonly count_include_pad?: number;
  readonly p?: number;
  readonly storage_order?: number;
}

/** Additional attributes of each kind. */
export const POOL_ATTRIBUTES = {
  Average: { count_include_pad: int(0) },
  Max: { storage_order: int(0) },
  Lp: { p: int(2) },
};

export const foldIn = (kind: PoolKind, { count_include_pad = 0, p = 2 }: PoolAttributes): PoolFold => ({
  kind,
  countsPadding: count_include_pad !== 0,
  order: p,
});

export const poolWindows = (c: Inference<PoolAttributes>, spatial: readonly Size[]) =>
  windowsOf(c, spatial, c.attributes.kernel_shape);

/** The widest window that `sardonyx:PlanarMaxPool` supports. */
export const MAX_PLANAR_WIDTH = 1024;

/** MaxPool in the model's own order, if that is as fast: windows one or two columns apart. */
function planarTwin(attributes: Attributes, rank: number) {
  const [width = 0, stride = 1] = ['kernel_shape', 'strides'].map((name) => intsOf(attributes, name)?.at(-1));
  const isDilated = intsOf(attributes, 'dilations')?.some((n) => n !== 1);
  if (rank !== 4 || isDilated || stride > 2 || width > MAX_PLANAR_WIDTH) return undefined;
  return { operator: 'sardonyx:PlanarMaxPool', attributes };
}

/** A pooling operator on [N, spatial…, C]. */
const channelsLast = (kind: PoolKind): AnyOperator =>
  defineOp({
    domain: 'sardonyx',
    name: `${kind}Pool`,
    types: { T: ['float32'] },
    attributes: { ...poolAttributes, ...POOL_ATTRIBUTES[kind] } as typeof poolAttributes,
    signature: 'X: T -> Y: T',
    guarded: true,
    infer(c: Inference<PoolAttributes>) {
      const dims = c.dims(0);
      const out = dims && poolWindows(c, dims.slice(1, -1)).map((w) => w.out);
      return [tensorType(c.element(0), out && [dims[0] as Size, ...out, dims.at(-1) as Size])];
    },
    computes: by(pool, (c: Inference<PoolAttributes>) => {
      const dims = c.dims(0);
      const windows = dims && (poolWindows(c, dims.slice(1, -1)) as KnownWindow[]);
      return windows && { ...foldIn(kind, c.attributes), windows };
    }),
    ...(kind === 'Max' && { channelsFirst: planarTwin }),
  });

const planar: AnyOperator = defineOp({
  domain: 'sardonyx',
  name: 'PlanarMaxPool',
  types: { T: ['float32'] },
  attributes: { ...poolAttributes, ...POOL_ATTRIBUTES.Max } as typeof poolAttributes,
  signature: 'X: T -> Y: T',
  guarded: true,
  infer(c: Inference<PoolAttributes>) {
    const dims = c.dims(0);
    const out = dims && poolWindows(c, dims.slice(2)).map((w) => w.out);
    return [tensorType(c.element(0), out && [...dims.slice(0, 2), ...out])];
  },
  computes: by(planarMaxPool, (c: Inference<PoolAttributes>) => {
    const dims = c.dims(0);
    return dims && (poolWindows(c, dims.slice(2)) as KnownWindow[]);
  }),
});

export const poolOperators = [channelsLast('Average'), channelsLast('Max'), channelsLast('Lp'), planar];
