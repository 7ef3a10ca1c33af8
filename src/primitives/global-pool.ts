import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { tensorOf } from '../tensor/numbers.js';
import { onChannelsFirst } from './channels-last.js';
import { reduceOnHost } from './reduce-on-host.js';

export interface GlobalPoolParameters {
  readonly kind: 'Average' | 'Max';
}

/** Mean or maximum of each channel of [N, spatial…, C]. */
export const globalPool: Primitive<GlobalPoolParameters> = {
  name: 'globalPool',
  facts: { layout: 'channels-last' },
  reference(c, { kind }) {
    const { element, dims } = c.result(0);
    const isSpatial = dims.map((_, axis) => axis > 1);
    const fold = kind === 'Max' ? 'Max' : 'Mean';
    return [
      tensorOf(
        element,
        dims,
        onChannelsFirst(c.tensor(0), (x) => reduceOnHost(x, fold, isSpatial, true)),
      ),
    ];
  },
};

/** [N, C, 1…], or [N, 1…, C] for channels last. */
export function pooledDims(c: Inference<unknown>, channel: number): Size[] | undefined {
  const dims = c.dims(0);
  if (dims && dims.length < 3) c.fail('INVALID_SHAPE', `pools [${dims}]; it takes [N, C, spatial…]`);
  return dims?.map((dim, axis) => (axis === 0 || axis === (channel + dims.length) % dims.length ? dim : 1));
}

export const globalPoolOperators = (['Average', 'Max'] as const).map((kind) =>
  defineOp({
    domain: 'sardonyx',
    name: `Global${kind}Pool`,
    signature: 'X: T -> Y: T',
    types: { T: ['float32'] },
    guarded: true,
    infer: (c) => [tensorType(c.element(0), pooledDims(c, -1))],
    computes: by(globalPool, () => ({ kind })),
  }),
);
