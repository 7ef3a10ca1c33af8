import { differ } from '../../../graph/guards.js';
import { add, type Size } from '../../../graph/sizes.js';
import { type Along, along, restateAxis } from '../../../primitives/along.js';
import { concat as primitive } from '../../../primitives/concat.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';

const positions = (c: Inference<unknown>) => Array.from({ length: c.inputCount }, (_, i) => i);

function joinedDims(c: Inference<Along>): Size[] | undefined {
  const all = positions(c).map((i) => c.dims(i));
  const first = all[0];
  if (!first || !all.every((dims) => dims !== undefined)) return undefined;
  const axis = axisOf(c, c.attributes.axis, first.length);
  return first.map((_, d) => {
    const sizes = all.map((dims) => dims[d] as Size);
    if (all.some((dims) => dims.length !== first.length))
      c.fail('INVALID_SHAPE', `ranks of [${all.join('], [')}] differ`);
    if (d === axis) return add(...sizes);
    const known = sizes.find((size) => typeof size === 'number') ?? (sizes[0] as Size);
    if (sizes.some((size) => differ(size, known)))
      c.fail('INVALID_SHAPE', `[${all.join('], [')}] differ in axis ${d}, not only in axis ${axis}`);
    return known;
  });
}

const versions = [
  { since: 4, axis: int.required },
  { since: 1, axis: int(1) },
];

/** https://onnx.ai/onnx/operators/onnx__Concat.html */
export const concat = versions.map(({ since, axis }) =>
  defineOp({
    name: 'Concat',
    since,
    signature: 'inputs...: T -> concat_result: T',
    types: { T: ANY },
    attributes: { axis },
    guarded: true,
    infer: (c) => [like(c, 0, joinedDims(c))],
    sizes(c) {
      const all = positions(c).map((i) => (c.dims(i)?.length === 1 ? c.sizes(i) : undefined));
      return all.every((sizes) => sizes !== undefined) ? all.flat() : undefined;
    },
    computes: by(primitive, along, restateAxis),
  }),
);
