import { stridesOf } from '../../../graph/dims.js';
import { tensorType } from '../../../graph/types.js';
import { defineOp } from '../../../schema/definition.js';
import { ANY } from '../../../schema/element-sets.js';
import { ELEMENTS } from '../../../tensor/element-types.js';
import { numbersOf } from '../../../tensor/numbers.js';

/** https://onnx.ai/onnx/operators/onnx__NonZero.html */
export const nonZero = defineOp({
  name: 'NonZero',
  since: 9,
  signature: 'X: T -> Y: int64',
  types: { T: ANY },
  infer(c) {
    const rank = c.dims(0)?.length;
    return [tensorType('int64', [rank ?? c.unknown(), c.unknown()])];
  },
  evaluate(c) {
    const x = c.tensor(0);
    const { entries = 1 } = ELEMENTS[x.type];
    const values: ArrayLike<unknown> = x.type === 'string' || entries > 1 ? x.data : numbersOf(x);
    const found: number[] = [];
    for (let i = 0; i < values.length; i++) {
      const element = Math.floor(i / entries);
      if (values[i] !== 0 && values[i] !== '' && found.at(-1) !== element) found.push(element);
    }
    const strides = stridesOf(x.dims);
    const data = new BigInt64Array(x.dims.length * found.length);
    x.dims.forEach((dim, axis) => {
      const stride = strides[axis] as number;
      found.forEach((at, i) => {
        data[axis * found.length + i] = BigInt(Math.floor(at / stride) % dim);
      });
    });
    return [{ type: 'int64', dims: [x.dims.length, found.length], data }];
  },
});
