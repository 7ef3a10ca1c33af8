import { areDecided, differ, isSame } from '../../../graph/guards.js';
import { formatSize, formatSizes, type Size } from '../../../graph/sizes.js';
import { ints } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axesOf } from '../../../schema/shapes.js';
import { viewOf } from '../../view.js';

function squeezed(c: Inference<unknown>, axes: readonly Size[] | undefined): readonly Size[] | undefined {
  const dims = c.dims(0);
  // Without axes, an unknown size may be 1 and be dropped.
  if (!dims || (!axes && !areDecided(dims))) return undefined;
  const dropped = axes ? axesOf(c, axes as number[], dims.length) : dims.flatMap((d, i) => (isSame(d, 1) ? [i] : []));
  for (const axis of dropped) {
    const d = dims[axis];
    if (differ(d, 1))
      c.fail('INVALID_SHAPE', `axis ${axis} of [${formatSizes(dims)}] has size ${formatSize(d)}, not 1`);
  }
  return dims.filter((_, i) => !dropped.includes(i));
}

/** https://onnx.ai/onnx/operators/onnx__Squeeze.html */
export const squeeze = [
  defineOp({
    name: 'Squeeze',
    since: 13,
    signature: 'data: T, axes?: int64 -> squeezed: T',
    types: { T: ANY },
    planned: [1],
    guarded: true,
    ...viewOf((c) => (c.given(1) && !c.sizes(1) ? undefined : squeezed(c, c.sizes(1)))),
    sizes: (c) => c.sizes(0),
  }),
  defineOp({
    name: 'Squeeze',
    signature: 'data: T -> squeezed: T',
    types: { T: ANY },
    attributes: { axes: ints() },
    guarded: true,
    ...viewOf<{ readonly axes: readonly number[] | undefined }>((c) => squeezed(c, c.attributes.axes)),
    sizes: (c) => c.sizes(0),
  }),
];
