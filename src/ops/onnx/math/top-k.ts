import { areDecided, isAtMost } from '../../../graph/guards.js';
import { formatSize, type Size } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { type Along, along } from '../../../primitives/along.js';
import { topK as primitive } from '../../../primitives/top-k.js';
import { int } from '../../../schema/attributes.js';
import { by, defineOp, type Inference } from '../../../schema/definition.js';
import { FLOATS, NUMBERS } from '../../../schema/element-sets.js';
import { axisOf, like } from '../../../schema/shapes.js';

/** From opset 10 on, k is an input. */
interface TopKAttributes extends Along {
  readonly largest?: number;
  readonly k?: number;
}

const countOf = (c: Inference<TopKAttributes>): Size | undefined => c.attributes.k ?? c.sizes(1)?.[0];

/** The value of k, checked against an axis of `length`. */
function checkedCount(c: Inference<TopKAttributes>, length: Size): Size {
  const k = countOf(c) ?? c.fail('INVALID_SHAPE', 'k must have one element');
  return isAtMost(0, k) && isAtMost(k, length)
    ? k
    : c.fail('INVALID_VALUE', `k is ${formatSize(k)}; the axis has ${formatSize(length)} elements`);
}

const rules = {
  guarded: true,
  infer(c: Inference<TopKAttributes>) {
    const dims = c.dims(0);
    const axis = dims && axisOf(c, c.attributes.axis, dims.length);
    const count = countOf(c);
    const length = axis === undefined ? undefined : dims?.[axis];
    if (count !== undefined && length !== undefined && areDecided([count, length])) checkedCount(c, length);
    const out = axis === undefined ? undefined : dims?.with(axis, count ?? c.unknown());
    return [like(c, 0, out), tensorType('int64', out)];
  },
  computes: by(primitive, (c: Inference<TopKAttributes>) => {
    const at = along(c);
    const length = at && c.dims(0)?.[at.axis];
    if (!at || length === undefined || !areDecided([length])) return undefined;
    return { ...at, k: checkedCount(c, length) as number, smallest: c.attributes.largest === 0 };
  }),
};

/** https://onnx.ai/onnx/operators/onnx__TopK.html */
export const topK = [
  defineOp({
    name: 'TopK',
    since: 10,
    signature: 'X: T, K: int64 -> Values: T, Indices: int64',
    types: { T: NUMBERS },
    attributes: { axis: int(-1), largest: int(1), sorted: int(1) },
    planned: [1],
    ...rules,
  }),
  defineOp({
    name: 'TopK',
    signature: 'X: T -> Values: T, Indices: int64',
    types: { T: FLOATS },
    attributes: { axis: int(-1), k: int.required },
    ...rules,
  }),
];
