import type { Size } from '../graph/sizes.js';
import { tensorType } from '../graph/types.js';
import { by, defineOp, type Inference, type Primitive } from '../schema/definition.js';
import { rangeOf } from '../tensor/element-types.js';
import { tensorOf } from '../tensor/numbers.js';
import { onChannelsFirst } from './channels-last.js';
import { poolOnHost } from './pool-on-host.js';
import { type KnownWindow, poolAttributes, type WindowAttributes, windowsOf } from './window.js';

/** Maximum of each window of [N, spatial…, C]; the type's least value for a window without elements. */
export const byteMaxPool: Primitive<readonly KnownWindow[]> = {
  name: 'byte max pool',
  facts: { layout: 'channels-last' },
  reference(c, windows) {
    const { element, dims } = c.result(0);
    const [least] = rangeOf(element);
    const fold = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), least);
    return [
      tensorOf(
        element,
        dims,
        onChannelsFirst(c.tensor(0), (x) => poolOnHost(x, windows, fold)),
      ),
    ];
  },
};

type PoolAttributes = WindowAttributes & { readonly kernel_shape: readonly number[] };

const windowsIn = (c: Inference<PoolAttributes>) => {
  const spatial = c.dims(0)?.slice(1, -1);
  return spatial && windowsOf(c, spatial, c.attributes.kernel_shape);
};

export const byteMaxPoolOperator = defineOp({
  domain: 'sardonyx',
  name: 'ByteMaxPool',
  signature: 'X: T -> Y: T',
  types: { T: ['int8', 'uint8'] },
  attributes: poolAttributes,
  guarded: true,
  infer(c: Inference<PoolAttributes>) {
    const [dims, windows] = [c.dims(0), windowsIn(c)];
    const out = dims && windows && [dims[0] as Size, ...windows.map((w) => w.out), dims.at(-1) as Size];
    return [tensorType(c.element(0), out)];
  },
  computes: by(byteMaxPool, (c: Inference<PoolAttributes>) => windowsIn(c) as KnownWindow[] | undefined),
});
