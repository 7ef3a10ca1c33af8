import type { Size } from '../../../graph/sizes.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axesOf } from '../../../schema/shapes.js';
import { viewOf } from '../../view.js';

function unsqueezed(c: Inference<unknown>, axes: readonly number[]): readonly Size[] | undefined {
  const dims = c.dims(0);
  if (!dims) return undefined;
  const rank = dims.length + axes.length;
  const added = new Set(axesOf(c, axes, rank));
  if (added.size < axes.length) c.fail('INVALID_VALUE', `axes [${axes}] contain duplicates`);
  const rest = [...dims];
  return Array.from({ length: rank }, (_, i) => (added.has(i) ? 1 : (rest.shift() as Size)));
}

const vectorOnly = (c: Inference<unknown>) => (c.dims(0)?.length === 0 ? c.sizes(0) : undefined);

/** https://onnx.ai/onnx/operators/onnx__Unsqueeze.html */
export const unsqueeze = [
  defineOp({
    name: 'Unsqueeze',
    since: 13,
    signature: 'data: T, axes: int64 -> expanded: T',
    types: { T: ANY },
    planned: [1],
    guarded: true,
    ...viewOf((c) => {
      const axes = c.sizes(1);
      return axes && unsqueezed(c, axes as number[]);
    }),
    sizes: vectorOnly,
  }),
  defineOp({
    name: 'Unsqueeze',
    signature: 'data: T -> expanded: T',
    types: { T: ANY },
    attributes: { axes: ints.required },
    guarded: true,
    ...viewOf<{ readonly axes: readonly number[] }>((c) => unsqueezed(c, c.attributes.axes)),
    sizes: vectorOnly,
  }),
];
