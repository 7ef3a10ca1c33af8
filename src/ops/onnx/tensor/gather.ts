import type { Size } from '../../../graph/sizes.js';
import { type Along, along } from '../../../primitives/along.js';
import { gather as primitive } from '../../../primitives/gather.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY, INDICES } from '../../../schema/element-sets.js';
import { positionOf } from '../../../schema/positions.js';
import { axisOf, like } from '../../../schema/shapes.js';

function sizesOf(c: Inference<Along>): readonly Size[] | undefined {
  const sizes = c.dims(0)?.length === 1 ? c.sizes(0) : undefined;
  const indices = sizes && c.sizes(1);
  if (!sizes || !indices?.every((i) => typeof i === 'number')) return undefined;
  return indices.map((i) => sizes[positionOf(c, i as number, sizes.length, 0)] as Size);
}

/** https://onnx.ai/onnx/operators/onnx__Gather.html */
export const gather = defineOp({
  name: 'Gather',
  signature: 'data: T, indices: Tind -> output: T',
  types: { T: ANY, Tind: INDICES },
  attributes: { axis: int(0) },
  guarded: true,
  infer(c) {
    const [data, indices] = [c.dims(0), c.dims(1)];
    if (!data || !indices) return [like(c, 0, undefined)];
    const axis = axisOf(c, c.attributes.axis, data.length);
    return [like(c, 0, [...data.slice(0, axis), ...indices, ...data.slice(axis + 1)])];
  },
  sizes: sizesOf,
  computes: by(primitive, along),
});
