import { account } from '../../../account.js';
import { float, int } from '../../../schema/attributes.js';
import { defineOp } from '../../../schema/definition.js';
import { FLOATS } from '../../../schema/element-sets.js';
import { sameAsInput } from '../../../schema/shapes.js';
import { numbersOf, tensorOf } from '../../../tensor/numbers.js';
import { elementCount } from '../../../tensor/tensor-value.js';
import { throughChannelsLast } from '../../channels-last.js';
import { throughFloat32 } from '../../through-float32.js';

/** Window sizes that the kernel counts with. */
const MAX_SIZE = 2 ** 30;

const attributes = { alpha: float(1e-4), beta: float(0.75), bias: float(1), size: int.required };

/** https://onnx.ai/onnx/operators/onnx__LRN.html */
export const lrn = defineOp({
  name: 'LRN',
  signature: 'X: T -> Y: T',
  types: { T: FLOATS },
  attributes,
  infer(c) {
    const { size } = c.attributes;
    if (size < 1 || size > MAX_SIZE) c.fail('INVALID_ATTRIBUTE', `size must be 1 to ${MAX_SIZE}, not ${size}`);
    const dims = c.dims(0);
    if (dims && dims.length < 2)
      c.fail('INVALID_SHAPE', `normalizes across axis 1 of [batch, channels, …], not of [${dims}]`);
    return sameAsInput(c);
  },
  decompose(c) {
    const rank = c.dims(0)?.length;
    if (rank === undefined) return undefined;
    return c.element(0) === 'float32' ? throughChannelsLast(c, rank) : throughFloat32(c);
  },
  evaluate(c) {
    const { type, dims } = c.tensor(0);
    const x = numbersOf(c.tensor(0));
    const { alpha, beta, bias, size } = c.attributes;
    const channels = dims[1] as number;
    const pixels = elementCount(dims.slice(2));
    const y = Float64Array.from(x, (value, at) => {
      const channel = Math.floor(at / pixels) % channels;
      const first = Math.max(0, channel - Math.floor((size - 1) / 2));
      const last = Math.min(channels - 1, channel + Math.ceil((size - 1) / 2));
      account()?.spend(last - first);
      let squares = 0;
      for (let i = first; i <= last; i++) squares += (x[at + (i - channel) * pixels] as number) ** 2;
      return value / (bias + (alpha / size) * squares) ** beta;
    });
    return [tensorOf(type, dims, y)];
  },
});

/** LRN of [N, spatial…, C]. */
export const channelsLastLrn = defineOp({
  domain: 'sardonyx',
  name: 'LRN',
  signature: 'X: T -> Y: T',
  types: { T: ['float32'] },
  attributes,
  infer: sameAsInput,
});
