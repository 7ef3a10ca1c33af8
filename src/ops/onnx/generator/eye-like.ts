import { isKnown } from '../../../graph/sizes.js';
import { tensorType } from '../../../graph/types.js';
import { int } from '../../../schema/attributes.js';
import { defineOp, type Inference } from '../../../schema/definition.js';
import { BOOL, NUMBERS } from '../../../schema/element-sets.js';
import { dimsOfRank } from '../../../schema/shapes.js';
import { elementTypeOf } from '../../../tensor/element-types.js';
import { tensorOf } from '../../../tensor/numbers.js';

const elementOf = (c: Inference<{ readonly dtype: number | undefined }>) =>
  c.attributes.dtype === undefined
    ? c.element(0)
    : (elementTypeOf(c.attributes.dtype) ??
      c.fail('INVALID_ATTRIBUTE', `dtype=${c.attributes.dtype} is not an element type`));

/** https://onnx.ai/onnx/operators/onnx__EyeLike.html */
export const eyeLike = defineOp({
  name: 'EyeLike',
  since: 9,
  signature: 'input: T1 -> output: T2',
  types: { T1: [...NUMBERS, ...BOOL], T2: [...NUMBERS, ...BOOL] },
  halves: 'carried',
  attributes: { dtype: int(), k: int(0) },
  infer: (c) => [tensorType(elementOf(c), dimsOfRank(c, 0, 2))],
  decompose(c) {
    const dims = dimsOfRank(c, 0, 2);
    if (!isKnown(dims)) return undefined;
    const [rows, columns] = dims as unknown as [number, number];
    const ones = Float64Array.from({ length: rows * columns }, (_, i) =>
      Number((i % columns) - Math.floor(i / columns) === c.attributes.k),
    );
    return [c.constant(tensorOf(elementOf(c), [rows, columns], ones))];
  },
});
